"""Eval results: one row an attempt of one model at one task."""

from dataclasses import replace
from typing import Final

import duckdb

from data.importing.formats.base import RawTable
from data.importing.kinds import cleaners, scan
from data.importing.kinds.base import Assignment, Validated
from data.importing.kinds.checking import NO_ZONE, Plain, Typed, all_checks, typed
from data.importing.kinds.evals_fields import FIELDS
from data.importing.sql import fresh_name, identifier

_COUNTS: Final = (
    "turns",
    "input_tokens_uncached",
    "cache_read_tokens",
    "cache_write_5m_tokens",
    "cache_write_1h_tokens",
    "output_tokens",
    "reasoning_tokens",
)
_REQUIRED: Final = ("benchmark", "task_id", "model")
_CONTENDER_TASK: Final = ("benchmark", "split", "task_id", "model", "variant", "metric", "settings", "run")

STATUS_OK: Final = (
    "CASE WHEN t_status IS NULL OR lower(t_status) IN ('ok', 'success', 'true') THEN true "
    "ELSE regexp_full_match(t_status, '2\\d\\d') END"
)


class Evals:
    """Results of evaluations, run by run."""

    name: Final = "evals"
    title: Final = "Eval results"
    fields: Final = FIELDS

    def missing(self, present: frozenset[str]) -> tuple[str, ...]:
        """Benchmark, task and model are needed, and a score or passed."""
        lacking = [name for name in _REQUIRED if name not in present]
        if not present & {"score", "passed"}:
            lacking.append("score or passed")
        return tuple(lacking)

    def foreign(self, headers: frozenset[str]) -> bool:
        """A vote or a production log names what no eval does."""
        return bool(headers & {"model_a", "model_b", "arm"})

    def validate(self, cursor: duckdb.DuckDBPyConnection, raw: RawTable, chosen: Assignment) -> Validated:
        """Cast and check all fields that have a source; find whole rows that repeat."""
        columns = [
            _exact(typed(field, chosen, raw, required=field.name in _REQUIRED))
            for field in FIELDS
            if field.name in chosen.fields
        ]
        checks = all_checks(columns)
        scanned = scan.scan(cursor, raw, columns, checks, _kept(columns, chosen))
        dropped, conflicts, duplicates = None, None, 0
        if "run" in chosen.fields:
            dropped, conflicts, duplicates = _repeats(cursor, scanned, chosen)
        rows = _good_rows(cursor, scanned, dropped)
        rejects = scan.set_aside(cursor, scanned, chosen.headers, chosen.columns, conflicts)
        loaded, rejected = _count(cursor, rows), _distinct(cursor, rejects)
        reasons = scan.reasons_of(cursor, rejects, checks)
        return Validated(
            rows_table=rows,
            rejects_table=rejects,
            read=scanned.read,
            loaded=loaded,
            rejected=rejected,
            duplicate_rows=duplicates,
            reasons=reasons,
            warnings=_warnings(cursor, scanned.table, rows, chosen, loaded),
            zoneless=next((row.value for row in reasons if row.reason == NO_ZONE), None),
        )


def _exact(column: Typed) -> Typed:
    """Costs are read as decimals at once; a sign in front goes the long way, as tiny negatives round to 0."""
    if column.name != "cost" or column.plain is None:
        return column
    holds = "(r_cost IS NULL OR (r_cost >= '.' AND p_cost IS NOT NULL))"
    return replace(column, plain=Plain("try_cast(r_cost AS DECIMAL(24, 12))", holds))


def _kept(columns: list[Typed], chosen: Assignment) -> dict[str, str]:
    """The stored columns as SQL over texts and values, plus what the checks afterwards need."""
    names = {column.name for column in columns}
    kept: dict[str, str] = {}
    for column in columns:
        value = f"v_{column.name}"
        if column.name in _COUNTS:
            kept[column.name] = f"try_cast({value} AS BIGINT)"
        elif column.name == "cost":
            exact = f"coalesce(try_cast(t_cost AS DECIMAL(24, 12)), try_cast({value} AS DECIMAL(24, 12)))"
            kept["cost"] = f"CASE WHEN h_cost THEN p_cost ELSE {exact} END" if column.plain else exact
        elif column.name == "started_at":
            kept["started_at"] = f"nullif({value}, {cleaners.EPOCH})"
            kept["epoch_zero"] = f"({value} = {cleaners.EPOCH})"
        elif column.name not in ("score", "passed", "latency_s", "latency_ms"):
            kept[column.name] = value
    score = "v_score" if "score" in names else "CAST(NULL AS DOUBLE)"
    passed = "v_passed" if "passed" in names else "CAST(NULL AS BOOLEAN)"
    kept["score"] = f"coalesce({score}, CAST({passed} AS DOUBLE))"
    kept["passed"] = f"coalesce({passed}, {score} = 1)"
    latencies = [
        f"v_{name}{factor}"
        for name, factor in (("latency_ms", ""), ("latency_s", " * 1000"))
        if name in names
    ]
    if latencies:
        kept["latency_ms"] = f"coalesce({', '.join(latencies)})"
    if "status" in names:
        kept["status_ok"] = STATUS_OK
    if "run" in chosen.fields:
        keys = ", ".join(f"v_{name}" for name in _CONTENDER_TASK if name in names)
        kept["key_hash"] = f"CASE WHEN v_run IS NOT NULL THEN hash({keys}) END"
    return kept


def _repeats(
    cursor: duckdb.DuckDBPyConnection, scanned: scan.Scanned, chosen: Assignment
) -> tuple[str | None, str | None, int]:
    """Rows whose task, model and run stand in the file before: those not to store, those that contradict.

    The first record counts. A later one that repeats the whole file row is a duplicate; one with other cells
    contradicts it and is set aside.
    """
    twice, suspects = fresh_name("twice"), fresh_name("suspects")
    cursor.execute(
        f"CREATE TEMP TABLE {twice} AS SELECT key_hash FROM {scanned.table} "
        "WHERE problem = 0 AND key_hash IS NOT NULL GROUP BY key_hash HAVING count(*) > 1"
    )
    if _count(cursor, twice) == 0:
        return None, None, 0
    cursor.execute(
        f"CREATE TEMP TABLE {suspects} AS SELECT * FROM {scanned.table} "
        f"WHERE problem = 0 AND key_hash IN (SELECT key_hash FROM {twice})"
    )
    raw = scanned.raw
    cells = ", ".join(identifier(column.sql_name) for column in raw.columns)
    at, key = ("record_number", "record_number") if raw.numbered else ("row_number() OVER () - 1", "position")
    keys = ", ".join(identifier(name) for name in _CONTENDER_TASK if name in chosen.fields)
    dropped = fresh_name("dropped")
    cursor.execute(
        f"CREATE TEMP TABLE {dropped} AS SELECT position, whole = first_value(whole) OVER again AS repeats "
        f"FROM (SELECT rows.*, raw.whole FROM {suspects} AS rows "
        f"JOIN (SELECT {at} AS place, [{cells}] AS whole FROM {raw.table}) AS raw ON rows.{key} = raw.place) "
        f"WINDOW again AS (PARTITION BY {keys} ORDER BY position) QUALIFY row_number() OVER again > 1"
    )
    conflicts = fresh_name("conflicts")
    cursor.execute(f"CREATE TEMP TABLE {conflicts} AS SELECT position FROM {dropped} WHERE NOT repeats")
    return dropped, conflicts, _count(cursor, dropped) - _count(cursor, conflicts)


def _good_rows(cursor: duckdb.DuckDBPyConnection, scanned: scan.Scanned, dropped: str | None) -> str:
    view = fresh_name("rows")
    without = f" AND position NOT IN (SELECT position FROM {dropped})" if dropped else ""
    held = {row[0] for row in cursor.execute(f"DESCRIBE {scanned.table}").fetchall()}
    hidden = ", ".join(sorted(held & {"position", "problem", "key_hash", "epoch_zero"}))
    cursor.execute(
        f"CREATE TEMP VIEW {view} AS SELECT * EXCLUDE ({hidden}) FROM {scanned.table} "
        f"WHERE problem = 0{without}"
    )
    return view


def _count(cursor: duckdb.DuckDBPyConnection, table: str) -> int:
    row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(row[0]) if row else 0


def _distinct(cursor: duckdb.DuckDBPyConnection, rejects: str) -> int:
    row = cursor.execute(f"SELECT count(*) FROM {rejects}").fetchone()
    return int(row[0]) if row else 0


def _warnings(
    cursor: duckdb.DuckDBPyConnection, table: str, rows: str, chosen: Assignment, loaded: int
) -> tuple[str, ...]:
    said = []
    row = cursor.execute(f"SELECT count(*) FROM {rows} WHERE score IS NULL").fetchone()
    unscored = int(row[0]) if row else 0
    if unscored:
        said.append(f"{unscored:,} of {loaded:,} rows have no score: loaded as unscored attempts")
    if "started_at" in chosen.fields:
        row = cursor.execute(f"SELECT count(*) FROM {table} WHERE problem = 0 AND epoch_zero").fetchone()
        if row and row[0]:
            said.append(f"started_at is 0 in {row[0]:,} rows: read as unknown")
    if "cost" in chosen.fields:
        currency = "currency IS NULL AND" if "currency" in chosen.fields else ""
        row = cursor.execute(f"SELECT count(*) FROM {rows} WHERE {currency} cost IS NOT NULL").fetchone()
        if row and row[0]:
            said.append(
                f"{row[0]:,} costs have no currency; give it with --set currency=USD or map its column"
            )
    return tuple(said)
