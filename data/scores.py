"""Named questions about scores that others published, and how their names meet what is loaded."""

from typing import Final

import pandas as pd

from data import origins
from data.contenders import Contender, contenders
from data.errors import InputError
from data.overlaps import SCORES
from data.sources import SourceFile
from data.store import Store

_SHOWN: Final = 12


def score_benchmarks(store: Store) -> pd.DataFrame:
    """One row a benchmark with published scores, by name.

    Columns: benchmark, models, scores, with_tasks (scores that say how many tasks stand behind them), metrics
    (tuple of text), first_date, last_date (ISO 8601, None unknown), last_import (UTC). Bound: benchmarks.
    """
    frame: pd.DataFrame = store.remembered(("score_benchmarks",), lambda: store.query(_BENCHMARKS)).copy()
    frame["metrics"] = pd.Series(
        [tuple(names) for names in frame["metrics"]], index=frame.index, dtype=object
    )
    return frame


_BENCHMARKS: Final = """
SELECT benchmark, count(DISTINCT model) AS models, count(*) AS scores, count(n_tasks) AS with_tasks,
       list(DISTINCT metric ORDER BY metric) AS metrics,
       strftime(min(date), '%Y-%m-%d') AS first_date, strftime(max(date), '%Y-%m-%d') AS last_date,
       strftime(max(imported_at), '%Y-%m-%dT%H:%M:%SZ') AS last_import
FROM published_live JOIN import_batch USING (batch) GROUP BY benchmark ORDER BY benchmark
"""


def published_scores(store: Store, benchmark: str) -> pd.DataFrame:
    """The published scores of a benchmark that count, by model, metric, date (undated last) and record.

    Columns: model, metric ('' unnamed), score (0..1), n_tasks, stderr (on 0..1; NaN unknown), date (ISO 8601,
    None unknown), provider, url (None unknown), entries, latest, batch, file, record_number. Of imports that
    hold the same model, metric and date the last one counts; ``entries`` is above 1 where one file holds
    several such rows, which all stand. ``latest`` marks one row a (model, metric): the latest date, and the
    last record of it. Bound: published scores of the benchmark.

    Raises:
        InputError: no score of the benchmark is loaded.
    """
    frame: pd.DataFrame = store.remembered(
        ("published_scores", benchmark), lambda: store.query(_SCORES, {"benchmark": benchmark})
    ).copy()
    if frame.empty:
        known = [str(name) for name in score_benchmarks(store)["benchmark"]]
        listed = f"loaded: {', '.join(known[:_SHOWN])}" if known else "none are loaded"
        raise InputError(f"no published scores for benchmark {benchmark!r}; {listed}")
    frame["n_tasks"] = frame["n_tasks"].astype("float64")
    return frame


_SCORES: Final = """
SELECT model, metric, score, n_tasks, stderr, strftime(date, '%Y-%m-%d') AS date, provider, url,
       count(*) OVER (PARTITION BY model, metric, date) AS entries,
       row_number() OVER (PARTITION BY model, metric ORDER BY date DESC NULLS LAST, batch DESC,
                          record_number DESC) = 1 AS latest,
       batch, file, record_number
FROM published_live JOIN (SELECT batch, file FROM import_batch) AS origin USING (batch)
WHERE benchmark = $benchmark
ORDER BY model, metric, date NULLS LAST, batch, record_number
"""


def published_beside_loaded(store: Store, benchmark: str) -> pd.DataFrame:
    """One row a published model: the loaded contender of the benchmark it can be set beside.

    Columns: model, contender (None where there is none), match: ``exact`` (the contender's name, or the name
    of a model with one contender), ``spelling`` (they differ in capitals, spaces and punctuation alone, and
    no other does), or None. Bound: published models.

    Raises:
        InputError: no score of the benchmark is loaded.
    """
    models = published_scores(store, benchmark)["model"].drop_duplicates()
    loaded = contenders(store, benchmark)
    rows = [(model, *_match(str(model), loaded)) for model in models]
    return pd.DataFrame(rows, columns=pd.Index(["model", "contender", "match"]), dtype=object)


def _match(model: str, loaded: tuple[Contender, ...]) -> tuple[str | None, str | None]:
    named = [one.name for one in loaded if one.name == model]
    exact = named or [one.name for one in loaded if one.model == model]
    if len(exact) == 1:
        return exact[0], "exact"
    close = [one.name for one in loaded if _bare(model) in (_bare(one.name), _bare(one.model))]
    if not exact and len(close) == 1:
        return close[0], "spelling"
    return None, None


def _bare(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum() or letter in "+.")


def score_sources(store: Store, benchmark: str) -> tuple[SourceFile, ...]:
    """The imports that published scores of a benchmark come from, oldest first. Bound: imports."""
    return origins.sources(store, SCORES, benchmark)


def score_fingerprint(store: Store, benchmark: str) -> str:
    """SHA-256 that changes when, and only when, the published scores of a benchmark change."""
    return origins.fingerprint(store, SCORES, benchmark)
