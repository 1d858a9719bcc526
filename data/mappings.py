"""What a person said about the columns of a file, remembered for the next file with the same header."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

import duckdb

from data.canonical import canonical_json
from data.rows import one_row


def remember_mapping(
    cursor: duckdb.DuckDBPyConnection, header: Iterable[str], kind: str, mapping: Mapping[str, Any]
) -> None:
    """Keep ``mapping`` (a JSON object) for files of ``kind`` with these headers; the last one counts."""
    key = _key(header)
    cursor.execute("DELETE FROM remembered_mapping WHERE header = ? AND kind = ?", [key, kind])
    cursor.execute(
        "INSERT INTO remembered_mapping VALUES (?, ?, ?, ?)",
        [key, kind, canonical_json(dict(mapping)), datetime.now(UTC)],
    )


def remembered_mapping(
    cursor: duckdb.DuckDBPyConnection, header: Iterable[str], kind: str | None = None
) -> tuple[str, dict[str, Any]] | None:
    """Kind and mapping remembered last for this set of headers (of ``kind``, where it is known)."""
    row = one_row(
        cursor,
        "SELECT kind, mapping FROM remembered_mapping "
        "WHERE header = $header AND ($kind IS NULL OR kind = $kind) ORDER BY remembered_at DESC LIMIT 1",
        {"header": _key(header), "kind": kind},
    )
    return None if row is None else (str(row[0]), json.loads(row[1]))


def _key(header: Iterable[str]) -> str:
    return canonical_json(sorted(header))
