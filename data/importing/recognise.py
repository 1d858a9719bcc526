"""What a file is: its format by its content, its kind by its columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from data.errors import InputError
from data.importing import mapping
from data.importing.formats.base import Format, RawTable, Recognition, SpooledFile
from data.importing.formats.register import FORMATS, WIDE, format_named
from data.importing.kinds.base import Kind
from data.importing.kinds.register import KINDS, PLANNED, kind_named
from data.importing.mapping import Memory
from data.importing.staged import ImportOptions

_PICTURES: Final = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF document",
    b"\xd0\xcf\x11\xe0": "an old Excel or Word file",
    b"SQLite": "a SQLite database",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"BZh": "bzip2 data",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\xfd7zXZ": "xz data",
}


@dataclass(frozen=True)
class Found:
    """The format that was chosen, and the claims of all."""

    format: Format
    recognition: Recognition
    candidates: tuple[str, ...]


def recognise_format(file: SpooledFile, options: ImportOptions) -> Found | None:
    """The format of a file, None for an archive that is none itself and may hold files.

    Raises:
        InputError: no format, or several with equal claims.
    """
    asked = options.format
    if asked is not None and asked != WIDE:
        one = format_named(asked)
        claim = one.recognise(file)
        if claim is None and file.content == "zip":
            return None
        if claim is None:
            raise InputError(f"{file.name} does not look like {one.title} ({asked}); leave --format out")
        return Found(one, claim, (one.name,))
    claims = [(one, claim) for one in FORMATS if (claim := one.recognise(file)) is not None]
    certain = [pair for pair in claims if pair[1].certain]
    if len(certain) > 1:
        names = ", ".join(one.name for one, _ in certain)
        raise InputError(f"{file.name} could be {names}; choose one with --format")
    if claims:
        one, claim = (certain or claims)[0]
        return Found(one, claim, tuple(pair[0].name for pair in claims))
    if file.content == "zip":
        return None
    raise InputError(_not_read(file))


def _not_read(file: SpooledFile) -> str:
    what = next((title for mark, title in _PICTURES.items() if file.head.startswith(mark)), "binary data")
    return f"{file.name} is {what}, not a table; export it as CSV, JSON, JSON lines or Parquet"


def recognise_kind(raw: RawTable, options: ImportOptions, memory: Memory | None, file: str) -> Kind:
    """The one kind whose needed fields the columns give.

    Raises:
        InputError: none, or several; the message lists them.
    """
    if options.kind is not None:
        return kind_named(options.kind)
    if raw.kind is not None:
        return kind_named(raw.kind)
    lacking: dict[str, tuple[str, ...]] = {}
    fitting: list[Kind] = []
    for kind in KINDS:
        lacks = _lacks(kind, raw, options, memory, file)
        if lacks is None:
            continue
        lacking[kind.name] = lacks
        if not lacks:
            fitting.append(kind)
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise InputError(f"{file} could be {_listed(fitting)}; choose one with --kind")
    headers = {mapping.normalised(column.header) for column in raw.columns}
    for name, (title, marks) in PLANNED.items():
        if marks <= headers:
            raise InputError(
                f"{file} looks like {title.lower()} ({name}), which this version does not read yet"
            )
    tried = "; ".join(
        f"for {kind.title.lower()} (--kind {kind.name}) it lacks {', '.join(lacking[kind.name])}"
        for kind in KINDS
        if kind.name in lacking
    )
    raise InputError(
        f"{file} is not recognised by its columns: {tried or 'no kind has the fields that were named'}"
    )


def candidates(raw: RawTable, options: ImportOptions, memory: Memory | None, file: str) -> tuple[str, ...]:
    """The kinds whose needed fields the columns give, whatever was asked."""
    found = [kind.name for kind in KINDS if _lacks(kind, raw, options, memory, file) == ()]
    return tuple(found)


def _lacks(
    kind: Kind, raw: RawTable, options: ImportOptions, memory: Memory | None, file: str
) -> tuple[str, ...] | None:
    """What is missing for a kind; None when other headers, or the fields the person named, rule it out."""
    fields = {one.name for one in kind.fields if not one.native_only} | {"scale", "tie"}
    if not (set(options.mapping) | set(options.constants)) <= fields:
        return None
    if memory is not None and not (set(memory.mapping) | set(memory.constants)) <= fields:
        memory = None
    resolved = mapping.resolve(kind, raw, replace(options, kind=None), memory, file)
    headers = frozenset(mapping.normalised(column.header) for column in raw.columns)
    return None if kind.foreign(headers) and not resolved.missing else resolved.missing


def _listed(kinds: Sequence[Kind]) -> str:
    return ", ".join(f"{kind.title.lower()} ({kind.name})" for kind in kinds)
