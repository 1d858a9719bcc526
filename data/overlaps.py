"""Which stored rows a later import takes the place of, and what comes back when it is undone.

Rows are never skipped or deleted by another import. A row counts unless a later import holds the same
record (one entry in ``record_overlap``) or replaced its contender (``contender_replacement``). Columns alone
decide whether a record is the same, so an undone import leaves no trace: the rows it covered are compared
again with the later imports that remain.
"""

from collections.abc import Collection
from dataclasses import dataclass

import duckdb

from data.rows import one_row, one_value

CONTENDER = ("benchmark", "model", "variant", "settings_key")
_RECORD = (*CONTENDER, "task_id", "run", "metric")
_VALUES = (
    "score",
    "passed",
    "status",
    "turns",
    "input_tokens_uncached",
    "cache_read_tokens",
    "cache_write_5m_tokens",
    "cache_write_1h_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost",
    "currency",
    "latency_ms",
)

#: A record of an eval is known by its run. Where a run value names one record of the whole file, it does so
#: whatever model or task the record is filed under: a corrected name takes the place of the wrong one.
_EVAL_BY_RECORD = " AND ".join(
    ["lower.run_given", "upper.run_given", *(f"lower.{name} = upper.{name}" for name in _RECORD)]
)
_EVAL_BY_RUN = " AND ".join(
    [
        "lower.run_given",
        "upper.run_given",
        *(f"lower.{name} = upper.{name}" for name in ("benchmark", "run", "metric")),
        *(
            f"{side}.batch IN (SELECT batch FROM import_batch WHERE run_identifies)"
            for side in ("lower", "upper")
        ),
    ]
)
_SCORE = (
    "lower.benchmark = upper.benchmark AND lower.model = upper.model AND lower.metric = upper.metric"
    " AND lower.date IS NOT DISTINCT FROM upper.date"
)
_EVAL_UNCHANGED = " AND ".join(
    f"lower.{name} IS NOT DISTINCT FROM upper.{name}" for name in (*CONTENDER, "task_id", *_VALUES)
)
_SCORE_UNCHANGED = " AND ".join(
    f"lower.{name} IS NOT DISTINCT FROM upper.{name}" for name in ("score", "n_tasks", "stderr")
)


@dataclass(frozen=True)
class Records:
    """How one kind's records are stored and matched."""

    table: str
    live: str
    matches: tuple[str, ...]  # conditions on lower and upper; one that holds is enough
    unchanged: str


EVALS = Records("eval_result", "eval_live", (_EVAL_BY_RECORD, _EVAL_BY_RUN), _EVAL_UNCHANGED)
SCORES = Records("published_score", "published_live", (_SCORE,), _SCORE_UNCHANGED)
#: No vote is the record of another.
VOTES = Records("vote", "vote", ("false",), "true")


@dataclass(frozen=True)
class Superseded:
    """Rows of earlier imports that counted until now, and how many of them came back with other values."""

    rows: int
    changed: int


def cover(
    cursor: duckdb.DuckDBPyConnection, records: Records, batch: int, earlier: Collection[int]
) -> Superseded:
    """Mark rows of ``earlier`` batches that ``batch``, just stored, holds again."""
    if not earlier:
        return Superseded(0, 0)
    pairs = " UNION ALL ".join(
        f"SELECT lower.batch, lower.record_number, {records.unchanged} AS unchanged "
        f"FROM {records.table} AS lower JOIN {records.table} AS upper ON {condition} "
        "WHERE upper.batch = $upper AND lower.batch IN (SELECT unnest($earlier))"
        for condition in records.matches
    )
    cursor.execute(
        "CREATE OR REPLACE TEMP TABLE covered_row AS "
        "SELECT batch, record_number, bool_or(unchanged) AS unchanged "
        f"FROM ({pairs}) AS pair ANTI JOIN record_overlap AS known USING (batch, record_number) "
        "GROUP BY batch, record_number",
        {"upper": batch, "earlier": list(earlier)},
    )
    row = one_row(
        cursor,
        "SELECT count(*), count(*) FILTER (NOT unchanged) FROM covered_row "
        f"SEMI JOIN {records.live} AS live USING (batch, record_number)",
    )
    cursor.execute(
        "INSERT INTO record_overlap SELECT batch, record_number, ? FROM covered_row ORDER BY 1, 2", [batch]
    )
    cursor.execute("DROP TABLE covered_row")
    return Superseded(*row) if row else Superseded(0, 0)


def replace(cursor: duckdb.DuckDBPyConnection, batch: int, together: Collection[int]) -> int:
    """Mark everything earlier of the contenders in ``batch`` as replaced; returns the rows that counted.

    ``together`` are batches of the same import, which stand beside it.
    """
    keys = ", ".join(CONTENDER)
    affected = (
        f"SELECT earlier.batch, {keys} FROM eval_batch_contender AS earlier "
        f"SEMI JOIN (FROM eval_batch_contender WHERE batch = $batch) AS own USING ({keys}) "
        "WHERE earlier.batch < $batch AND NOT list_contains($together, earlier.batch)"
    )
    bound = {"batch": batch, "together": list(together)}
    rows = one_value(
        cursor, f"SELECT count(*) FROM eval_live SEMI JOIN ({affected}) AS gone USING (batch, {keys})", bound
    )
    cursor.execute(f"INSERT INTO contender_replacement SELECT *, $batch FROM ({affected})", bound)
    return int(rows)


def forget(cursor: duckdb.DuckDBPyConnection, records: Records, batch: int) -> None:
    """Delete the rows of ``batch`` and mark what it covered anew, by the later imports that remain."""
    cursor.execute(
        f"CREATE OR REPLACE TEMP TABLE freed_row AS SELECT stored.* FROM {records.table} AS stored "
        "SEMI JOIN (FROM record_overlap WHERE upper_batch = ?) AS covered USING (batch, record_number)",
        [batch],
    )
    cursor.execute("DELETE FROM record_overlap WHERE batch = $1 OR upper_batch = $1", [batch])
    cursor.execute("DELETE FROM contender_replacement WHERE batch = $1 OR upper_batch = $1", [batch])
    cursor.execute("DELETE FROM eval_batch_contender WHERE batch = ?", [batch])
    cursor.execute(f"DELETE FROM {records.table} WHERE batch = ?", [batch])
    pairs = " UNION ALL ".join(
        "SELECT lower.batch, lower.record_number, upper.batch AS upper_batch FROM freed_row AS lower "
        f"JOIN {records.table} AS upper ON {condition} AND upper.batch > lower.batch"
        for condition in records.matches
    )
    cursor.execute(
        "INSERT INTO record_overlap SELECT batch, record_number, max(upper_batch) "
        f"FROM ({pairs}) GROUP BY batch, record_number ORDER BY 1, 2"
    )
    cursor.execute("DROP TABLE freed_row")
