"""Inspect AI evaluation logs: ``.json`` documents and ``.eval`` archives (docs/formats-inspect.md)."""

import zipfile
from collections.abc import Mapping, Sequence

import duckdb
import pyarrow as pa  # type: ignore[import-untyped]  # Arrow ships no type information

from data.errors import InputError
from data.importing.formats.base import RawColumn, RawTable, Recognition, Refused, SpooledFile
from data.importing.formats.inspect_archive import Archive
from data.importing.formats.inspect_document import leading_members, parse
from data.importing.formats.inspect_log import (
    HEADER,
    START,
    Log,
    is_log_archive,
    looks_like_header,
    read_archive,
    read_document,
)
from data.importing.formats.inspect_published import COLUMNS as PUBLISHED_COLUMNS
from data.importing.formats.inspect_published import published_rows
from data.importing.formats.inspect_report import no_samples, published_warnings, warnings_of
from data.importing.formats.inspect_rows import LogRows, log_rows
from data.importing.formats.inspect_text import clean
from data.importing.sql import fresh_name, identifier
from data.importing.staged import ImportOptions

SAMPLE_ROWS = 20


class InspectFormat:
    """Logs of inspect_ai, recognised by their content."""

    @property
    def name(self) -> str:
        """The word for ``--format``."""
        return "inspect"

    @property
    def title(self) -> str:
        """What people call it."""
        return "Inspect log"

    def recognise(self, file: SpooledFile) -> Recognition | None:
        """An object with an ``eval`` block that names a task and a model, or an archive of such."""
        header = _leading_header(file)
        if header is None:
            return None
        spec = header.get("eval", {})
        packages = spec.get("packages") if isinstance(spec, dict) else None
        version = clean(packages.get("inspect_ai") or "") if isinstance(packages, dict) else ""
        return Recognition(
            kinds=("evals", "scores"),
            certain=True,
            why="the eval block of an Inspect log",
            producer=_producer(version),
        )

    def read(self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> RawTable:
        """Read all samples into a temporary table of ``cursor``.

        A log without samples, or asked for as ``scores``, gives the means of its results block as published
        scores.

        Raises:
            InputError: the log is damaged, holds neither samples nor means, or no sample has a mapped path.
        """
        paths = tuple(
            dict.fromkeys(path for path in options.mapping.values() if path.startswith("metadata."))
        )
        if options.kind not in (None, "evals", "scores"):
            raise InputError(f"{file.name}: an Inspect log holds eval results (evals), not {options.kind}")
        read = read_archive if file.content == "zip" else read_document
        log = read(file.path, file.name, paths)
        if options.kind == "scores" or (options.kind is None and not log.samples):
            return _published(cursor, log, file.name)
        if not log.samples:
            raise InputError(no_samples(log, file.name))
        _check_paths(log, paths, file.name)
        rows = log_rows(log, options.mapping, options.metric, scaled="scale" in options.constants)
        if options.metric is not None and options.metric not in rows.metrics:
            known = ", ".join(rows.metrics) or "none"
            raise InputError(f"{file.name}: no metric {options.metric!r}; this log has {known}")
        first_refused = len(rows.rows) + 1
        return RawTable(
            table=_store_rows(cursor, rows.columns, rows.rows),
            columns=tuple(RawColumn(column, column) for column in rows.columns),
            kind="evals",
            producer=_producer(log.version),
            canonical=True,
            refused=tuple(
                Refused(first_refused + index, "sample without an id", "an object with an id", "")
                for index in range(log.unreadable)
            ),
            warnings=warnings_of(log, rows),
            settings={} if rows.headline is None else {"headline": rows.headline},
            details=_details(log, rows),
            sample=rows.rows[:SAMPLE_ROWS],
        )


def _producer(version: str) -> str:
    return f"inspect_ai {version}" if version else "inspect_ai"


def _leading_header(file: SpooledFile) -> Mapping[str, object] | None:
    if file.content == "json":
        found = leading_members(file.head, "samples")
        return found if looks_like_header(found) else None
    if file.content != "zip":
        return None
    try:
        with Archive(file.path, file.name) as archive:
            if not is_log_archive(archive.names):
                return None
            member = HEADER if HEADER in archive else START
            header = parse(archive.read(member), file.name, member)
    except InputError:
        # A damaged archive that begins like a log is claimed, so that reading it can say what is wrong.
        return {} if START.encode() in file.head[:200] or _lists_log(file) else None
    return header if isinstance(header, dict) and looks_like_header(header) else None


def _lists_log(file: SpooledFile) -> bool:
    try:
        with zipfile.ZipFile(file.path) as archive:
            return is_log_archive(archive.namelist())
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def _check_paths(log: Log, paths: tuple[str, ...], name: str) -> None:
    for path in paths:
        if not any(path in sample.extra for sample in log.samples):
            keys = sorted({key for sample in log.samples[:200] for key in sample.metadata})[:20]
            known = ", ".join(f"metadata.{key}" for key in keys) or "no metadata"
            raise InputError(f"{name}: no sample has {path!r}; the samples hold {known}")


def _published(cursor: duckdb.DuckDBPyConnection, log: Log, name: str) -> RawTable:
    rows = published_rows(log)
    if not rows:
        raise InputError(no_samples(log, name))
    return RawTable(
        table=_store_rows(cursor, PUBLISHED_COLUMNS, rows),
        columns=tuple(RawColumn(column, column) for column in PUBLISHED_COLUMNS),
        kind="scores",
        producer=_producer(log.version),
        canonical=True,
        warnings=published_warnings(log),
        details={"Status": log.status, "Samples": f"{len(log.samples):,}"},
        sample=rows[:SAMPLE_ROWS],
    )


def _store_rows(
    cursor: duckdb.DuckDBPyConnection, names: Sequence[str], rows: Sequence[Sequence[str | None]]
) -> str:
    table, view = fresh_name("inspect"), fresh_name("inspect_rows")
    columns = {name: pa.array([row[place] for row in rows], pa.string()) for place, name in enumerate(names)}
    columns["record_number"] = pa.array(range(1, len(rows) + 1), pa.int64())
    cursor.register(view, pa.table(columns))
    try:
        cursor.execute(f"CREATE TEMP TABLE {identifier(table)} AS SELECT * FROM {identifier(view)}")
    finally:
        cursor.unregister(view)
    return table


def _details(log: Log, rows: LogRows) -> dict[str, str]:
    return {
        "Status": log.status,
        "Samples": f"{len(log.samples):,}",
        "Metrics": ", ".join(rows.metrics),
        "Headline metric": rows.headline or "none",
        "Settings": rows.settings,
    }
