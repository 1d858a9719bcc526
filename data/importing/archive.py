"""Zip archives of several files: each becomes a file of its own; tricks and bombs are refused."""

import errno
import hashlib
import struct
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import Final

from data.errors import InputError
from data.importing.formats.base import SpooledFile
from data.importing.limits import MAX_ARCHIVE_MEMBERS
from data.importing.spool import Spool, copy_limited, shown_name, trouble

_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    struct.error,
    UnicodeDecodeError,
)
_ENCRYPTED: Final = 0x1


def unpack(spool: Spool, archive: SpooledFile) -> list[SpooledFile]:
    """The files of a zip archive in the order of their names.

    Raises:
        InputError: damaged, encrypted, empty, too many or too large members, or one that points outside.
    """
    try:
        with zipfile.ZipFile(archive.path) as opened:
            members = _members(opened, archive.name)
            return [_extract(spool, opened, member, archive.name) for member in members]
    except OSError as error:
        if error.errno != errno.EINVAL:  # a position outside the file; all else is trouble with the disk
            raise InputError(trouble(archive.name, error)) from error
        raise InputError(f"{archive.name}: the zip archive is damaged or cut off; pack it again") from error
    except _DAMAGE as error:
        raise InputError(f"{archive.name}: the zip archive is damaged or cut off; pack it again") from error


def _members(opened: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    members = []
    for member in opened.infolist():
        path = PurePosixPath(member.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in member.filename[:3]:
            raise InputError(f"{name}: holds a path that points outside the archive; pack it again")
        if member.is_dir() or path.parts[0] == "__MACOSX" or path.name.startswith("."):
            continue
        if member.flag_bits & _ENCRYPTED:
            raise InputError(f"{name}: the archive is encrypted; unpack it and import the files")
        members.append(member)
    if not members:
        raise InputError(f"{name}: the archive holds no files")
    if len(members) > MAX_ARCHIVE_MEMBERS:
        raise InputError(
            f"{name}: {len(members):,} files are more than the {MAX_ARCHIVE_MEMBERS:,} that are read"
        )
    return sorted(members, key=lambda member: member.filename)


def _extract(spool: Spool, opened: zipfile.ZipFile, member: zipfile.ZipInfo, archive: str) -> SpooledFile:
    name = f"{archive}/{shown_name(member.filename)}"
    path = spool.fresh()
    with opened.open(member) as source, path.open("wb") as target:
        copy_limited(source, target, packed_bytes=member.compress_size, name=name)
    with path.open("rb") as source:
        sha256 = hashlib.file_digest(source, "sha256").hexdigest()
    return spool.prepare(path, name, sha256, member.file_size, packed=False)
