"""A file before it is imported: what it is, what each column becomes, what would be loaded and what not."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import duckdb

from data.importing import recognise, staging
from data.importing.encoding import TITLES
from data.importing.formats.base import SpooledFile
from data.importing.formats.register import WIDE_TITLE
from data.importing.kinds.base import ReasonRow, Validated
from data.importing.mapping import ColumnUse, first_values
from data.importing.spool import Spool
from data.importing.staged import ImportOptions
from data.importing.wide import A_MODEL, model_columns

if TYPE_CHECKING:
    from data.store import Store

SHOWN_ROWS: Final = 20


@dataclass(frozen=True)
class Counts:
    """Records of a dry run; ``read`` = ``loaded`` + ``rejected`` + ``duplicate_rows``."""

    read: int
    loaded: int
    rejected: int
    duplicate_rows: int


@dataclass(frozen=True)
class Preview:
    """All that is known about one file before anything is stored.

    ``counts`` and ``reasons`` are of a dry run with the mapping shown, None and empty while a needed field
    has no source (``missing``). ``needs`` holds ``timezone`` when times have no zone. ``kinds`` are the kinds
    the columns allow. ``header`` and ``rows`` are the first rows as they stand in the file.
    """

    file: str
    sha256: str
    size_bytes: int
    kind: str
    kind_title: str
    kinds: tuple[str, ...]
    format: str
    format_title: str
    producer: str
    recognised_by: str
    encoding: str
    delimiter: str
    header_line: int | None
    columns: tuple[ColumnUse, ...]
    missing: tuple[str, ...]
    hints: tuple[str, ...]
    counts: Counts | None
    reasons: tuple[ReasonRow, ...]
    warnings: tuple[str, ...]
    needs: tuple[str, ...]
    header: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


def check_file(
    store: "Store", path: str | Path, options: ImportOptions, file_name: str | None = None
) -> Preview:
    """Recognise, map and validate one file; nothing is stored.

    ``file_name`` is the name to show where ``path`` is a temporary one. Of an archive of several files the
    first is shown, with a warning that says how many there are.

    Raises:
        InputError: the file cannot be read at all, or its kind is not plain.
    """
    with Spool(store.spool) as spool, store.scratch() as cursor:
        files = staging.files_of(spool, spool.add(Path(path), file_name), options)
        preview = _preview(cursor, files[0], options)
    if len(files) > 1:
        more = f"the archive holds {len(files)} files; this is the first, and each is imported by itself"
        return _with_warning(preview, more)
    return preview


def suggest_mapping(preview: Preview) -> dict[str, str]:
    """The field of every column that has one or may have one, for a form to start from."""
    found: dict[str, str] = {}
    for use in preview.columns:
        field = use.field or use.suggestion
        if field is not None and use.why != A_MODEL and field not in found:
            found[field] = use.header
    return found


def _preview(cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> Preview:
    reading = staging.read(cursor, file, options)
    checked: Validated | None = None
    if not reading.resolved.missing:
        checked = staging.validate(cursor, reading)
    source = reading.source
    warnings = staging.warnings(reading, checked) if checked else reading.resolved.warnings
    header_line = source.details.get("header_line")
    return Preview(
        file=file.name,
        sha256=file.sha256,
        size_bytes=file.size_bytes,
        kind=reading.kind.name,
        kind_title=reading.kind.title,
        kinds=recognise.candidates(reading.raw, options, reading.memory, file.name),
        format=reading.format,
        format_title=WIDE_TITLE if reading.is_wide else reading.found.format.title,
        producer=source.producer,
        recognised_by=reading.found.recognition.why,
        encoding=TITLES.get(file.encoding, ""),
        delimiter=source.details.get("delimiter", ""),
        header_line=int(header_line) if header_line else None,
        columns=_columns(reading, options),
        missing=reading.resolved.missing,
        hints=reading.resolved.hints,
        counts=None
        if checked is None
        else Counts(checked.read, checked.loaded, checked.rejected, checked.duplicate_rows),
        reasons=checked.reasons if checked else (),
        warnings=warnings,
        needs=("timezone",) if checked and checked.zoneless is not None else (),
        header=tuple(column.header for column in source.columns),
        rows=source.sample[:SHOWN_ROWS],
    )


def _columns(reading: staging.Reading, options: ImportOptions) -> tuple[ColumnUse, ...]:
    if not reading.is_wide:
        return reading.resolved.columns
    models = model_columns(reading.kind, reading.source, options)
    known = {use.header: use for use in reading.resolved.columns}
    uses = []
    for place, column in enumerate(reading.source.columns):
        if column in models:
            values = first_values(reading.source, place)
            uses.append(ColumnUse(column.header, "model", A_MODEL, None, values))
        else:
            uses.append(known[column.header])
    return tuple(uses)


def _with_warning(preview: Preview, text: str) -> Preview:
    return replace(preview, warnings=(text, *preview.warnings))
