"""Reading single rows without leaving a result open.

An open result owns its cursor: after a bare ``fetchone`` the next ``register`` on it fails.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb


def one_row(
    cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None
) -> tuple[Any, ...] | None:
    """The first row, or None; the result is read to its end."""
    rows = cursor.execute(sql, parameters).fetchall()
    return rows[0] if rows else None


def one_value(
    cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[Any] | Mapping[str, Any] | None = None
) -> Any:
    """The first value of the first row; None where there is no row."""
    row = one_row(cursor, sql, parameters)
    return row[0] if row else None
