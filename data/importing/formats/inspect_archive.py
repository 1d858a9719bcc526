"""Members of an Inspect ``.eval`` archive, read one at a time and never written to disk.

A name inside the archive is only a key: it never becomes a path, so ``../`` in it means nothing. Sizes are
checked before and while a member is unpacked. Inspect writes Zstandard members (zip method 93) since April
2026, which the ``zipfile`` of Python 3.11 to 3.13 lists but cannot unpack; Arrow unpacks those.
"""

import struct
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa  # type: ignore[import-untyped]  # Arrow ships no type information

from data.errors import InputError

MEMBER_BYTES = 256 << 20
TOTAL_BYTES = 16 << 30
MEMBER_COUNT = 2_000_000
_ZSTANDARD = 93
_LOCAL_HEADER = struct.Struct("<4s5HIII2H")
_ENCRYPTED = 0x1


class Archive:
    """An open archive. Of members of one name the last counts: Inspect appends a sample it runs again."""

    def __init__(self, path: Path, name: str) -> None:
        """Open ``path``; ``name`` is for messages.

        Raises:
            InputError: the archive is cut off, damaged, or lists too many members.
        """
        self._name = name
        self._unpacked = 0
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise self._damaged("its directory cannot be read") from error
        members = self._zip.infolist()
        if len(members) > MEMBER_COUNT:
            self._zip.close()
            raise InputError(
                f"{name}: the archive lists {len(members):,} members, over {MEMBER_COUNT:,}; split the log"
            )
        self._members = {member.filename: member for member in members}
        self._file = path.open("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        self._zip.close()

    @property
    def names(self) -> tuple[str, ...]:
        """Every member's name once, in the order of the directory."""
        return tuple(self._members)

    def __contains__(self, member: str) -> bool:
        return member in self._members

    def read(self, member: str) -> bytes:
        """Unpack one member into memory.

        Raises:
            InputError: it is damaged, encrypted, packed in an unknown way, or larger than ``MEMBER_BYTES``;
            or the
                members read so far add up to more than ``TOTAL_BYTES``.
        """
        info = self._members[member]
        shown = member if len(member) <= 80 else member[:80] + "…"
        if max(info.file_size, info.compress_size) > MEMBER_BYTES:
            raise InputError(
                f"{self._name}: member {shown!r} holds {info.file_size >> 20:,} MB, more than the "
                f"{MEMBER_BYTES >> 20} MB that are read at once; write the log with fewer events"
            )
        self._unpacked += info.file_size
        if self._unpacked > TOTAL_BYTES:
            message = f"{self._name}: the log unpacks to more than {TOTAL_BYTES >> 30} GB; split it"
            raise InputError(message)
        if info.flag_bits & _ENCRYPTED:
            raise InputError(f"{self._name}: member {shown!r} is encrypted; save the log without a password")
        try:
            if info.compress_type == _ZSTANDARD:
                return self._read_zstandard(info)
            with self._zip.open(info) as stream:
                return stream.read()
        except NotImplementedError as error:
            raise InputError(
                f"{self._name}: member {shown!r} is packed with method {info.compress_type}, which cannot be "
                "read; convert the log with `inspect log convert`"
            ) from error
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, pa.ArrowException) as error:
            raise self._damaged(f"member {shown!r} cannot be unpacked") from error

    def _read_zstandard(self, info: zipfile.ZipInfo) -> bytes:
        self._file.seek(info.header_offset)
        header = self._file.read(_LOCAL_HEADER.size)
        if len(header) < _LOCAL_HEADER.size:
            raise EOFError
        fields = _LOCAL_HEADER.unpack(header)
        if fields[0] != b"PK\x03\x04":
            raise zipfile.BadZipFile
        self._file.seek(fields[-2] + fields[-1], 1)
        packed = self._file.read(info.compress_size)
        if len(packed) < info.compress_size:
            raise EOFError
        if not packed:
            return b""
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            unpacked = bytes(stream.read(info.file_size + 1))
        if len(unpacked) != info.file_size or zlib.crc32(unpacked) != info.CRC:
            raise zipfile.BadZipFile
        return unpacked

    def _damaged(self, detail: str) -> InputError:
        return InputError(f"{self._name}: the log is cut off or damaged ({detail}); copy or export it again")
