"""Named questions to the store, each with a declared bound. Aggregates are exact: integers and decimals.

What a query returns is remembered until the next committed change; callers get their own copy.
"""

from collections.abc import Callable
from typing import Any, Final

import pandas as pd

from data.contenders import NOT_SET, Contender, contenders, find, read_contenders
from data.provenance import fingerprint, loaded, sources
from data.store import Store, read_frame

__all__ = [
    "benchmark_settings_difference",
    "benchmarks",
    "eval_cells",
    "eval_run_means",
    "fingerprint",
    "loaded",
    "sources",
    "task_runs",
    "variant_settings",
]

TOKENS: Final = (
    "input_tokens_uncached",
    "cache_read_tokens",
    "cache_write_5m_tokens",
    "cache_write_1h_tokens",
    "output_tokens",
    "reasoning_tokens",
)
_SUCCESS = "coalesce(passed, score = 1)"
#: A cost of 0 where tokens were used, or turns taken, is a price that was missing, not a price of 0.
_COST_KNOWN = f"(cost IS NOT NULL AND (cost <> 0 OR coalesce(greatest({', '.join(TOKENS)}, turns), 0) = 0))"
_CHOSEN = (
    "benchmark = $benchmark AND (metric = $metric OR ($metric IS NULL AND headline)) "
    "AND ($split IS NULL OR split = $split)"
)
_NAMES = (
    "(SELECT unnest($names) AS contender, unnest($models) AS model, unnest($variants) AS variant, "
    "unnest($settings_keys) AS settings_key) AS named"
)


def benchmarks(store: Store) -> pd.DataFrame:
    """One row a benchmark, by name: what is loaded of it.

    Columns: benchmark, contenders, tasks, clusters (of tasks that name one, plus one for each that does not),
    rows, metrics (headline first), headline_metrics, splits, domains (tuples of text), last_import (UTC, ISO
    8601). Bound: benchmarks.
    """
    return _once(store, ("benchmarks",), lambda: store.query(_BENCHMARKS).pipe(_with_tuples))


_BENCHMARKS = """
WITH counted AS (
    SELECT benchmark,
           count(DISTINCT (model, variant, settings_key)) AS contenders,
           count(DISTINCT task_id) AS tasks,
           count(DISTINCT coalesce('c' || cluster_id, 't' || task_id)) AS clusters,
           count(*) AS rows
    FROM eval_live GROUP BY benchmark
), metric AS (
    SELECT benchmark, metric, bool_or(headline) AS headline FROM eval_live GROUP BY benchmark, metric
), metrics AS (
    SELECT benchmark, list(metric ORDER BY headline DESC, metric) AS metrics,
           coalesce(list(metric ORDER BY metric) FILTER (headline), []) AS headline_metrics
    FROM metric GROUP BY benchmark
), splits AS (
    SELECT benchmark, list(split ORDER BY split) AS splits
    FROM (SELECT DISTINCT benchmark, split FROM eval_live WHERE split IS NOT NULL) GROUP BY benchmark
), domains AS (
    SELECT benchmark, list(domain ORDER BY domain) AS domains
    FROM (SELECT DISTINCT benchmark, domain FROM eval_live WHERE domain IS NOT NULL) GROUP BY benchmark
), imported AS (
    SELECT benchmark, strftime(max(imported_at), '%Y-%m-%dT%H:%M:%SZ') AS last_import
    FROM eval_batch_contender JOIN import_batch USING (batch) GROUP BY benchmark
)
SELECT benchmark, contenders, tasks, clusters, rows, metrics, headline_metrics,
       coalesce(splits, []) AS splits, coalesce(domains, []) AS domains, last_import
FROM counted JOIN metrics USING (benchmark) JOIN imported USING (benchmark)
LEFT JOIN splits USING (benchmark) LEFT JOIN domains USING (benchmark)
ORDER BY benchmark
"""


def eval_cells(
    store: Store, benchmark: str, *, metric: str | None = None, split: str | None = None
) -> pd.DataFrame:
    """One row a (contender, task), sorted by both; tasks whose rows are all unscored stand with scored = 0.

    Columns: contender, model, variant, task_id, cluster_id, domain, split (texts, None where unknown), rows,
    scored, passed, failed_rows, success_output_rows, cost_rows, latency_rows (counts), score_sum,
    score_sum_squares (scores are 0..1), binary, the token classes, success_output_tokens, cost,
    latency_ms_sum, weight (sums; NaN where no row knows), currency (None unknown, "mixed" several). Without
    ``metric`` the headline rows count. Where rows of a task disagree on its cluster, domain, split or weight,
    the least one stands. Bound: contenders times tasks.
    """
    return _once(
        store,
        ("eval_cells", benchmark, metric, split),
        lambda: _read_cells(store, benchmark, metric, split),
    )


def _read_cells(store: Store, benchmark: str, metric: str | None, split: str | None) -> pd.DataFrame:
    with store.snapshot() as cursor:
        named = read_contenders(cursor, benchmark)
        return read_frame(
            cursor,
            f"SELECT named.contender, cell.* EXCLUDE (settings_key) FROM ({_CELLS}) AS cell "
            f"JOIN {_NAMES} USING (model, variant, settings_key) ORDER BY contender, task_id",
            {"benchmark": benchmark, "metric": metric, "split": split, **_as_lists(named)},
        )


_TOKEN_SUMS = ", ".join(f"CAST(sum({name}) AS DOUBLE) AS {name}" for name in TOKENS)
_CELLS = f"""
SELECT model, variant, settings_key, task_id,
       min(cluster_id) AS cluster_id, min(domain) AS domain, min(split) AS split,
       count(*) AS rows,
       count(score) AS scored,
       count(*) FILTER ({_SUCCESS}) AS passed,
       CAST(coalesce(sum(CAST(score AS DECIMAL(18, 15))), 0) AS DOUBLE) AS score_sum,
       CAST(coalesce(sum(CAST(score * score AS DECIMAL(18, 15))), 0) AS DOUBLE) AS score_sum_squares,
       coalesce(bool_and(score IN (0, 1)), true) AS binary,
       count(*) FILTER (NOT status_ok) AS failed_rows,
       {_TOKEN_SUMS},
       CAST(sum(output_tokens) FILTER ({_SUCCESS}) AS DOUBLE) AS success_output_tokens,
       count(output_tokens) FILTER ({_SUCCESS}) AS success_output_rows,
       CAST(sum(cost) FILTER ({_COST_KNOWN}) AS DOUBLE) AS cost,
       count(*) FILTER ({_COST_KNOWN}) AS cost_rows,
       CASE WHEN min(coalesce(currency, '')) FILTER ({_COST_KNOWN})
                 < max(coalesce(currency, '')) FILTER ({_COST_KNOWN}) THEN 'mixed'
            ELSE nullif(min(coalesce(currency, '')) FILTER ({_COST_KNOWN}), '') END AS currency,
       CAST(sum(CAST(latency_ms AS DECIMAL(18, 6))) AS DOUBLE) AS latency_ms_sum,
       count(latency_ms) AS latency_rows,
       min(weight) AS weight
FROM eval_live WHERE {_CHOSEN}
GROUP BY model, variant, settings_key, task_id
"""


def eval_run_means(
    store: Store, benchmark: str, *, metric: str | None = None, split: str | None = None
) -> pd.DataFrame:
    """One row a (contender, run): mean (over tasks of the mean over rows), tasks, rows; scored rows alone.

    A run that was numbered by the import is told by its batch where several batches number runs. A run value
    that stands on one task only is the id of a record, not a run through the benchmark, and is left out
    unless the benchmark has one task. Bound: contenders times runs.
    """
    return _once(
        store,
        ("eval_run_means", benchmark, metric, split),
        lambda: _read_run_means(store, benchmark, metric, split),
    )


def _read_run_means(store: Store, benchmark: str, metric: str | None, split: str | None) -> pd.DataFrame:
    with store.snapshot() as cursor:
        named = read_contenders(cursor, benchmark)
        return read_frame(
            cursor,
            f"SELECT contender, run, mean, tasks, rows FROM ({_RUN_MEANS}) AS one "
            f"JOIN {_NAMES} USING (model, variant, settings_key) "
            "ORDER BY contender, TRY_CAST(run AS BIGINT) NULLS LAST, run",
            {"benchmark": benchmark, "metric": metric, "split": split, **_as_lists(named)},
        )


_RUN_MEANS = f"""
WITH chosen AS (
    SELECT model, variant, settings_key, task_id, score,
           run || CASE WHEN NOT run_given AND several THEN ' of batch ' || batch ELSE '' END AS run
    FROM eval_live
    LEFT JOIN (
        SELECT model, variant, settings_key, count(DISTINCT batch) > 1 AS several
        FROM eval_batch_contender WHERE benchmark = $benchmark AND rows_with_run < rows
        GROUP BY model, variant, settings_key
    ) AS numbering USING (model, variant, settings_key)
    WHERE {_CHOSEN} AND score IS NOT NULL
), task AS (
    SELECT model, variant, settings_key, run, task_id, count(*) AS rows,
           CAST(sum(CAST(score AS DECIMAL(18, 15))) AS DOUBLE) / count(*) AS mean
    FROM chosen GROUP BY ALL
)
SELECT model, variant, settings_key, run,
       CAST(sum(CAST(mean AS DECIMAL(18, 15))) AS DOUBLE) / count(*) AS mean,
       count(*) AS tasks, CAST(sum(rows) AS BIGINT) AS rows
FROM task GROUP BY model, variant, settings_key, run
HAVING count(*) > 1 OR (SELECT count(DISTINCT task_id) FROM task) = 1
"""


def task_runs(store: Store, benchmark: str, task_id: str, limit: int = 1000) -> pd.DataFrame:
    """The stored rows of one task, all metrics, by contender, run and record; at most ``limit``."""
    with store.snapshot() as cursor:
        named = read_contenders(cursor, benchmark)
        return read_frame(
            cursor,
            "SELECT contender, run, metric, headline, score, passed, status, status_ok, turns, "
            f"{', '.join(f'CAST({name} AS DOUBLE) AS {name}' for name in TOKENS)}, "
            "CAST(cost AS DOUBLE) AS cost, currency, latency_ms, started_at, provider, tier, url, batch, "
            f"file, record_number FROM eval_live JOIN {_NAMES} USING (model, variant, settings_key) "
            "JOIN (SELECT batch, file FROM import_batch) AS origin USING (batch) "
            "WHERE benchmark = $benchmark AND task_id = $task_id "
            "ORDER BY contender, TRY_CAST(run AS BIGINT) NULLS LAST, run, metric, batch, record_number "
            "LIMIT $limit",
            {"benchmark": benchmark, "task_id": task_id, "limit": limit, **_as_lists(named)},
        )


def variant_settings(store: Store, benchmark: str) -> pd.DataFrame:
    """One row a (contender, setting) that a log states: contender, model, variant, setting, value, label.

    Bound: contenders times settings.
    """
    rows = [
        (one.name, one.model, one.variant, setting, value, one.label)
        for one in contenders(store, benchmark)
        for setting, value in sorted(one.settings.items())
    ]
    columns = ["contender", "model", "variant", "setting", "value", "label"]
    return pd.DataFrame(rows, columns=pd.Index(columns), dtype=object)


def benchmark_settings_difference(
    store: Store, benchmark: str, contender_a: str, contender_b: str
) -> tuple[tuple[str, str, str], ...]:
    """Settings in which two contenders differ: (setting, value of a, value of b), by setting.

    Raises:
        InputError: one of them is not in the benchmark.
    """
    known = contenders(store, benchmark)
    a, b = (find(known, name, benchmark) for name in (contender_a, contender_b))
    first = {**a.settings, **({"variant": a.variant} if a.variant else {})}
    second = {**b.settings, **({"variant": b.variant} if b.variant else {})}
    return tuple(
        (setting, first.get(setting, NOT_SET), second.get(setting, NOT_SET))
        for setting in sorted({*first, *second})
        if first.get(setting) != second.get(setting)
    )


def _as_lists(named: tuple[Contender, ...]) -> dict[str, list[str]]:
    return {
        "names": [one.name for one in named],
        "models": [one.model for one in named],
        "variants": [one.variant for one in named],
        "settings_keys": [one.settings_key for one in named],
    }


def _once(store: Store, key: tuple[Any, ...], compute: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    # pandas copies a column when somebody changes it, not before.
    return store.remembered(key, compute).copy(deep=False)


def _with_tuples(frame: pd.DataFrame) -> pd.DataFrame:
    for name in ("metrics", "headline_metrics", "splits", "domains"):
        frame[name] = pd.Series([tuple(values) for values in frame[name]], index=frame.index, dtype=object)
    return frame
