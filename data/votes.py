"""Named questions about pairwise votes, each with a declared bound; votes are counted in the store.

Counts are integers and points are exact sums (decimals with 15 places), whatever the thread count. A vote
gives its points to model A of the row: 1, 0.5 in a tie, 0, or a share where preferences are graded. A vote
without an outcome is dropped: counted beside the others, part of no sum.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from data import origins
from data.errors import InputError
from data.origins import CHOSEN
from data.overlaps import VOTES
from data.rows import one_value
from data.sources import SourceFile
from data.store import Store

Cluster = Literal["prompt_id", "judge"]

MOST_CELLS: Final = 1_000_000
_SHOWN: Final = 12

#: Rows of one oriented pair and outcome come together first, so that few are added exactly.
_SUMS: Final = """
    CAST(coalesce(sum(rows) FILTER (points IS NOT NULL), 0) AS BIGINT) AS votes,
    CAST(coalesce(sum(rows) FILTER (points > 0.5), 0) AS BIGINT) AS a_wins,
    CAST(coalesce(sum(rows) FILTER (points < 0.5), 0) AS BIGINT) AS b_wins,
    CAST(coalesce(sum(rows) FILTER (points = 0.5), 0) AS BIGINT) AS ties,
    CAST(coalesce(sum(rows) FILTER (points IS NULL), 0) AS BIGINT) AS dropped,
    CAST(coalesce(sum(rows * CAST(points AS DECIMAL(18, 15))), 0) AS DOUBLE) AS points,
    CAST(coalesce(sum(rows * CAST(points * points AS DECIMAL(18, 15))), 0) AS DOUBLE) AS points_squares
"""
#: A pair is written in one order: with a reference as model B, else by name.
_TURNED: Final = "CASE WHEN $reference IS NULL THEN model_a > model_b ELSE model_a = $reference END"
_ORIENTED: Final = f"""
    SELECT CASE WHEN turned THEN model_b ELSE model_a END AS model_a,
           CASE WHEN turned THEN model_a ELSE model_b END AS model_b,
           CASE WHEN turned THEN translate(position, 'ab', 'ba') ELSE position END AS first,
           CASE WHEN turned THEN 1 - outcome ELSE outcome END AS points, rows
    FROM (SELECT model_a, model_b, position, outcome, count(*) AS rows, {_TURNED} AS turned FROM {{source}}
          WHERE {CHOSEN} AND ($reference IS NULL OR model_a = $reference OR model_b = $reference)
          GROUP BY model_a, model_b, position, outcome)
"""


def vote_benchmarks(store: Store) -> pd.DataFrame:
    """One row a benchmark with votes, by name ('' where files named none).

    Columns: benchmark, models, pairs, votes, ties, dropped, prompts, judges, positions (votes that say whose
    answer was shown first), last_import (UTC, ISO 8601). Bound: benchmarks.
    """
    return _once(store, ("vote_benchmarks",), lambda: store.query(_BENCHMARKS))


_BENCHMARKS: Final = """
WITH counted AS (
    SELECT benchmark, count(outcome) AS votes, count(*) FILTER (outcome = 0.5) AS ties,
           count(*) - count(outcome) AS dropped, count(DISTINCT prompt_id) AS prompts,
           count(DISTINCT judge) AS judges, count(position) AS positions, max(batch) AS batch
    FROM vote GROUP BY benchmark
), pair AS (
    SELECT DISTINCT benchmark, least(model_a, model_b) AS low, greatest(model_a, model_b) AS high FROM vote
), pairs AS (
    SELECT benchmark, count(*) AS pairs FROM pair GROUP BY benchmark
), models AS (
    SELECT benchmark, count(DISTINCT model) AS models
    FROM (SELECT benchmark, unnest([low, high]) AS model FROM pair) GROUP BY benchmark
)
SELECT benchmark, models, pairs, votes, ties, dropped, prompts, judges, positions,
       strftime(imported_at, '%Y-%m-%dT%H:%M:%SZ') AS last_import
FROM counted JOIN pairs USING (benchmark) JOIN models USING (benchmark) JOIN import_batch USING (batch)
ORDER BY benchmark
"""


def vote_counts(store: Store, benchmark: str | None = None, reference: str | None = None) -> pd.DataFrame:
    """One row a pair of models: votes and points of model A against model B, sorted by both.

    Columns: model_a, model_b (by name; with ``reference`` only its pairs, and it is model B of each), votes
    (with an outcome), a_wins, b_wins, ties, dropped (counts), points and points_squares (sums over votes of
    the points of model A, 0 to 1 each, and of their squares). The mean is points / votes and its variance
    (points_squares - points**2 / votes) / (votes - 1) / votes. ``benchmark`` None: the votes of all
    together. Bound: pairs.

    Raises:
        InputError: there are no votes of the benchmark, or none of the reference.
    """
    frame = _once(
        store,
        ("vote_counts", benchmark, reference),
        lambda: store.query(
            f"SELECT model_a, model_b, {_SUMS} FROM ({_ORIENTED.format(source='vote')}) "
            "GROUP BY model_a, model_b ORDER BY model_a, model_b",
            {"benchmark": benchmark, "reference": reference},
        ),
    )
    if frame.empty:
        raise InputError(_nothing(store, benchmark, reference))
    return frame


def vote_counts_by_position(store: Store, benchmark: str | None = None) -> pd.DataFrame:
    """As :func:`vote_counts`, with one row for each pair and ``first``, sorted by these.

    ``first`` is ``a`` or ``b``, the model of the row whose answer was shown first; None where no file says.
    Bound: three times the pairs.

    Raises:
        InputError: there are no votes of the benchmark.
    """
    frame = _once(
        store,
        ("vote_counts_by_position", benchmark),
        lambda: store.query(
            f"SELECT model_a, model_b, first, {_SUMS} FROM ({_ORIENTED.format(source='vote')}) "
            "GROUP BY model_a, model_b, first ORDER BY model_a, model_b, first NULLS LAST",
            {"benchmark": benchmark, "reference": None},
        ),
    )
    if frame.empty:
        raise InputError(_nothing(store, benchmark, None))
    return frame


def _nothing(store: Store, benchmark: str | None, reference: str | None) -> str:
    known = [str(name) for name in vote_benchmarks(store)["benchmark"]]
    if not known:
        return "no votes are loaded; import some with --kind votes"
    if benchmark is not None and benchmark not in known:
        listed = ", ".join(name or "(no name)" for name in known[:_SHOWN])
        return f"no votes for benchmark {benchmark!r}; loaded: {listed}"
    frame = vote_counts(store, benchmark)
    models = sorted({*frame["model_a"], *frame["model_b"]})
    more = f" and {len(models) - _SHOWN} more" if len(models) > _SHOWN else ""
    return f"no votes on {reference!r}; the models are {', '.join(models[:_SHOWN])}{more}"


@dataclass(frozen=True)
class VoteClusters:
    """Votes by prompt or judge, for errors that allow for votes that move together.

    ``cells`` has one row a (cluster, pair, points), sorted: cluster, model_a, model_b (codes from 0; models
    by place in ``models``, model_a < model_b), points (of model A), votes; clusters of several votes only.
    ``single`` has the same columns without cluster, for votes that stand alone: the only one of their
    cluster, or of none; each is a cluster of its own. ``clusters`` counts those in ``cells``; where the cells
    would be too many, whole clusters were put together at random but always alike (``merged``), which keeps
    cluster-robust errors valid and costs degrees of freedom alone.
    """

    models: tuple[str, ...]
    cells: pd.DataFrame
    single: pd.DataFrame
    clusters: int
    merged: bool


def vote_clusters(
    store: Store, benchmark: str | None = None, by: Cluster = "prompt_id", *, most_cells: int = MOST_CELLS
) -> VoteClusters:
    """Votes with an outcome, by prompt (of its benchmark) or by judge.

    Bound: ``most_cells`` times the outcomes there are (three unless preferences are graded), and pairs.

    Raises:
        InputError: there are no votes of the benchmark.
    """
    counts = vote_counts(store, benchmark)
    key = ("vote_clusters", benchmark, by, most_cells)
    found = store.remembered(key, lambda: _read_clusters(store, benchmark, by, most_cells, len(counts)))
    return replace(found, cells=found.cells.copy(), single=found.single.copy())


def _read_clusters(
    store: Store, benchmark: str | None, by: Cluster, most_cells: int, pairs: int
) -> VoteClusters:
    key, within = ("judge", "''") if by == "judge" else ("prompt_id", "benchmark")
    parts = _PARTS.format(key=key, within=within)
    bound: dict[str, Any] = {"benchmark": benchmark}
    with store.snapshot() as cursor:
        models = cursor.execute(f"WITH {parts} SELECT model FROM models ORDER BY code", bound).fetchall()
        votes = int(one_value(cursor, f"WITH {parts} SELECT count(*) FROM decided", bound))
        merged = False
        if votes > most_cells:
            groups = max(1, most_cells // pairs)
            merged = one_value(cursor, f"WITH {parts} SELECT count(*) FROM clusters", bound) > groups
        code = "cluster"
        if merged:
            code = _GROUP
            bound["groups"] = groups
        found = cursor.execute(_CELLS.format(parts=parts, code=code), bound).fetchnumpy()
    names = tuple(str(name) for (name,) in models)
    frame = _unpacked(found, len(names))
    alone = frame["cluster"] < 0
    cells = frame.loc[~alone].reset_index(drop=True)
    single = frame.loc[alone].drop(columns="cluster").reset_index(drop=True)
    return VoteClusters(names, cells, single, int(cells["cluster"].nunique()), merged=merged)


def _unpacked(found: Mapping[str, Any], models: int) -> pd.DataFrame:
    """The cells of packed keys, in the order of the keys: sorting numbers here beats sorting rows there."""
    order = np.lexsort((found["points"], found["cell"]))
    cell = found["cell"][order]
    return pd.DataFrame(
        {
            "cluster": cell // (models * models),
            "model_a": cell // models % models,
            "model_b": cell % models,
            "points": found["points"][order],
            "votes": found["votes"][order],
        }
    )


_PARTS: Final = f"""
decided AS (
    SELECT {{within}} AS place, {{key}} AS key, model_a, model_b, outcome
    FROM vote WHERE outcome IS NOT NULL AND {CHOSEN}
), models AS (
    SELECT model, row_number() OVER (ORDER BY model) - 1 AS code
    FROM (SELECT model_a AS model FROM decided UNION SELECT model_b FROM decided)
), clusters AS (
    SELECT place, key, row_number() OVER (ORDER BY place, key) - 1 AS cluster
    FROM decided WHERE key IS NOT NULL GROUP BY place, key HAVING count(*) > 1
)
"""
#: A number made from a cluster's name alone, so that other clusters do not move it.
_GROUP: Final = "CAST(md5_number_lower(place || chr(31) || key) % $groups AS BIGINT)"
#: One whole number a (cluster, pair): cluster -1 for votes that stand alone.
_CELLS: Final = """
WITH {parts}, coded AS (
    SELECT place, key, {code} AS cluster FROM clusters
), turned AS (
    SELECT (coalesce(cluster, -1) * (SELECT count(*) FROM models) + least(a.code, b.code))
               * (SELECT count(*) FROM models) + greatest(a.code, b.code) AS cell,
           CASE WHEN a.code < b.code THEN outcome ELSE 1 - outcome END AS points
    FROM decided LEFT JOIN coded USING (place, key) JOIN models AS a ON a.model = decided.model_a
    JOIN models AS b ON b.model = decided.model_b
)
SELECT cell, points, count(*) AS votes FROM turned GROUP BY cell, points
"""


def vote_agreement(store: Store, benchmark: str | None = None) -> pd.DataFrame:
    """How often judgements of one prompt and pair agree: one row a pattern, sorted.

    Columns: a_wins, b_wins, ties (judgements of one pair on one prompt, two or more in all), units (prompts
    and pairs that were judged so). Enough for shares of agreement and nominal alpha. Empty where nothing was
    judged twice. Bound: patterns.

    Raises:
        InputError: there are no votes of the benchmark.
    """
    vote_counts(store, benchmark)
    return _once(
        store,
        ("vote_agreement", benchmark),
        lambda: store.query(_AGREEMENT, {"benchmark": benchmark}),
    )


_AGREEMENT: Final = f"""
SELECT a_wins, b_wins, ties, count(*) AS units FROM (
    SELECT count(*) FILTER (points > 0.5) AS a_wins, count(*) FILTER (points < 0.5) AS b_wins,
           count(*) FILTER (points = 0.5) AS ties
    FROM (
        SELECT benchmark, prompt_id, least(model_a, model_b) AS low, greatest(model_a, model_b) AS high,
               CASE WHEN model_a < model_b THEN outcome ELSE 1 - outcome END AS points
        FROM vote WHERE outcome IS NOT NULL AND prompt_id IS NOT NULL AND {CHOSEN}
    ) GROUP BY benchmark, prompt_id, low, high HAVING count(*) > 1
) GROUP BY a_wins, b_wins, ties ORDER BY a_wins, b_wins, ties
"""


def _once(store: Store, key: tuple[Any, ...], compute: Callable[[], pd.DataFrame]) -> pd.DataFrame:
    return store.remembered(key, compute).copy()


def vote_sources(store: Store, benchmark: str | None = None) -> tuple[SourceFile, ...]:
    """The imports that votes of a benchmark (None: all) come from, oldest first. Bound: imports."""
    return origins.sources(store, VOTES, benchmark)


def vote_fingerprint(store: Store, benchmark: str | None = None) -> str:
    """SHA-256 that changes when, and only when, the votes of a benchmark (None: all) change."""
    return origins.fingerprint(store, VOTES, benchmark)
