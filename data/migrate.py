"""Numbered SQL migrations: an older file is copied aside first, a newer one refused."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import duckdb

from data.errors import InputError
from data.rows import one_value

MIGRATIONS = Path(__file__).parent / "migrations"


@dataclass(frozen=True)
class Migration:
    """One step: takes a store of schema ``number`` - 1 to ``number``."""

    number: int
    sql: str


def migrations() -> tuple[Migration, ...]:
    """All steps in order, numbered from 1 without a gap."""
    steps: list[Migration] = []
    for path in sorted(MIGRATIONS.glob("*.sql")):
        number = re.match(r"\d{4}(?=_)", path.name)
        if number is None or int(number.group()) != len(steps) + 1:
            raise ValueError(f"{path.name} breaks the numbering of the migrations")
        steps.append(Migration(len(steps) + 1, path.read_text(encoding="utf-8")))
    return tuple(steps)


def schema_version(cursor: duckdb.DuckDBPyConnection, path: Path) -> int:
    """The schema of an open file; 0 for an empty one.

    Raises:
        InputError: the file holds something else.
    """
    tables = {
        str(name)
        for (name,) in cursor.execute(
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()"
        ).fetchall()
    }
    if not tables:
        return 0
    if "store_meta" not in tables:
        raise InputError(f"{path} is a DuckDB file but not a Switchover store; name another file with --db")
    found = one_value(cursor, "SELECT schema_version FROM store_meta")
    if found is None:
        raise InputError(f"{path} does not say its schema version; restore a backup")
    return int(found)


def refuse_newer(found: int, path: Path) -> None:
    """Raise for a store this version of the program does not know.

    Raises:
        InputError: the store has a later schema.
    """
    known = len(migrations())
    if found > known:
        raise InputError(
            f"{path} was written by a newer Switchover (schema {found}, this one knows {known}); "
            "update Switchover, or name another file with --db"
        )


def migrate(cursor: duckdb.DuckDBPyConnection, found: int) -> None:
    """Apply what is missing, each step in one transaction."""
    for step in migrations()[found:]:
        cursor.execute("BEGIN TRANSACTION")
        try:
            cursor.execute(step.sql)
            cursor.execute("UPDATE store_meta SET schema_version = ?", [step.number])
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


def copy_aside(path: Path, found: int) -> Path:
    """Copy a closed store of schema ``found`` beside itself, with its write-ahead log, and name the copy.

    The store must be closed: on POSIX, closing any handle of a file drops the locks its process holds on it.

    Raises:
        InputError: there is no room for the copy; the store is left as it is.
    """
    target = path.with_name(f"{path.stem}.schema-{found}{path.suffix}")
    count = 1
    while target.exists():
        count += 1
        target = path.with_name(f"{path.stem}.schema-{found}-{count}{path.suffix}")
    log = _log(path)
    try:
        shutil.copyfile(path, target)
        if log.exists():
            shutil.copyfile(log, _log(target))
    except OSError as error:
        target.unlink(missing_ok=True)
        _log(target).unlink(missing_ok=True)
        raise InputError(
            f"{path} has to be updated but could not be copied to {target} first ({error.strerror}); "
            "free some space and try again"
        ) from error
    return target


def _log(path: Path) -> Path:
    return path.with_name(path.name + ".wal")
