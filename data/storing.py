"""Staged rows into stored rows: which columns, with which value where a file gave none."""

from dataclasses import dataclass

import duckdb

from data.errors import InputError
from data.importing.sql import identifier
from data.overlaps import CONTENDER
from data.rows import one_row, one_value

_TEXT = "''"
#: Stored columns that may not be NULL, and what they hold where the file gave nothing.
_EVAL_DEFAULTS = {"variant": _TEXT, "settings_key": _TEXT, "metric": _TEXT, "status_ok": "true"}
_SCORE_DEFAULTS = {"metric": _TEXT}
_VOTE_DEFAULTS = {"benchmark": _TEXT}
#: A run of whole numbers up to this many times the rows is a numbering, not a name of records.
_NUMBERING_SLACK = 2
#: Latencies are summed as DECIMAL(18, 6), which ends here (31 years).
_LONGEST_MS = 1e12


@dataclass(frozen=True)
class Stored:
    """What was stored: rows, and whether a run value names one record of the whole file."""

    rows: int
    run_identifies: bool


def store_evals(cursor: duckdb.DuckDBPyConnection, rows_table: str, batch: int) -> Stored:
    """Copy staged eval rows into ``eval_result`` and note the contenders they are of."""
    present = _present(cursor, rows_table)
    given = _value("run", present, {})
    values = {name: _value(name, present, _EVAL_DEFAULTS) for name in _target(cursor, "eval_result")}
    if "settings" in present:
        key = _value("settings_key", present, {})
        values["settings_key"] = f"coalesce({key}, left(sha256(settings), 16), '')"
    values |= {
        "batch": str(int(batch)),
        "run_given": f"({given}) IS NOT NULL",
        "run": given,
        "headline": _headline(cursor, rows_table, present),
        "score": f"coalesce({_value('score', present, {})}, CAST({_value('passed', present, {})} AS DOUBLE))",
    }
    if _lacks_runs(cursor, rows_table, present):
        keys = ", ".join(values[name] for name in (*CONTENDER, "task_id", "metric"))
        number = f"row_number() OVER (PARTITION BY {keys}, {given} IS NULL ORDER BY record_number)"
        values["run"] = f"coalesce({given}, CAST({number} AS VARCHAR))"
    _insert(cursor, "eval_result", values, rows_table)
    _check_scores(cursor, "eval_result", batch)
    _check_latency(cursor, batch)
    names = ", ".join(CONTENDER)
    cursor.execute(
        f"INSERT INTO eval_batch_contender SELECT batch, {names}, count(*), count(*) FILTER (run_given) "
        f"FROM eval_result WHERE batch = ? GROUP BY ALL ORDER BY ALL",
        [batch],
    )
    if "settings" in present:
        cursor.execute(
            "INSERT INTO eval_settings SELECT key, min(settings) "
            f"FROM (SELECT {values['settings_key']} AS key, settings FROM {identifier(rows_table)}) AS own "
            "ANTI JOIN eval_settings AS known ON own.key = known.settings_key "
            "WHERE settings IS NOT NULL GROUP BY key ORDER BY key"
        )
    return Stored(_count(cursor, "eval_result", batch), _run_identifies(cursor, batch))


def store_scores(cursor: duckdb.DuckDBPyConnection, rows_table: str, batch: int) -> Stored:
    """Copy staged published scores into ``published_score``."""
    present = _present(cursor, rows_table)
    values = {name: _value(name, present, _SCORE_DEFAULTS) for name in _target(cursor, "published_score")}
    values["batch"] = str(int(batch))
    _insert(cursor, "published_score", values, rows_table)
    _check_scores(cursor, "published_score", batch)
    return Stored(_count(cursor, "published_score", batch), run_identifies=False)


def store_votes(cursor: duckdb.DuckDBPyConnection, rows_table: str, batch: int) -> Stored:
    """Copy staged votes into ``vote``."""
    present = _present(cursor, rows_table)
    values = {name: _value(name, present, _VOTE_DEFAULTS) for name in _target(cursor, "vote")}
    values["batch"] = str(int(batch))
    _insert(cursor, "vote", values, rows_table)
    return Stored(_count(cursor, "vote", batch), run_identifies=False)


def _insert(cursor: duckdb.DuckDBPyConnection, table: str, values: dict[str, str], rows_table: str) -> None:
    # A column that is left out costs less than one that is filled with NULL.
    given = {name: value for name, value in values.items() if value != "NULL"}
    columns = ", ".join(identifier(name) for name in given)
    expressions = ", ".join(given.values())
    cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {expressions} FROM {identifier(rows_table)}")


def _present(cursor: duckdb.DuckDBPyConnection, table: str) -> frozenset[str]:
    return frozenset(row[0] for row in cursor.execute(f"DESCRIBE {identifier(table)}").fetchall())


def _target(cursor: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    return [row[0] for row in cursor.execute(f"DESCRIBE {identifier(table)}").fetchall()]


def _value(name: str, present: frozenset[str], defaults: dict[str, str]) -> str:
    default = defaults.get(name)
    if name not in present:
        return default if default is not None else "NULL"
    return identifier(name) if default is None else f"coalesce({identifier(name)}, {default})"


def _headline(cursor: duckdb.DuckDBPyConnection, rows_table: str, present: frozenset[str]) -> str:
    """The file's own mark; without one, the metric of the file's first row of each benchmark counts."""
    if "metric" not in present:
        return "coalesce(headline, true)" if "headline" in present else "true"
    table = identifier(rows_table)
    several = one_value(cursor, f"SELECT min(metric) IS DISTINCT FROM max(metric) FROM {table}")
    first = "true"
    if several:
        metric = "coalesce(metric, '')"
        first = f"{metric} = first_value({metric}) OVER (PARTITION BY benchmark ORDER BY record_number)"
    return f"coalesce(headline, {first})" if "headline" in present else first


def _lacks_runs(cursor: duckdb.DuckDBPyConnection, rows_table: str, present: frozenset[str]) -> bool:
    if "run" not in present:
        return True
    return bool(one_value(cursor, f"SELECT bool_or(run IS NULL) FROM {identifier(rows_table)}"))


def _check_scores(cursor: duckdb.DuckDBPyConnection, table: str, batch: int) -> None:
    row = one_row(cursor, f"SELECT min(score), max(score) FROM {table} WHERE batch = ?", [batch])
    low, high = row or (None, None)
    if low is not None and (low < 0 or not high <= 1):  # NaN compares as neither
        raise InputError(
            f"a score is a share from 0 to 1, and this file reaches from {low:g} to {high:g}; "
            "give its scale, such as --set scale=0..100"
        )


def _check_latency(cursor: duckdb.DuckDBPyConnection, batch: int) -> None:
    low, high = one_row(
        cursor, "SELECT min(latency_ms), max(latency_ms) FROM eval_result WHERE batch = ?", [batch]
    ) or (None, None)
    if low is not None and (low < 0 or not high < _LONGEST_MS):
        raise InputError(
            f"a latency is 0 or more and below {_LONGEST_MS:g} ms, and this file reaches from {low:g} to "
            f"{high:g}; check its unit"
        )


def _count(cursor: duckdb.DuckDBPyConnection, table: str, batch: int) -> int:
    return int(one_value(cursor, f"SELECT count(*) FROM {table} WHERE batch = ?", [batch]))


def _run_identifies(cursor: duckdb.DuckDBPyConnection, batch: int) -> bool:
    """Whether each run value (of a metric) stands on one row of the file and is no mere numbering.

    A file of a single contender and task proves nothing: its runs differ in any scheme.
    """
    mine = "FROM eval_result WHERE batch = $batch"
    bound = {"batch": batch}
    sample = one_row(
        cursor,
        "SELECT count(*) = count(DISTINCT (run, metric)), bool_and(run_given) "
        f"FROM (SELECT run, metric, run_given {mine} LIMIT 2048)",
        bound,
    )
    if not sample or not all(sample):
        return False
    row = one_row(
        cursor,
        "SELECT count(*) = count(DISTINCT (run, metric)) AND bool_and(run_given), "
        "bool_and(regexp_full_match(run, '[0-9]{1,18}')), min(TRY_CAST(run AS BIGINT)), "
        f"max(TRY_CAST(run AS BIGINT)), count(*) {mine}",
        bound,
    )
    groups = one_value(
        cursor,
        f"SELECT count(*) FROM (SELECT DISTINCT model, variant, settings_key, task_id {mine} LIMIT 2)",
        bound,
    )
    if row is None or not row[0] or groups < 2:
        return False
    _, whole_numbers, lowest, highest, rows = row
    return not (whole_numbers and lowest in (0, 1) and highest <= _NUMBERING_SLACK * rows)
