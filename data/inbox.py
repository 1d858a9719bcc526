"""Imports left by processes that do not hold the store, and files dropped into the inbox by hand.

A request is a folder: the files, each under its own name, and ``request.json`` with the options. It is built
under a name that starts with a dot and renamed when complete, so the holder never sees half of one. A request
is removed after its rows are committed; a process killed in between imports the same bytes again, which
changes nothing.
"""

import json
import secrets
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from data.canonical import canonical_json
from data.errors import InputError
from data.importing.staged import BatchReport, ImportOptions
from data.store import Store

_SUFFIX: Final = ".request"
_REQUEST: Final = "request.json"
_ATTEMPTS: Final = "attempts"
#: A request that was begun this often and never settled stops the program itself; it is set aside.
_MOST_ATTEMPTS: Final = 3
_ABANDONED_SECONDS: Final = 86_400


@dataclass(frozen=True)
class QueuedImport:
    """What was left for the holder: the request's name, its folder and the files' names."""

    request: str
    folder: Path
    files: tuple[str, ...]


@dataclass(frozen=True)
class QueuedOutcome:
    """What became of a request (or a file dropped by hand): reports, or the error; where the files lie."""

    request: str
    files: tuple[str, ...]
    reports: tuple[BatchReport, ...]
    error: str | None = None
    kept_in: Path | None = None


@dataclass(frozen=True)
class InboxFile:
    """A file that lies in the inbox; ``modified_at`` is UTC in ISO 8601."""

    path: Path
    name: str
    size_bytes: int
    modified_at: str


def queue_files(home: Path, paths: Sequence[Path], options: ImportOptions) -> QueuedImport:
    """Leave ``paths`` as one import for the process that holds the store in the folder ``home``.

    Raises:
        InputError: a file cannot be read, or the inbox cannot be written; nothing is left behind.
    """
    inbox = home / "inbox"
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}"
    building = inbox / f".{name}"
    try:
        building.mkdir(parents=True)
        for number, path in enumerate(paths):
            (building / str(number)).mkdir()
            shutil.copyfile(path, building / str(number) / path.name)
        request = {"files": [path.name for path in paths], "options": asdict(options)}
        (building / _REQUEST).write_text(canonical_json(request), encoding="utf-8", errors="surrogateescape")
        building.rename(inbox / f"{name}{_SUFFIX}")
    except OSError as error:
        shutil.rmtree(building, ignore_errors=True)
        where = error.filename or inbox
        raise InputError(f"cannot leave the import in {inbox}: {error.strerror} ({where})") from error
    return QueuedImport(name, inbox / f"{name}{_SUFFIX}", tuple(path.name for path in paths))


def commit_queued(store: Store, *, everything: bool = False) -> list[QueuedOutcome]:
    """Import every request in the inbox, oldest first; with ``everything`` also files dropped by hand.

    Each request is imported whole or not at all. One that fails moves to ``inbox/failed`` with the message in
    ``message.txt``; a file dropped by hand moves to ``inbox/imported`` when it is in.
    """
    with store.inbox_turn:
        _remove_abandoned(store.inbox)
        requests = sorted(path for path in store.inbox.glob(f"*{_SUFFIX}") if path.is_dir())
        outcomes = [_commit(store, request) for request in requests]
        if everything:
            outcomes += [_commit_dropped(store, file) for file in inbox_files(store)]
    return outcomes


def inbox_files(store: Store) -> list[InboxFile]:
    """Files dropped into the inbox by hand, by name. Links are left out: they may lead anywhere."""
    found = []
    for path in sorted(store.inbox.iterdir()):
        if path.name.startswith(".") or path.is_symlink() or not path.is_file():
            continue
        state = path.stat()
        modified = datetime.fromtimestamp(state.st_mtime, UTC).isoformat(timespec="seconds")
        found.append(InboxFile(path, path.name, state.st_size, modified))
    return found


def _commit(store: Store, folder: Path) -> QueuedOutcome:
    name = folder.name.removesuffix(_SUFFIX)
    files: tuple[str, ...] = ()
    try:
        request = _read(folder)
        files = tuple(request["files"])
        paths = [_inside(folder / str(number), file) for number, file in enumerate(files)]
        _count_attempt(folder)
        reports = _import(store, paths, _options(request["options"]))
    except InputError as error:
        return QueuedOutcome(name, files, (), str(error), _set_aside(store, folder, name, str(error)))
    shutil.rmtree(folder)
    return QueuedOutcome(name, files, tuple(reports))


def _commit_dropped(store: Store, file: InboxFile) -> QueuedOutcome:
    try:
        reports = _import(store, [file.path], ImportOptions())
    except InputError as error:
        kept = _set_aside(store, file.path, file.name, str(error))
        return QueuedOutcome(file.name, (file.name,), (), str(error), kept)
    kept = _move(file.path, store.inbox / "imported", file.name)
    return QueuedOutcome(file.name, (file.name,), tuple(reports), None, kept)


def _import(store: Store, paths: Sequence[Path], options: ImportOptions) -> list[BatchReport]:
    from data.importing import import_files  # noqa: PLC0415 - importing itself reads requests through this module

    reports: Sequence[BatchReport] = import_files(store, paths, options)
    return list(reports)


def _read(folder: Path) -> Mapping[str, Any]:
    try:
        text = (folder / _REQUEST).read_text(encoding="utf-8", errors="surrogateescape")
        request = json.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(f"the request in {folder.name} cannot be read; import the file again") from error
    right = (
        isinstance(request, dict)
        and isinstance(request.get("options"), dict)
        and isinstance(request.get("files"), list)
        and all(isinstance(file, str) for file in request["files"])
    )
    if not right:
        raise InputError(f"the request in {folder.name} is not one of this program; import the file again")
    return dict(request)


def _options(values: Mapping[str, Any]) -> ImportOptions:
    unknown = set(values) - {field.name for field in fields(ImportOptions)}
    if unknown:
        raise InputError(
            f"the request asks for {', '.join(sorted(unknown))}, which this version does not know; "
            "import the file again"
        )
    return ImportOptions(**values)


def _inside(folder: Path, name: str) -> Path:
    """The path of a request's file; a name that leads out of its folder is no name."""
    path = folder / name
    if Path(name).name != name or path.is_symlink() or not path.is_file():
        raise InputError(f"the request does not hold its file {name!r}; import the file again")
    return path


def _count_attempt(folder: Path) -> None:
    counter = folder / _ATTEMPTS
    begun = int(counter.read_text(encoding="ascii")) if counter.exists() else 0
    if begun >= _MOST_ATTEMPTS:
        raise InputError(f"this import stopped the program {begun} times; it is set aside")
    counter.write_text(str(begun + 1), encoding="ascii")


def _set_aside(store: Store, path: Path, name: str, message: str) -> Path:
    kept = _move(path, store.inbox / "failed", name)
    note = kept / "message.txt" if kept.is_dir() else kept.with_name(kept.name + ".message.txt")
    note.write_text(message + "\n", encoding="utf-8", errors="replace")
    return kept


def _move(path: Path, folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    target = folder / name
    number = 2
    while target.exists():
        target = folder / f"{number}-{name}"
        number += 1
    path.rename(target)
    return target


def _remove_abandoned(inbox: Path) -> None:
    """Remove what a process left that was killed while it built a request."""
    oldest = time.time() - _ABANDONED_SECONDS
    for path in inbox.glob(".*-*"):
        if path.is_dir() and not path.is_symlink() and path.stat().st_mtime < oldest:
            shutil.rmtree(path, ignore_errors=True)
