"""One file from the spool to staged rows: recognise, read, make long, map, validate."""

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import duckdb

from data import mappings
from data.errors import InputError
from data.importing import archive, recognise, wide
from data.importing.formats.base import RawTable, SpooledFile
from data.importing.formats.register import WIDE
from data.importing.kinds.base import Kind, Validated
from data.importing.kinds.checking import NO_ZONE
from data.importing.kinds.register import kind_named
from data.importing.mapping import Memory, Resolved, resolve
from data.importing.recognise import Found
from data.importing.spool import Spool
from data.importing.staged import ImportOptions, Staged

_WIDE_KIND: Final = "evals"


@dataclass(frozen=True)
class Reading:
    """A file that was read and mapped, not yet validated. ``source`` is the table before it was made long."""

    file: SpooledFile
    found: Found
    kind: Kind
    raw: RawTable
    source: RawTable
    resolved: Resolved
    memory: Memory | None

    @property
    def format(self) -> str:
        """The word for the receipt."""
        return self.found.format.name if self.raw is self.source else WIDE

    @property
    def is_wide(self) -> bool:
        """Whether the table was made long."""
        return self.raw is not self.source


def files_of(spool: Spool, file: SpooledFile, options: ImportOptions) -> list[SpooledFile]:
    """The file itself, or the files of an archive that no format knows as its own."""
    if file.content != "zip" or recognise.recognise_format(file, options) is not None:
        return [file]
    members = archive.unpack(spool, file)
    for member in members:
        if member.content == "zip" and recognise.recognise_format(member, options) is None:
            raise InputError(f"{member.name}: an archive inside an archive is not opened; unpack it first")
    return members


def read(cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> Reading:
    """Recognise and read a file and give each field its source.

    Raises:
        InputError: the file cannot be read, or its kind is not plain.
    """
    with _damage_told(file):
        return _read(cursor, file, options)


def _read(cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> Reading:
    if options.kind is not None:
        kind_named(options.kind)
    found = recognise.recognise_format(file, options)
    if found is None:
        raise InputError(f"{file.name} is an archive of files; import it as a whole")
    source = found.format.read(cursor, file, options)
    memory = _memory(cursor, source, options)
    raw = source
    evals = kind_named(_WIDE_KIND)
    if options.format == WIDE:
        if options.kind not in (None, _WIDE_KIND):
            raise InputError(f"{file.name}: only eval results come in wide tables, not {options.kind}")
        raw = wide.unpivot(cursor, evals, source, _remembered(options, memory), file.name)
    elif options.format is None and options.kind in (None, _WIDE_KIND) and raw.kind is None:
        recalled = _remembered(options, memory)
        if wide.looks_wide(evals, source, recalled):
            raw = wide.unpivot(cursor, evals, source, recalled, file.name)
    kind = evals if raw is not source else recognise.recognise_kind(raw, options, memory, file.name)
    resolved = resolve(kind, raw, options, memory, file.name)
    return Reading(file, found, kind, raw, source, resolved, memory)


def _memory(cursor: duckdb.DuckDBPyConnection, raw: RawTable, options: ImportOptions) -> Memory | None:
    if options.mapping or raw.canonical:
        return None
    kept = mappings.remembered_mapping(cursor, [column.header for column in raw.columns], options.kind)
    if kept is None:
        return None
    kind, stored = kept
    return Memory.of(stored) if options.kind in (None, kind) else None


def _remembered(options: ImportOptions, memory: Memory | None) -> ImportOptions:
    if memory is None:
        return options
    return replace(options, mapping=memory.mapping, constants={**memory.constants, **options.constants})


def require_complete(reading: Reading) -> None:
    """Refuse a mapping that lacks a needed field.

    Raises:
        InputError: names what is missing and what could be it.
    """
    missing = reading.resolved.missing
    if not missing:
        return
    file, kind = reading.file.name, reading.kind
    hints = f" ({'; '.join(reading.resolved.hints)})" if reading.resolved.hints else ""
    field = missing[0].split(" or ", maxsplit=1)[0]
    raise InputError(
        f"{file}: no column for {', '.join(missing)} of {kind.title.lower()}{hints}; "
        f"name it with --map {field}=COLUMN, or give one value with --set {field}=VALUE"
    )


def validate(cursor: duckdb.DuckDBPyConnection, reading: Reading) -> Validated:
    """Cast and check the rows of a complete mapping."""
    try:
        with _damage_told(reading.file):
            return reading.kind.validate(cursor, reading.raw, reading.resolved.assignment)
    except duckdb.NotImplementedException as error:
        zone = reading.resolved.assignment.timezone
        if zone is None or "timezone" not in str(error).lower():
            raise
        raise InputError(
            f"there is no time zone {zone!r}; write UTC or a name such as Europe/Berlin"
        ) from error


@contextlib.contextmanager
def _damage_told(file: SpooledFile) -> Iterator[None]:
    """A Parquet file lists its rows in its last bytes; damage before them shows only when rows are read."""
    try:
        yield
    except duckdb.Error as error:
        # Damaged bytes stop DuckDB's reader in many ways, some without a class of their own.
        if file.content != "parquet" or isinstance(error, duckdb.OutOfMemoryException):
            raise
        raise InputError(f"{file.name}: the Parquet file is damaged; export it again") from error


def stage(cursor: duckdb.DuckDBPyConnection, reading: Reading) -> Staged:
    """The rows of one file, ready to commit.

    Raises:
        InputError: a needed field has no source, times have no zone, or no row can be loaded.
    """
    require_complete(reading)
    checked = validate(cursor, reading)
    file = reading.file
    if checked.zoneless is not None:
        where = next(row for row in checked.reasons if row.reason == NO_ZONE)
        raise InputError(
            f"{file.name}: {where.column} has times without a zone ({where.value!r} in record "
            f"{where.first_record}); say which one with --timezone, such as UTC or Europe/Berlin"
        )
    if checked.loaded == 0:
        raise InputError(_nothing_loaded(file.name, checked))
    return Staged(
        kind=reading.kind.name,
        format=reading.format,
        producer=reading.raw.producer or reading.found.recognition.producer,
        file=file.name,
        sha256=file.sha256,
        size_bytes=file.size_bytes,
        mapping=batch_mapping(reading),
        rows_table=checked.rows_table,
        rejects_table=checked.rejects_table,
        read=checked.read,
        loaded=checked.loaded,
        rejected=checked.rejected,
        duplicate_rows=checked.duplicate_rows,
        reasons={row.reason: row.rows for row in checked.reasons},
        warnings=warnings(reading, checked),
    )


def _nothing_loaded(name: str, checked: Validated) -> str:
    if not checked.reasons:
        return f"{name}: no rows to load"
    first = checked.reasons[0]
    value = f", {first.value[:40]!r} in record {first.first_record}" if first.value else ""
    return (
        f"{name}: none of {checked.read:,} rows can be loaded; {first.reason.lower()} in {first.rows:,}"
        f"{value} (expected {first.expected or 'a complete record'})"
    )


def warnings(reading: Reading, checked: Validated) -> tuple[str, ...]:
    """Everything to tell about a file, in the order it came up."""
    said = list(reading.resolved.warnings)
    if reading.is_wide:
        said.append(f"read as a wide table: {reading.raw.details['models']} models in columns")
    if reading.file.encoding == "cp1252":
        said.append("read as Windows-1252 text; if letters look wrong, save the file as UTF-8")
    return (*said, *reading.raw.warnings, *checked.warnings)


def batch_mapping(reading: Reading) -> Mapping[str, Any]:
    """All that decides, with the bytes, what is loaded."""
    assignment = reading.resolved.assignment
    chosen: dict[str, Any] = {
        "columns": dict(sorted(assignment.headers.items())),
        "constants": dict(sorted(assignment.constants.items())),
    }
    if assignment.timezone:
        chosen["timezone"] = assignment.timezone
    if assignment.scale:
        chosen["scale"] = list(assignment.scale)
    if assignment.ties:
        chosen["tie"] = list(assignment.ties)
    if reading.is_wide:
        chosen["layout"] = WIDE
    if reading.raw.settings:
        chosen["settings"] = dict(reading.raw.settings)
    return chosen


def remember(cursor: duckdb.DuckDBPyConnection, reading: Reading, options: ImportOptions) -> None:
    """Keep what the person said for the next file with these columns; saying nothing keeps what was known."""
    if reading.raw.canonical or not (options.mapping or options.constants or options.timezone):
        return
    kept = Memory(options.mapping, options.constants, options.timezone)
    if not options.mapping and reading.memory is not None:
        kept = Memory(
            reading.memory.mapping,
            {**reading.memory.constants, **options.constants},
            options.timezone or reading.memory.timezone,
        )
    header = [column.header for column in reading.source.columns]
    mappings.remember_mapping(cursor, header, reading.kind.name, kept.stored())
