"""Bringing files into the spool: private copies under random names, unpacked, in UTF-8, gone afterwards."""

import codecs
import errno
import gzip
import hashlib
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

from data.errors import InputError
from data.importing import encoding
from data.importing.formats.base import BLANKS, HEAD_BYTES, Content, SpooledFile
from data.importing.limits import MAX_SMALL_UNPACKED, MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO


class SupportsRead(Protocol):
    """What an open archive member can do."""

    def read(self, size: int = -1, /) -> bytes:
        """At most ``size`` bytes; none at the end."""
        ...


_CHUNK = 4 << 20
LINE_GRAIN_BYTES = 1 << 20
"""``longest_line_bytes`` falls short of the longest line by at most this."""
_SOUGHT = (b" ", b"\t", b"\r", b"\xa0", b'"', b"'", b"\\")
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_PARQUET = b"PAR1"


@dataclass
class Spool:
    """The files of one import in ``folder``; leaving the context removes them."""

    folder: Path
    _files: list[Path] = field(default_factory=list)

    def __enter__(self) -> Self:
        """Start with nothing in the spool."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove what was brought in."""
        for path in self._files:
            # A reader may leave a rewritten copy beside a file, under the same random name.
            for left in (*path.parent.glob(path.name + "*"),):
                left.unlink(missing_ok=True)

    def fresh(self) -> Path:
        """A path nobody uses, which is removed in the end."""
        path = self.folder / secrets.token_hex(16)
        self._files.append(path)
        return path

    def add(self, source: Path, name: str | None = None) -> SpooledFile:
        """Bring in one file.

        Raises:
            InputError: the file is missing, unreadable, empty or damaged, or the disk is full.
        """
        shown = shown_name(name or source.name)
        if not source.exists():
            raise InputError(f"{shown}: there is no such file")
        if not source.is_file():
            raise InputError(f"{shown}: this is not a file; name the files themselves")
        before = source.stat()
        path = self.fresh()
        try:
            _link_or_copy(source, path)
            sha256 = _hash(path)
            spooled = self.prepare(path, shown, sha256, before.st_size)
        except OSError as error:
            raise InputError(trouble(shown, error)) from error
        after = source.stat()
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise InputError(
                f"{shown}: the file changed while it was read; import it again when it is complete"
            )
        return spooled

    def prepare(self, path: Path, name: str, sha256: str, size: int, *, packed: bool = False) -> SpooledFile:
        """Unpack and decode a file that lies in the spool already. ``packed``: it came out of an archive."""
        head = _head(path)
        if not head:
            raise InputError(f"{name} is empty: it has no bytes at all")
        if head.startswith(_GZIP):
            if packed:
                raise InputError(f"{name}: an archive inside an archive is not opened; unpack it first")
            return self.prepare(self._gunzip(path, name), name, sha256, size, packed=True)
        if head.startswith(_ZIP):
            return _described(path, name, (sha256, size), "zip")
        if head.startswith(_PARQUET):
            return _described(path, name, (sha256, size), "parquet")
        return self._text(path, name, sha256, size, head)

    def _gunzip(self, path: Path, name: str) -> Path:
        unpacked = self.fresh()
        try:
            with gzip.open(path, "rb") as source, unpacked.open("wb") as target:
                copy_limited(source, target, packed_bytes=path.stat().st_size, name=name)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                f"{name}: the gzip data is damaged or cut off; download or pack it again"
            ) from error
        return unpacked

    def _text(self, path: Path, name: str, sha256: str, size: int, head: bytes) -> SpooledFile:
        mark = encoding.marked(head)
        wide = None if mark else encoding.unmarked_wide(head)
        if mark or wide:
            found, skip = mark or (wide or "", 0)
        else:
            if encoding.looks_binary(head):
                return _described(path, name, (sha256, size), "binary")
            found, skip = "utf-8", 0
        facts = None if skip or found != "utf-8" else _look_through(path)
        if facts is not None and not facts.utf8:
            found = "utf-8" if _mixed(path) else "cp1252"
        if found != "utf-8" or skip:
            path = self._decoded(path, found, skip, name)
            facts = None
        facts = facts or _look_through(path)
        if facts.nul:
            raise InputError(
                f"{name}: the text holds NUL bytes, so it is damaged or not text; export it again"
            )
        head = _head(path)
        start = head.lstrip()[:1]
        if not start:
            raise InputError(f"{name} is empty: it has blank lines only")
        content: Content = "json" if start in b"{[" else "text"
        described = _described(path, name, (sha256, size), content, found)
        return replace(described, blanks=facts.blanks, longest_line_bytes=facts.longest_line_bytes)

    def _decoded(self, path: Path, found: str, skip: int, name: str) -> Path:
        target = self.fresh()
        try:
            with path.open("rb") as source, target.open("wb") as out:
                source.seek(skip)
                for piece in encoding.to_utf8(_chunks(source), found):
                    out.write(piece)
        except UnicodeError as error:
            title = encoding.TITLES[found]
            raise InputError(
                f"{name}: the file starts as {title} and is damaged later; save it as UTF-8"
            ) from error
        return target


def shown_name(name: str) -> str:
    """The last part of a path as it may stand in a one-line message: no folders, nothing unprintable."""
    last = name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return "".join(sign if sign.isprintable() else "?" for sign in last)[:200] or "file"


def copy_limited(source: SupportsRead, target: IO[bytes], *, packed_bytes: int, name: str) -> int:
    """Unpack ``source`` into ``target`` and stop when it grows beyond all reason; gives the bytes written."""
    total = 0
    while chunk := source.read(_CHUNK):
        total += len(chunk)
        blown = total > MAX_SMALL_UNPACKED and total > MAX_UNPACKED_RATIO * max(packed_bytes, 1)
        if blown or total > MAX_UNPACKED_BYTES:
            raise InputError(
                f"{name}: unpacks to far more than its size suggests and was stopped; unpack it first"
            )
        target.write(chunk)
    return total


def _link_or_copy(source: Path, target: Path) -> None:
    try:
        os.link(source.resolve(), target)
    except OSError as error:
        if error.errno not in (
            errno.EXDEV,
            errno.EPERM,
            errno.EACCES,
            errno.EMLINK,
            errno.ENOTSUP,
            errno.ENOSYS,
        ):
            raise
        shutil.copyfile(source, target)


def _chunks(source: IO[bytes]) -> Iterator[bytes]:
    while chunk := source.read(_CHUNK):
        yield chunk


def _hash(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _head(path: Path) -> bytes:
    with path.open("rb") as source:
        return source.read(HEAD_BYTES)


@dataclass(frozen=True)
class _Facts:
    """What one pass over the bytes of a text tells; ``SpooledFile`` describes the last two."""

    utf8: bool
    nul: bool
    blanks: str
    longest_line_bytes: int


def _look_through(path: Path) -> _Facts:
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    utf8, nul, run, longest = True, False, 0, 0
    sought, held = set(_SOUGHT), set[bytes]()
    buffer = bytearray(LINE_GRAIN_BYTES)
    with path.open("rb", buffering=0) as source:
        while count := source.readinto(buffer):
            chunk = buffer if count == len(buffer) else buffer[:count]
            last = max(chunk.rfind(b"\n"), chunk.rfind(b"\r"))
            run = run + count if last < 0 else count - last - 1
            longest = max(longest, run)
            nul = nul or b"\0" in chunk
            held |= {sign for sign in sought if sign in chunk}
            sought -= held
            # Plain ASCII, the most of most files, needs no decoding unless a letter was cut in two before it.
            if utf8 and not (chunk.isascii() and not decoder.getstate()[0]):
                utf8 = _decodes(decoder, chunk)
    return _Facts(utf8 and _decodes(decoder, b"", final=True), nul, _blanks(held), longest)


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes | bytearray, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _blanks(held: set[bytes]) -> str:
    """The blanks a cell can hold: line ends only in quotes, or where there are several kinds of them."""
    found = {"\u00a0"} if b"\xa0" in held else set()
    found |= {sign for sign in " \t\r" if sign.encode() in held}
    if held & {b"\r", b'"', b"'", b"\\"}:
        found.add("\n")
    return "".join(sign for sign in BLANKS if sign in found)


def _mixed(path: Path) -> bool:
    """Whether a file that is not all UTF-8 is UTF-8 in part."""
    with path.open("rb") as source:
        return encoding.mixes_utf8(iter(lambda: source.readline(_CHUNK), b""))


def _described(
    path: Path, name: str, origin: tuple[str, int], content: Content, found: str = ""
) -> SpooledFile:
    sha256, size = origin
    return SpooledFile(
        path=path,
        name=name,
        sha256=sha256,
        size_bytes=size,
        content=content,
        encoding=found,
        head=_head(path),
        whole=path.stat().st_size <= HEAD_BYTES,
    )


def trouble(name: str, error: OSError) -> str:
    """What to say when the system does not give or take bytes."""
    if error.errno == errno.ENOSPC:
        return f"{name}: the disk is full; free some space and import again, nothing was stored"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{name}: the file may not be read; change its permissions"
    return f"{name}: the file cannot be read ({error.strerror or 'unknown trouble'})"
