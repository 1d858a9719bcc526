"""The whole store as one file, and back.

A backup is made by DuckDB itself from one moment of the open store, so that others may read and write
meanwhile; nothing here opens the store's own file (see :class:`data.store.Store`). A restore checks a private
copy of the backup from end to end, and only then puts it in the place of the store, which is set aside.
"""

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from data.errors import InputError, StoreHeldError
from data.importing.sql import identifier, literal
from data.rows import one_value
from data.store import Store

_LOG: Final = ".wal"
#: Tables whose rows belong to imports, and what each import says of them.
_ROWS: Final = {"evals": "eval_result", "scores": "published_score", "votes": "vote"}
#: Tables with rows in them mean that somebody's work is in the store.
_WORK: Final = ("import_batch", "evidence", "decision", "remembered_mapping")


@dataclass(frozen=True)
class Backup:
    """A backup that was written: its file, size, and the store's revision it holds."""

    path: Path
    size_bytes: int
    revision: int
    batches: int


@dataclass(frozen=True)
class Restored:
    """A store that was put in place; ``set_aside`` is where the one before it lies now."""

    path: Path
    revision: int
    batches: int
    set_aside: Path | None


def backup(store: Store, path: str | Path) -> Backup:
    """Write the whole store, as it is at one moment, to a new file at ``path``.

    Readers and writers go on meanwhile. The file appears complete or not at all.

    Raises:
        InputError: there is a file at ``path`` already, or it cannot be written.
    """
    path = Path(path).expanduser().resolve()
    require_free(path)
    # The spool is swept at the next opening, whatever happens to this process.
    building = store.spool / f"backup-{secrets.token_hex(8)}.duckdb"
    try:
        revision, batches = _copy(store, building)
        size = building.stat().st_size
        move_new(building, path)
    finally:
        building.unlink(missing_ok=True)
        _log(building).unlink(missing_ok=True)
    return Backup(path, size, revision, batches)


def _copy(store: Store, target: Path) -> tuple[int, int]:
    """Copy the store into a new database at ``target``; revision and loaded imports of the copy."""
    name = f"backup_{secrets.token_hex(8)}"
    with store.scratch() as cursor:
        cursor.execute(f"ATTACH {literal(target)} AS {name}")
        try:
            # One transaction: what is counted afterwards is what was copied.
            cursor.execute("BEGIN TRANSACTION")
            told = _copied(cursor, name)
            cursor.execute("COMMIT")
        except duckdb.Error as error:
            if target.name not in str(error):
                raise
            # The copy alone stopped; the store goes on, and must not be taken for stopped.
            raise InputError(
                f"no backup was made: the disk that holds {target.parent} is full or failed. "
                "Free some space and try again"
            ) from error
        finally:
            with contextlib.suppress(duckdb.Error):  # no transaction is open after a commit
                cursor.execute("ROLLBACK")
            with contextlib.suppress(duckdb.Error):  # a store that stopped has let go of it already
                cursor.execute(f"DETACH {name}")
    return told


def _copied(cursor: duckdb.DuckDBPyConnection, name: str) -> tuple[int, int]:
    own = identifier(str(one_value(cursor, "SELECT current_database()")))
    cursor.execute(f"COPY FROM DATABASE {own} TO {name}")
    for table in map(identifier, _tables(cursor)):
        here, there = (one_value(cursor, f"SELECT count(*) FROM {base}.main.{table}") for base in (own, name))
        if here != there:
            raise RuntimeError(f"{table}: {here} rows in the store and {there} in its copy")
    revision = one_value(cursor, f"SELECT revision FROM {name}.main.store_meta")
    batches = one_value(cursor, f"SELECT count(*) FROM {name}.main.import_batch WHERE undone_at IS NULL")
    return int(revision), int(batches)


def _tables(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    found = cursor.execute(
        "SELECT table_name FROM duckdb_tables() "
        "WHERE database_name = current_database() AND NOT internal AND NOT temporary ORDER BY table_name"
    ).fetchall()
    return [str(name) for (name,) in found]


def restore(path: str | Path, backup_path: str | Path, *, replace: bool = False) -> Restored:
    """Put the store of a backup at ``path``, where no process may hold a store meanwhile.

    The backup is copied, brought up to date where it is older, and read from end to end before anything
    changes. A store at ``path`` is set aside as ``NAME.replaced-N.duckdb`` and never deleted; with
    ``replace`` false one that holds data, or that cannot be opened, is left and refused. A process that is
    killed leaves the old store or the new one, whole.

    Raises:
        InputError: the backup is missing, damaged, empty, no store, or written by a newer version; the store
            holds data and ``replace`` is false; or the disk is full.
        StoreHeldError: a process holds the store at ``path``.
    """
    path, source = (Path(one).expanduser().resolve() for one in (path, backup_path))
    _require_backup(source, path)
    home = path.parent
    building = home / f".restore-{secrets.token_hex(8)}"
    try:
        try:
            building.mkdir(parents=True)
            fresh = building / path.name
            _copy_file(source, fresh)
        except OSError as error:
            raise _told(path, error) from error
        revision, batches = _verified(fresh, source)
        with _held(path, replace=replace) as occupied:
            aside = _swap(fresh, path) if occupied else None
            if aside is None:
                move_new(fresh, path)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return Restored(path, revision, batches, aside)


def _require_backup(source: Path, path: Path) -> None:
    if not source.is_file():
        raise InputError(f"no such file: {source}")
    if source == path or (path.exists() and source.samefile(path)):
        raise InputError(f"{source} is the store itself; name a file that `backup` wrote")
    if _log(source).exists():
        raise InputError(
            f"{source} is a store in use ({_log(source).name} lies beside it) and no backup; "
            "write one with `backup FILE`"
        )


def _verified(fresh: Path, source: Path) -> tuple[int, int]:
    """Open the copy, which brings it up to date, and read all of it; its revision and loaded imports."""
    try:
        with Store.open(fresh) as store, store.scratch() as cursor:
            _require_content(store, source)
            for table in _tables(cursor):
                # Blocks carry checksums, which are compared when a block is read.
                cursor.execute(f"SELECT bit_xor(hash(one)) FROM {identifier(table)} AS one").fetchall()
            _require_whole(cursor, source)
            batches = one_value(cursor, "SELECT count(*) FROM import_batch WHERE undone_at IS NULL")
            return store.revision, int(batches)
    except InputError as error:
        raise InputError(str(error).replace(str(fresh), str(source))) from error


def _require_content(store: Store, source: Path) -> None:
    if store.revision == 0:  # also what becomes of an empty file
        raise InputError(f"{source} holds nothing to restore; name a file that `backup` wrote")


def _require_whole(cursor: duckdb.DuckDBPyConnection, source: Path) -> None:
    stored = " UNION ALL ".join(
        f"SELECT '{kind}' AS kind, batch, count(*) AS rows FROM {table} GROUP BY batch"
        for kind, table in _ROWS.items()
    )
    wrong = one_value(
        cursor,
        f"SELECT count(*) FROM (FROM import_batch WHERE undone_at IS NULL) AS told "
        f"FULL JOIN ({stored}) AS stored USING (kind, batch) WHERE rows_loaded IS DISTINCT FROM rows",
    )
    if wrong:
        raise InputError(f"{source} is damaged: {wrong} imports lack rows; restore an older backup")


@contextlib.contextmanager
def _held(path: Path, *, replace: bool) -> Iterator[bool]:
    """Keep other processes out of the store at ``path``; whether there is one.

    A store that cannot be opened cannot be held either: it is damaged, or a newer version's.
    """
    if not path.exists():
        yield False
        return
    try:
        old = Store.open(path)
    except StoreHeldError:
        raise
    except InputError as error:
        if not replace:
            raise InputError(f"{error}; to put the backup in its place, say --replace") from error
        yield True
        return
    with old:
        if not replace and _holds_work(old):
            raise InputError(
                f"{path} holds data already; say --replace to put the backup in its place "
                "(the store is set aside, not deleted), or choose another --db"
            )
        with old.scratch() as cursor:
            cursor.execute("CHECKPOINT")
        yield True


def _holds_work(store: Store) -> bool:
    with store.scratch() as cursor:
        return any(one_value(cursor, f"SELECT 1 FROM {table} LIMIT 1") for table in _WORK)


def _swap(fresh: Path, path: Path) -> Path:
    """Set the store at ``path`` aside and put ``fresh`` there; at every moment one of them is there."""
    aside = _free_name(path)
    try:
        _link(path, aside)
        if _log(path).exists():  # of a store that could not be opened: the log belongs to the old file
            _link(_log(path), _log(aside))
            _log(path).unlink()
        fresh.replace(path)
        _sync(path.parent)
    except OSError as error:
        raise _told(path, error) from error
    return aside


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.stem}.replaced-{number}{path.suffix}")).exists():
        number += 1
    return aside


def _link(source: Path, target: Path) -> None:
    """A second name for a file, or a move where the file system has no second names."""
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        source.rename(target)


def require_free(path: Path) -> None:
    """Refuse a place where something lies, or in a folder that is not there."""
    if path.exists() or path.is_symlink():
        raise InputError(f"{path} is there already; name a file that does not exist, or move it away")
    if not path.parent.is_dir():
        raise InputError(f"no such folder: {path.parent}; create it, or name another file")


def move_new(building: Path, path: Path) -> None:
    """Give a finished file its place, whole or not at all, and never over another file.

    Raises:
        InputError: something appeared at ``path`` meanwhile, or it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            os.link(building, beside)
            _sync(beside)
        except OSError:  # another disk, or a file system without second names
            _copy_file(building, beside)
        require_free(path)
        beside.rename(path)
        _sync(path.parent)
    except OSError as error:
        raise _told(path, error) from error
    finally:
        beside.unlink(missing_ok=True)


def _copy_file(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    _sync(target)


def _sync(path: Path) -> None:
    """Wait until the disk holds a file or a folder's list of names; not all systems can do folders."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EBADF):
            raise
    finally:
        os.close(handle)


def _told(path: Path, error: OSError) -> InputError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return InputError(f"the disk that holds {path} is full; nothing was changed. Free some space")
    return InputError(f"cannot write {path} ({error.strerror or error}); choose another place")


def _log(path: Path) -> Path:
    return path.with_name(path.name + _LOG)
