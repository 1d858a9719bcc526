"""JSON lines: one object a line. A line that is no object is set aside with its number."""

import json
from pathlib import Path
from typing import Any, Final

import duckdb

from data.errors import InputError
from data.importing.formats import json_parts
from data.importing.formats.base import RawTable, Recognition, Refused, SpooledFile
from data.importing.formats.csv_careful import DAMAGED
from data.importing.formats.csv_table import has_long_line
from data.importing.formats.json_document import is_one_record
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
        """The first line is a whole JSON object, and something follows it or it is a record by itself."""
        if file.content != "json" or not file.head.lstrip().startswith(b"{"):
            return None
        lines = [line for line in file.head.splitlines()[:50] if line.strip()]
        first = _object(lines[0])
        if first is None or (len(lines) == 1 and not (file.whole and is_one_record(first))):
            return None
        return Recognition((), certain=False, why="one JSON object a line")

    def read(self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> RawTable:
        """All lines that hold an object.

        Raises:
            InputError: no line holds one, a line is too long, or hardly any can be read.
        """
        del options
        if has_long_line(file):
            raise InputError(f"{file.name}: a line is longer than 16 MB; split it into records first")
        lines, damaged = _lines(cursor, file)
        records = fresh_name("records")
        cursor.execute(
            f"CREATE TEMP TABLE {records} AS SELECT record_number, line, CASE WHEN json_valid(line) "
            f"AND json_type(line) = 'OBJECT' THEN line END AS record FROM {lines}"
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
            refused=(*damaged, *refused),
            details={"encoding": file.encoding},
            sample=json_parts.sample_of(cursor, table),
        )


def _lines(cursor: duckdb.DuckDBPyConnection, file: SpooledFile) -> tuple[str, tuple[Refused, ...]]:
    """A table of the lines that are not blank, numbered; lines that are not UTF-8 are set aside."""
    damaged: tuple[Refused, ...] = ()
    number = "row_number() OVER (ORDER BY rowid)"
    try:
        text = _text_lines(cursor, file.path, ("line",))
    except duckdb.InvalidInputException:
        clean = file.path.with_name(file.path.name + ".clean")
        damaged = _rewrite(file.path, clean)
        number = "CAST(number AS BIGINT)"
        text = _text_lines(cursor, clean, ("number", "line"))
    table = fresh_name("lines")
    cursor.execute(
        f"CREATE TEMP TABLE {table} AS SELECT {number} AS record_number, line FROM {text} "
        "WHERE trim(line, ' ' || chr(9) || chr(13)) <> ''"
    )
    cursor.execute(f"DROP TABLE {text}")
    return table, damaged


def _text_lines(cursor: duckdb.DuckDBPyConnection, path: Path, names: tuple[str, ...]) -> str:
    # A separator that valid JSON cannot hold makes DuckDB's reader give whole lines.
    table = fresh_name("text")
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in names)
    cursor.execute(
        f"CREATE TEMP TABLE {table} AS SELECT * FROM read_csv({literal(path)}, auto_detect = false, "
        f"header = false, columns = {{{columns}}}, delim = chr(1), quote = '', escape = '', "
        f"compression = 'none', max_line_size = {MAX_RECORD_BYTES}, strict_mode = false, null_padding = true)"
    )
    return table


def _rewrite(source: Path, target: Path) -> tuple[Refused, ...]:
    """Write each good line behind its number; give the lines that are not UTF-8."""
    damaged: list[Refused] = []
    with source.open("rb") as lines, target.open("wb") as clean:
        number = 0
        for line in lines:
            if not line.strip():
                continue
            number += 1
            try:
                text = line.decode("utf-8").rstrip("\r\n").replace("\x01", " ").replace("\r", " ")
                clean.write(f"{number}\x01{text}\n".encode())
            except UnicodeDecodeError:
                damaged.append(Refused(number, DAMAGED, "a file saved as UTF-8", _shown(line)))
    return tuple(damaged)


def _shown(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").rstrip("\r\n")[:MAX_RAW]


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


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
