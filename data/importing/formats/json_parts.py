"""Tables of JSON records, whichever way the records came: one column a key, values as text."""

from typing import Final

import duckdb

from data.errors import InputError
from data.importing.formats.base import RawColumn
from data.importing.limits import MAX_COLUMNS
from data.importing.sql import fresh_name, literal

_SAMPLE_ROWS: Final = 200


def pointer(key: str) -> str:
    """The JSON pointer of a top-level key."""
    return "/" + key.replace("~", "~0").replace("/", "~1")


def columns_of(cursor: duckdb.DuckDBPyConnection, records: str, file: str) -> tuple[RawColumn, ...]:
    """All keys of the JSON objects in ``records`` (``record_number``, ``record``), as they first appear.

    Raises:
        InputError: no key at all, or more keys than are read.
    """
    found = cursor.execute(
        f"SELECT key FROM (SELECT record_number, unnest(json_keys(record)) AS key, "
        f"generate_subscripts(json_keys(record), 1) AS place FROM {records}) "
        "GROUP BY key ORDER BY min(record_number), min(place), key"
        f" LIMIT {MAX_COLUMNS + 1}"
    ).fetchall()
    if len(found) > MAX_COLUMNS:
        raise InputError(
            f"{file}: the records have more than {MAX_COLUMNS:,} different keys; keep those that matter"
        )
    if not found:
        raise InputError(f"{file}: the JSON records have no keys")
    return tuple(RawColumn(f"c{place}", str(key)) for place, (key,) in enumerate(found))


def table_of(cursor: duckdb.DuckDBPyConnection, records: str, columns: tuple[RawColumn, ...]) -> str:
    """A view with ``record_number`` and one text column a key; objects and lists stay JSON text."""
    view = fresh_name("json")
    paths = ", ".join(literal(pointer(column.header)) for column in columns)
    cells = ", ".join(f"cells[{place}] AS {column.sql_name}" for place, column in enumerate(columns, start=1))
    cursor.execute(
        f"CREATE TEMP VIEW {view} AS SELECT record_number, {cells} FROM (SELECT record_number, "
        f"json_extract_string(record, [{paths}]) AS cells FROM {records})"
    )
    return view


def sample_of(cursor: duckdb.DuckDBPyConnection, table: str) -> tuple[tuple[str | None, ...], ...]:
    """The first records as text."""
    rows = cursor.execute(
        f"SELECT * EXCLUDE (record_number) FROM {table} ORDER BY record_number LIMIT {_SAMPLE_ROWS}"
    ).fetchall()
    return tuple(tuple(row) for row in rows)
