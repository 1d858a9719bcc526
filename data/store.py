"""The store: one DuckDB file, held by one process, read by many threads and written by one at a time."""

import contextlib
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self, TypeVar

import duckdb
import numpy as np
import pandas as pd

from data import faults, migrate
from data.errors import InputError, StoreHeldError
from data.remembered import Remembered
from data.rows import one_value

T = TypeVar("T")
Parameters = Sequence[Any] | Mapping[str, Any] | None

FILE_NAME: Final = "switchover.duckdb"
_CODE: Final = Path(__file__).resolve().parent.parent
#: Types of columns that need no help of pandas on their way into a frame.
_PLAIN: Final = frozenset(
    {"VARCHAR", "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE"}
)
_DEFAULT_MEMORY: Final = 640 << 20
_open_paths: set[Path] = set()
_open_paths_lock = threading.Lock()


def read_frame(cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Parameters = None) -> pd.DataFrame:
    """All rows of one statement, with the column types that :meth:`Store.query` describes."""
    cursor.execute(sql, parameters)
    if all(str(kind) in _PLAIN for _, kind, *_ in cursor.description or ()):
        # Texts go straight into objects; on the way through pandas' own texts they would be copied twice.
        columns = {name: _settled(values) for name, values in cursor.fetchnumpy().items()}
        return pd.DataFrame(columns, copy=False)
    frame: pd.DataFrame = cursor.df()
    for name, dtype in frame.dtypes.items():
        column = frame[name]
        if isinstance(dtype, pd.StringDtype | pd.BooleanDtype):
            settled = column.astype(object)
            frame[name] = settled.where(settled.notna(), None)
        elif pd.api.types.is_extension_array_dtype(dtype) and pd.api.types.is_integer_dtype(dtype):
            frame[name] = column.astype("float64")
    return frame


def _settled(values: Any) -> "pd.Series[Any]":
    """One column of texts, numbers or truths; NULLs are masked where there are any."""
    if not isinstance(values, np.ma.MaskedArray):
        plain: pd.Series[Any] = pd.Series(values, dtype=values.dtype, copy=False)
        return plain
    if values.dtype.kind in "iuf":
        return pd.Series(np.ma.filled(values.astype("float64"), np.nan), copy=False)
    settled = values.data.astype(object)
    settled[values.mask] = None  # filled(None) would put numpy's own default there
    return pd.Series(settled, dtype=object, copy=False)


def default_path(db: str | Path | None = None) -> Path:
    """Where the store lies: ``db``, else in ``SWITCHOVER_HOME``, else in ``workspace`` beside the code."""
    if db:
        return Path(db)
    home = os.environ.get("SWITCHOVER_HOME")
    return (Path(home) if home else _CODE / "workspace") / FILE_NAME


class Store:
    """An open store. Safe to share between threads; :meth:`open` is the only way in.

    The root connection is never executed on: DuckDB gives wrong results when threads share one. Every call
    works on a cursor of its own. Nothing else in the process may open the file, not even to copy it: on POSIX
    the first close of any handle of a file drops the lock that keeps other processes out.
    """

    def __init__(
        self, path: Path, root: duckdb.DuckDBPyConnection, revision: int, settings: tuple[int, str]
    ) -> None:
        self.path: Final = path
        self.inbox: Final = path.parent / "inbox"
        self.spool: Final = path.parent / "spool"
        self.exports: Final = path.parent / "exports"
        #: Held by whoever imports from the inbox, so that two threads never take up one request.
        self.inbox_turn: Final = threading.Lock()
        self._root = root
        self._revision = revision
        self._closed = False
        self._writing = threading.Lock()
        self._writer: int | None = None
        self._remembered = Remembered()
        self._settings = settings
        self._stopped = False
        self._reviving = threading.Lock()

    @classmethod
    def open(
        cls, path: str | Path, *, threads: int | None = None, memory_limit: str | None = None
    ) -> "Store":
        """Open or create the store at ``path`` with the folders inbox, spool and exports beside it.

        ``threads`` and ``memory_limit`` default to ``SWITCHOVER_THREADS`` (else the cores at hand) and
        ``SWITCHOVER_MEMORY`` (else 640 MB or half of the machine's memory, whichever is less).

        Raises:
            StoreHeldError: another process, or this one, has it open.
            InputError: it cannot be opened, is damaged, or was written by a newer version.
        """
        path = Path(path).expanduser().resolve()
        with _open_paths_lock:
            if path in _open_paths:
                raise StoreHeldError(f"{path} is open in this process already", os.getpid())
            _open_paths.add(path)
        try:
            _make_folders(path)
            settings = (_threads(threads), _memory_limit(memory_limit))
            root = _open_root(path, *settings)
            cursor = root.cursor()
            revision = one_value(cursor, "SELECT revision FROM store_meta")
            cursor.close()
            store = cls(path, root, int(revision), settings)
        except duckdb.Error as error:
            _forget(path)
            raise faults.held(path, error) or faults.plain(path, error) or error from error
        except BaseException:
            _forget(path)
            raise
        store._sweep()
        return store

    @property
    def revision(self) -> int:
        """Rises with every committed change; whatever was read before it rose may be out of date."""
        return self._revision

    def query(self, sql: str, parameters: Parameters = None) -> pd.DataFrame:
        """Run one statement on a cursor of its own and return all its rows.

        Texts come as objects with None for NULL, whole numbers with NULLs as floats with NaN.

        Raises:
            InputError: the store is closed or damaged.
        """
        with self._told(), self._cursor() as cursor:
            return read_frame(cursor, sql, parameters)

    @contextlib.contextmanager
    def scratch(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor for temporary tables that vanish with it; stored tables are only read through it."""
        with self._told(), self._cursor() as cursor:
            yield cursor

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor on which all statements see the store as it was at the first of them."""
        with self._told(), self._cursor() as cursor:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            try:
                yield cursor
            finally:
                _roll_back(cursor)

    @contextlib.contextmanager
    def write(self, cursor: duckdb.DuckDBPyConnection | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
        """One transaction under the writer's lock; commits and raises ``revision``, or leaves all as it was.

        ``cursor`` of a :meth:`scratch` block keeps its temporary tables in reach; without one, a new cursor.

        Raises:
            InputError: the store is closed, or its disk is full or cannot be written.
        """
        if self._writer == threading.get_ident():
            raise RuntimeError("a write inside a write would wait for itself")
        with self._told(), self._writing, contextlib.ExitStack() as stack:
            self._writer = threading.get_ident()
            stack.callback(self._released)
            own = cursor if cursor is not None else stack.enter_context(self._cursor())
            own.execute("BEGIN TRANSACTION")
            try:
                yield own
                own.execute("UPDATE store_meta SET revision = revision + 1")
                own.execute("COMMIT")
            except BaseException:
                _roll_back(own)
                raise
            self._revision += 1

    def remembered(self, key: tuple[Any, ...], compute: Callable[[], T]) -> T:
        """The value of ``compute`` at this revision, computed once; the few used last are kept."""
        return self._remembered.get(self._revision, key, compute)

    def close(self) -> None:
        """Wait for the writer, close, and give the file free. Closing twice does nothing."""
        with self._writing:
            if self._closed:
                return
            self._closed = True
            self._root.close()
            _forget(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _released(self) -> None:
        self._writer = None

    @contextlib.contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        if self._stopped:
            self._revive()
        cursor = self._root.cursor()
        try:
            yield cursor
        finally:
            cursor.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        if self._closed:
            raise InputError(f"the store at {self.path} is closed")
        try:
            yield
        except duckdb.Error as error:
            self._stopped = self._stopped or faults.stopped(error)
            told = faults.plain(self.path, error)
            if told is None:
                raise
            raise told from error

    def _revive(self) -> None:
        """Open the file again after DuckDB stopped for good; what was committed comes back from the log."""
        with self._reviving:
            if not self._stopped or self._closed:
                return
            self._root.close()
            self._root = _open_root(self.path, *self._settings)
            self._stopped = False

    def _sweep(self) -> None:
        """Remove what a killed process left in the spool; nobody else uses it while the store is held."""
        for entry in self.spool.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)


def _open_root(path: Path, threads: int, memory_limit: str) -> duckdb.DuckDBPyConnection:
    """Connect, bring the schema up to date and shut everything that is not needed."""
    _drop_stillborn(path)
    root = _connect(path, threads, memory_limit)
    try:
        found = _found_version(root, path)
        if 0 < found < len(migrate.migrations()):
            root.close()
            migrate.copy_aside(path, found)
            root = _connect(path, threads, memory_limit)
        with root.cursor() as cursor:
            migrate.migrate(cursor, found)
            _lock_down(cursor, path)
    except BaseException:
        root.close()
        raise
    return root


def _found_version(root: duckdb.DuckDBPyConnection, path: Path) -> int:
    with root.cursor() as cursor:
        found = migrate.schema_version(cursor, path)
        migrate.refuse_newer(found, path)
        if 0 < found < len(migrate.migrations()):
            cursor.execute("CHECKPOINT")
    return found


def _connect(path: Path, threads: int, memory_limit: str) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        str(path),
        config={
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "threads": threads,
            "memory_limit": memory_limit,
            "temp_directory": str(path.parent / "spool" / "temporary"),
        },
    )


def _lock_down(cursor: duckdb.DuckDBPyConnection, path: Path) -> None:
    folders = [str(path.parent / name) for name in ("inbox", "spool", "exports")]
    cursor.execute("SET GLOBAL timezone = 'UTC'")
    # SET takes no bound parameter, so the folders are quoted by hand.
    quoted = ", ".join("'" + folder.replace("'", "''") + "'" for folder in folders)
    cursor.execute(f"SET GLOBAL allowed_directories = [{quoted}]")
    cursor.execute("SET GLOBAL enable_external_access = false")
    cursor.execute("SET GLOBAL lock_configuration = true")


def _make_folders(path: Path) -> None:
    try:
        for name in ("inbox", "spool", "exports"):
            (path.parent / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot create the store's folders in {path.parent} ({error.strerror}); "
            "choose another place with --db or SWITCHOVER_HOME"
        ) from error


def _drop_stillborn(path: Path) -> None:
    """Remove an empty file: a process was killed between creating it and writing its first block."""
    if path.is_file() and path.stat().st_size == 0 and not path.with_name(path.name + ".wal").exists():
        path.unlink()


def _forget(path: Path) -> None:
    with _open_paths_lock:
        _open_paths.discard(path)


def _roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    # DuckDB may have rolled back by itself (a full disk, say); the first error is the one to tell.
    with contextlib.suppress(duckdb.Error):
        cursor.execute("ROLLBACK")


def _threads(asked: int | None) -> int:
    given = os.environ.get("SWITCHOVER_THREADS", "")
    if asked is None and given:
        if not given.isascii() or not given.isdigit() or int(given) == 0:
            raise InputError(f"SWITCHOVER_THREADS must be a whole number above 0, not {given[:40]!r}")
        asked = int(given)
    if asked is not None:
        return asked
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _memory_limit(asked: str | None) -> str:
    given = asked or os.environ.get("SWITCHOVER_MEMORY")
    if given:
        if re.fullmatch(r"\d+(\.\d+)?\s*[KMGT]i?B", given, re.IGNORECASE) is None:
            raise InputError(f"SWITCHOVER_MEMORY must be a size such as 4GB, not {given[:40]!r}")
        return given
    try:
        half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # systems without sysconf
        half = _DEFAULT_MEMORY
    return f"{min(_DEFAULT_MEMORY, half) >> 20}MiB"
