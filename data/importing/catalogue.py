"""What can be imported, for forms, documents and templates."""

import csv
import io
from dataclasses import dataclass

from data.importing.formats.register import FORMATS, WIDE, WIDE_TITLE
from data.importing.kinds.register import KINDS, PLANNED, kind_named


@dataclass(frozen=True)
class KindInfo:
    """A kind of data: the word for ``--kind``, its title, and whether this version reads it."""

    name: str
    title: str
    supported: bool


@dataclass(frozen=True)
class FormatInfo:
    """A file format: the word for ``--format`` and its title."""

    name: str
    title: str


@dataclass(frozen=True)
class FieldInfo:
    """A canonical field as people see it. ``needed`` is "yes", "no", or what it can stand in for."""

    name: str
    title: str
    needed: str
    meaning: str
    example: str


def kinds() -> tuple[KindInfo, ...]:
    """All kinds, those that can be read first."""
    known = tuple(KindInfo(kind.name, kind.title, supported=True) for kind in KINDS)
    planned = tuple(KindInfo(name, title, supported=False) for name, (title, _) in PLANNED.items())
    return known + planned


def formats() -> tuple[FormatInfo, ...]:
    """All file formats and layouts."""
    return (*(FormatInfo(one.name, one.title) for one in FORMATS), FormatInfo(WIDE, WIDE_TITLE))


def canonical_fields(kind: str) -> tuple[FieldInfo, ...]:
    """The fields of a kind that a column can become, needed ones first.

    Raises:
        InputError: no such kind, or one that cannot be read yet.
    """
    found = [
        FieldInfo(one.name, one.title, one.needed, one.meaning, one.example)
        for one in kind_named(kind).fields
        if not one.native_only
    ]
    return tuple(sorted(found, key=lambda one: one.needed == "no"))


def template(kind: str) -> bytes:
    """A CSV file with the header of a kind and one example row, which imports as it is.

    Raises:
        InputError: no such kind, or one that cannot be read yet.
    """
    fields = canonical_fields(kind)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(one.name for one in fields)
    writer.writerow(one.example for one in fields)
    return out.getvalue().encode("utf-8")
