"""JSON lines: one object a line. A line that is no object is set aside with its number."""

import json
from typing import Final

import duckdb

from data.errors import InputError
from data.importing.formats import json_parts
from data.importing.formats.base import RawTable, Recognition, Refused, SpooledFile
from data.importing.formats.csv_table import longest_line_above
from data.importing.limits import MAX_RAW, MAX_RECORD_BYTES, MAX_REFUSED
from data.importing.sql import fresh_name, literal
from data.importing.staged import ImportOptions

NOT_OBJECT: Final = "Not a JSON object"
_EXPECTED: Final = "one JSON object a line"


class JsonLines:
    """One JSON object a line."""

    name: Final = "jsonl"
    title: Final = "JSON lines"

    def recognise(self, file: SpooledFile) -> Recognition | None:
        """The first line is a whole JSON object, and something follows it."""
        if file.content != "json" or not file.head.lstrip().startswith(b"{"):
            return None
        lines = [line for line in file.head.splitlines()[:50] if line.strip()]
        if len(lines) < 2 or not _is_object(lines[0]):
            return None
        return Recognition((), certain=False, why="one JSON object a line")

    def read(self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> RawTable:
        """All lines that hold an object.

        Raises:
            InputError: no line holds one, a line is too long, or hardly any can be read.
        """
        del options
        if longest_line_above(file.path, MAX_RECORD_BYTES):
            raise InputError(f"{file.name}: a line is longer than 16 MB; split it into records first")
        lines = fresh_name("lines")
        # A separator that valid JSON cannot hold makes DuckDB's reader give whole lines.
        cursor.execute(
            f"CREATE TEMP TABLE {lines} AS SELECT line FROM read_csv({literal(file.path)}, "
            "auto_detect = false, header = false, columns = {'line': 'VARCHAR'}, delim = chr(1), "
            f"quote = '', escape = '', compression = 'none', max_line_size = {MAX_RECORD_BYTES}, "
            "strict_mode = false, null_padding = true)"
        )
        records = fresh_name("records")
        cursor.execute(
            f"CREATE TEMP TABLE {records} AS SELECT row_number() OVER (ORDER BY place) AS record_number, "
            "CASE WHEN json_valid(line) AND json_type(line) = 'OBJECT' THEN line END AS record, line FROM "
            f"(SELECT rowid AS place, line FROM {lines} WHERE trim(line, ' ' || chr(9) || chr(13)) <> '')"
        )
        cursor.execute(f"DROP TABLE {lines}")
        refused = _refused(cursor, records, file.name)
        columns = json_parts.columns_of(
            cursor, f"(SELECT * FROM {records} WHERE record IS NOT NULL)", file.name
        )
        table = json_parts.table_of(cursor, f"(SELECT * FROM {records} WHERE record IS NOT NULL)", columns)
        return RawTable(
            table=table,
            columns=columns,
            refused=refused,
            details={"encoding": file.encoding},
            sample=json_parts.sample_of(cursor, table),
        )


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _refused(cursor: duckdb.DuckDBPyConnection, records: str, name: str) -> tuple[Refused, ...]:
    counts = cursor.execute(
        f"SELECT count(*), count(record), min(record_number) FILTER (record IS NULL) FROM {records}"
    ).fetchone()
    lines, good, first = counts or (0, 0, None)
    if not good:
        raise InputError(f"{name}: no line holds a JSON object")
    if lines - good > MAX_REFUSED:
        raise InputError(
            f"{name}: {lines - good:,} of {lines:,} lines are no JSON objects, the first is {first}"
        )
    found = cursor.execute(
        f"SELECT record_number, left(line, {MAX_RAW}) FROM {records} WHERE record IS NULL "
        "ORDER BY record_number"
    ).fetchall()
    return tuple(Refused(int(number), NOT_OBJECT, _EXPECTED, text) for number, text in found)
