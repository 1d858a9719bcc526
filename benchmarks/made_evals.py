"""A seeded file of eval results, the same bytes for the same number of rows.

Models times tasks times runs in file order; about three tasks a cluster, four domains, costs and latencies
with long tails, one row in fifty failed and one in a hundred without a score.
"""

from pathlib import Path

import duckdb

BENCHMARK = "made"
MODELS = 20
RUNS = 50
SEED = 20261130

#: Columns and types of the file, as a person would declare them to DuckDB.
TYPES = {
    "benchmark": "VARCHAR",
    "domain": "VARCHAR",
    "task_id": "VARCHAR",
    "cluster_id": "VARCHAR",
    "model": "VARCHAR",
    "run": "VARCHAR",
    "score": "DOUBLE",
    "turns": "BIGINT",
    "input_tokens_uncached": "BIGINT",
    "cache_read_tokens": "BIGINT",
    "output_tokens": "BIGINT",
    "cost": "DECIMAL(24, 12)",
    "currency": "VARCHAR",
    "latency_ms": "DOUBLE",
    "started_at": "TIMESTAMPTZ",
    "status": "VARCHAR",
}


def write_csv(path: Path, rows: int) -> None:
    """Write ``rows`` results, in the order task, model, run."""
    share = "(hash(i, {0}, $seed) % 1000000) / 1e6"
    number = "hash(i, {0}, $seed) % {1}"
    query = f"""
        SELECT '{BENCHMARK}' AS benchmark,
               'area-' || (task % 4) AS domain,
               'repository-' || (task // 3 % 997) || '__issue-' || task AS task_id,
               'repository-' || (task // 3 % 997) AS cluster_id,
               'model-' || model AS model,
               CAST(run AS VARCHAR) AS run,
               CASE WHEN {number.format(1, 100)} = 0 THEN NULL
                    WHEN {share.format(2)} < 0.3 + 0.02 * model THEN 1 ELSE 0 END AS score,
               1 + {number.format(3, 60)} AS turns,
               500 + {number.format(4, 40000)} AS input_tokens_uncached,
               {number.format(5, 900000)} AS cache_read_tokens,
               50 + {number.format(6, 6000)} AS output_tokens,
               round(0.01 - ln(1e-9 + {share.format(7)}) / 3, 6) AS cost,
               'USD' AS currency,
               round(800 - ln(1e-9 + {share.format(8)}) * 30000, 1) AS latency_ms,
               strftime(TIMESTAMP '2026-10-01' + INTERVAL 1 SECOND * ({number.format(9, 2600000)}),
                        '%Y-%m-%dT%H:%M:%SZ') AS started_at,
               CASE WHEN {number.format(10, 50)} = 0 THEN 'timeout' ELSE 'success' END AS status
        FROM (SELECT i, i // {MODELS * RUNS} AS task, i // {RUNS} % {MODELS} AS model, i % {RUNS} AS run
              FROM range($rows) AS made(i))
    """
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY ({query}) TO '{str(path).replace(chr(39), chr(39) * 2)}' (HEADER, DELIMITER ',')",
            {"rows": rows, "seed": SEED},
        )
