"""What DuckDB says when something outside the program is wrong, in words a person can act on."""

import re
from pathlib import Path

import duckdb

from data.errors import InputError, StoreHeldError

#: Signs in a message -> what happened and what to do. The first that fits counts.
_SIGNS: tuple[tuple[str, str], ...] = (
    (
        r"database has been invalidated",
        "the store at {path} stopped after a fault of its disk; what was committed is safe. Try again",
    ),
    (
        r"no space left|file too large|disk quota|could not write|max_temp_directory_size",
        "the disk that holds {path} is full; nothing was stored. Free some space and try again",
    ),
    (
        r"read-only file system|permission denied|attached in read-only",
        "cannot write to {path}; check who may write there, or choose another place with --db",
    ),
    (
        r"out of memory|could not allocate|failed to allocate",
        "this needs more memory than the store may use; raise SWITCHOVER_MEMORY (such as 8GB) and try again",
    ),
    (r"connection (already|has been) closed|connection already closed", "the store at {path} is closed"),
    (
        r"version number|newer version|storage version",
        "{path} was written by another version of DuckDB; open it with that one or restore a backup",
    ),
    (
        r"not a valid duckdb|checksum|corrupt|serializ|could not read|wal file|replaying|is a directory",
        "{path} is not a readable store ({first}); restore a backup, or name another file with --db",
    ),
)
#: Errors of the surroundings; any other type is a fault of a statement, whatever its message quotes.
_OUTSIDE = (
    duckdb.IOException,
    duckdb.OutOfMemoryException,
    duckdb.FatalException,
    duckdb.InternalException,
    duckdb.SerializationException,
    duckdb.ConnectionException,
    duckdb.PermissionException,
    duckdb.TransactionException,
)
_HOLDER = re.compile(r"\(PID (\d+)\)")


def held(path: Path, error: duckdb.Error) -> StoreHeldError | None:
    """The holder of ``path``, when that is why it could not be opened."""
    text = str(error)
    if "Could not set lock" not in text:
        return None
    found = _HOLDER.search(text)
    pid = int(found.group(1)) if found else None
    who = f"process {pid}" if pid is not None else "another process"
    return StoreHeldError(f"{path} is held by {who}; stop it, or use another store with --db", pid)


def stopped(error: duckdb.Error) -> bool:
    """Whether the open database refuses all further work, as it does after a full disk."""
    return isinstance(error, duckdb.FatalException) or "database has been invalidated" in str(error)


def plain(path: Path, error: duckdb.Error) -> InputError | None:
    """``error`` as bad input or a bad disk; None when it is a fault of the program."""
    if not isinstance(error, _OUTSIDE) and type(error) is not duckdb.Error:
        return None
    # The sentence names the whole path; a second one inside it would be cut in the middle.
    text = str(error).replace(str(path), path.name)
    for signs, sentence in _SIGNS:
        if re.search(signs, text, re.IGNORECASE):
            first = text.splitlines()[0][:160]
            return InputError(sentence.format(path=path, first=first))
    return None
