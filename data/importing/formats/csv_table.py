"""Tables of text: comma, semicolon, tab or pipe between the cells; DuckDB reads, the dialect is judged here.

The fast way lets DuckDB's reader run over the file once. Where it sets records aside, finds line ends of
several kinds or meets a line of enormous length, :mod:`data.importing.formats.csv_careful` reads the file
again: DuckDB counts such records roughly, and drops a line of some hundred megabytes without a word.
"""

from pathlib import Path
from typing import Final

import duckdb

from data.errors import InputError
from data.importing.formats import csv_careful, dialect
from data.importing.formats.base import RawColumn, RawTable, Recognition, SpooledFile
from data.importing.limits import MAX_COLUMNS, MAX_RECORD_BYTES
from data.importing.spool import LINE_GRAIN_BYTES
from data.importing.sql import fresh_name, literal
from data.importing.staged import ImportOptions


class CsvTable:
    """Comma, semicolon, tab or pipe separated text with one header line."""

    name: Final = "csv"
    title: Final = "Table (CSV, TSV)"

    def recognise(self, file: SpooledFile) -> Recognition | None:
        """Any text that does not start like JSON."""
        if file.content != "text":
            return None
        found = dialect.sniff(file.head, whole=file.whole)
        return Recognition((), certain=False, why=f"{dialect.TITLES[found.delimiter]} separated text")

    def read(self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> RawTable:
        """A view over the file; it is scanned when the kind validates it.

        Raises:
            InputError: no rows below the header, too many columns, or a header that is no header.
        """
        del options
        found = dialect.sniff(file.head, whole=file.whole)
        _check_header(file, found)
        # DuckDB counts skipped lines by one kind of line end only.
        if found.skip or has_long_line(file):
            return self._careful(cursor, file, found)
        rejects = fresh_name("parser_rejects")
        view = create_view(cursor, file.path, found, rejects)
        return RawTable(
            table=view,
            columns=_columns(found),
            details=_details(file, found),
            numbered=False,
            parser_rejects=rejects,
            careful=lambda: self._careful(cursor, file, found),
            sample=_sample(found),
            decimal_comma=found.decimal_comma,
            blanks=file.blanks,
        )

    def _careful(
        self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, found: dialect.Dialect
    ) -> RawTable:
        clean = file.path.with_name(file.path.name + ".clean")
        refused = csv_careful.rewrite(file.path, clean, found, file.name)
        plain = dialect.plain(found)
        rejects = fresh_name("parser_rejects")
        return RawTable(
            table=create_view(cursor, clean, plain, rejects),
            columns=_columns(found),
            refused=refused,
            details=_details(file, found),
            numbered=False,
            parser_rejects=rejects,
            sample=_sample(found),
            decimal_comma=found.decimal_comma,
            blanks=file.blanks,
        )


def create_view(cursor: duckdb.DuckDBPyConnection, path: Path, found: dialect.Dialect, rejects: str) -> str:
    """A temporary view with columns c0, c1, ... that reads ``path`` as text, record by record."""
    names = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(found.columns))
    view = fresh_name("csv")
    cursor.execute(
        f"CREATE TEMP VIEW {view} AS SELECT * FROM read_csv({literal(path)}, auto_detect = false, "
        f"header = true, columns = {{{names}}}, delim = {literal(found.delimiter)}, "
        f"quote = {literal(found.quote)}, "
        f"escape = {literal(found.escape)}, skip = {found.skip}, compression = 'none', "
        f"max_line_size = {MAX_RECORD_BYTES}, store_rejects = true, rejects_limit = 0, "
        f"rejects_table = {literal(rejects)}, rejects_scan = {literal(rejects + '_scan')})"
    )
    return view


def has_long_line(file: SpooledFile) -> bool:
    """Whether some stretch without a line end may be longer than the longest record."""
    return file.longest_line_bytes > MAX_RECORD_BYTES - LINE_GRAIN_BYTES


def _check_header(file: SpooledFile, found: dialect.Dialect) -> None:
    if not file.whole and not {10, 13} & set(file.head):
        raise InputError(f"{file.name}: the first line is longer than 1 MB, so it is no header of a table")
    if not any(cell.strip() for cell in found.header):
        raise InputError(f"{file.name}: the header line is empty; the first line must name the columns")
    if found.columns > MAX_COLUMNS:
        raise InputError(
            f"{file.name}: {found.columns:,} columns are more than the {MAX_COLUMNS:,} that are read; "
            "keep the columns that matter"
        )
    if not found.sample and file.whole:
        raise InputError(f"{file.name} has only a header and no data rows")


def _columns(found: dialect.Dialect) -> tuple[RawColumn, ...]:
    return tuple(RawColumn(f"c{place}", header.strip()) for place, header in enumerate(found.header))


def _sample(found: dialect.Dialect) -> tuple[tuple[str | None, ...], ...]:
    return tuple(
        tuple((row[place] or None) if place < len(row) else None for place in range(found.columns))
        for row in found.sample
    )


def _details(file: SpooledFile, found: dialect.Dialect) -> dict[str, str]:
    return {
        "encoding": file.encoding,
        "delimiter": dialect.TITLES[found.delimiter],
        "header_line": str(found.skip + 1),
    }
