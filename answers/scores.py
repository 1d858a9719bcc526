"""How much of a gap between published scores may be noise, and whether own results agree."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis import wording
from analysis.figures import Forest, ForestRow
from analysis.leaderboard.published import (
    PublishedPair,
    PublishedScore,
    PublishedScores,
    ScoredModel,
    published,
)
from analysis.results import Status
from answers.base import Answer, Column, Fact, Headline, Question, Table
from answers.parameters import Parameters, parameter
from data import provenance, queries, scores
from data.errors import InputError
from data.store import Store

_VERDICTS: dict[str, tuple[Status, str]] = {
    "better": ("good", "Better"),
    "worse": ("bad", "Worse"),
    "equivalent": ("caution", "Within the margin"),
    "undecided": ("undecided", "Undecided"),
}
_CONTRADICTED: tuple[Status, str] = ("caution", "Contradicted")
#: Scores drawn, the highest; the table has all.
MOST_ROWS = 30


@dataclass(frozen=True, kw_only=True)
class ScoresParameters(Parameters):
    """What can be asked about published scores."""

    benchmark: str = parameter(help="the benchmark, as named in the files")
    a: str | None = parameter(default=None, help="one model to compare")
    b: str | None = parameter(default=None, help="the other model")
    tasks: int | None = parameter(
        default=None,
        low=1,
        high=10_000_000,
        help="how many tasks the benchmark has, where the file does not say",
    )
    correlation: float = parameter(
        default=0.0,
        low=-1.0,
        high=1.0,
        help="of both models' results over shared tasks (0: unknown, careful)",
    )
    margin: float = parameter(
        default=0.02, low=0.0, high=1.0, unit="share", help="the smallest difference that matters to you"
    )
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of every interval"
    )
    metric: str | None = parameter(default=None, help="which metric, where the scores have several")


def ask(store: Store, parameters: ScoresParameters) -> Answer:
    """Read the published scores of one benchmark.

    Raises:
        InputError: none are loaded, a model is not among them, or only one of two models is given.
    """
    frame = _chosen(scores.published_scores(store, parameters.benchmark), parameters)
    names = list(frame["model"])
    for flag, name in (("--a", parameters.a), ("--b", parameters.b)):
        if name is not None and name not in names:
            raise InputError(f"{flag} {name!r} has no published score on {parameters.benchmark!r}")
    if (parameters.a is None) != (parameters.b is None):
        raise InputError("give both --a and --b, or neither")
    result = published(
        [_score(row) for row in frame.to_dict("records")],
        a=parameters.a,
        b=parameters.b,
        tasks=parameters.tasks,
        correlation=parameters.correlation,
        margin=parameters.margin,
        confidence=parameters.confidence,
        own=_own(store, parameters.benchmark),
    )
    return Answer(
        question=QUESTION.name,
        asked=_asked(parameters),
        parameters=parameters,
        headline=_headline(result, parameters.benchmark),
        findings=result.findings,
        payload={
            "models": [asdict(model) for model in result.models],
            "pairs": [asdict(pair) for pair in result.pairs],
        },
        tables=_tables(result),
        figures=_figures(result, parameters.benchmark),
        sources=scores.score_sources(store, parameters.benchmark),
        fingerprint=_fingerprint(store, parameters),
        method=(
            "The error of a score is the published one, else binomial from the number of tasks, else "
            f"unknown. Both models' results are taken to correlate by {parameters.correlation:g} over tasks; "
            "on shared tasks the true value is usually above 0, so 0 is careful."
        ),
        revision=store.revision,
        result=result,
    )


def _chosen(frame: pd.DataFrame, parameters: ScoresParameters) -> pd.DataFrame:
    metrics = sorted(set(frame["metric"]))
    wanted = parameters.metric if parameters.metric is not None else metrics[0]
    if wanted not in metrics:
        raise InputError(f"--metric {wanted!r} is not among the published ones: {', '.join(metrics)}")
    return frame[frame["latest"].astype(bool) & (frame["metric"] == wanted)]


def _score(row: dict[Any, Any]) -> PublishedScore:
    return PublishedScore(
        model=str(row["model"]),
        score=float(row["score"]),
        n_tasks=None if np.isnan(row["n_tasks"]) else int(row["n_tasks"]),
        stderr=None if np.isnan(row["stderr"]) else float(row["stderr"]),
        date=row["date"],
    )


def _own(store: Store, benchmark: str) -> dict[str, tuple[float, int]]:
    """Mean and tasks of loaded results, under the published model's name."""
    if benchmark not in set(queries.benchmarks(store)["benchmark"]):
        return {}
    beside = scores.published_beside_loaded(store, benchmark)
    cells = queries.eval_cells(store, benchmark)
    cells = cells[cells["scored"] > 0]
    means = (cells["score_sum"] / cells["scored"]).groupby(cells["contender"]).agg(["mean", "size"])
    return {
        str(row["model"]): (
            float(means.loc[row["contender"], "mean"]),
            int(means.loc[row["contender"], "size"]),
        )
        for row in beside.to_dict("records")
        if row["contender"] is not None and row["contender"] in means.index
    }


def _fingerprint(store: Store, parameters: ScoresParameters) -> str:
    own = provenance.fingerprint(store, parameters.benchmark)
    return f"{scores.score_fingerprint(store, parameters.benchmark)}+{own}"


def _asked(parameters: ScoresParameters) -> str:
    if parameters.a is not None:
        return f"Could the published gap between {parameters.a} and {parameters.b} be noise?"
    return f"How far can the published scores of {parameters.benchmark} be trusted?"


def _headline(result: PublishedScores, benchmark: str) -> Headline:
    if result.pairs:
        return _pair_headline(result.pairs[0], _contradiction(result))
    best = result.models[0]
    against = [finding for finding in result.findings if finding.status in ("bad", "caution")]
    if best.stderr is None:
        return Headline(
            "unknown",
            "Error unknown",
            f"{best.model} is published at {wording.share(best.score)} of {benchmark}, without an error.",
            "Say how many tasks the benchmark has to see what gap could be noise.",
            (Fact("Scores", wording.count(len(result.models))),),
        )
    close = [model for model in result.models[1:] if _overlaps(best, model)]
    could = wording.plural(len(close), "other")
    return Headline(
        "caution" if against else "undecided" if close else "good",
        "Contradicted" if against else "Undecided" if close else "Ahead",
        f"{best.model} leads at {wording.share(best.score)}; {could} could be ahead.",
        against[0].text if against else "Pick two models to see what gap between them could be noise.",
        (
            Fact("Interval", _interval(best.low, best.high)),
            Fact("Scores", wording.count(len(result.models))),
        ),
    )


def _overlaps(best: ScoredModel, other: ScoredModel) -> bool:
    if best.stderr is None or other.stderr is None:
        return False
    gap = best.score - other.score
    return gap < 1.96 * float(np.hypot(best.stderr, other.stderr))


def _interval(low: float | None, high: float | None) -> str:
    return "no interval" if low is None or high is None else wording.interval(low, high, "share")


def _contradiction(result: PublishedScores) -> str:
    """What own results say against a score of the pair; empty where they say nothing against it."""
    pair = result.pairs[0]
    starts = tuple(f"{name} is published" for name in (pair.a, pair.b))
    said = [item.text for item in result.findings if item.status == "bad" and item.text.startswith(starts)]
    return said[0] if said else ""


def _pair_headline(pair: PublishedPair, contradiction: str) -> Headline:
    status, word = _CONTRADICTED if contradiction else _VERDICTS[pair.verdict]
    if pair.se is None:
        status, word = "unknown", "Error unknown"
    gap = wording.points(pair.difference, signed=True)
    interval = "no interval"
    if pair.low is not None and pair.high is not None:
        interval = wording.interval(pair.low, pair.high, "points", signed=True)
    return Headline(
        status,
        word,
        f"{pair.a} against {pair.b}: {gap}, published.",
        contradiction or (f"{pair.reason[:1].upper()}{pair.reason[1:]}." if pair.reason else ""),
        (
            Fact("Interval", f"{interval} points" if pair.low is not None else interval),
            Fact("p", wording.p_number(pair.p)),
        ),
    )


def _tables(result: PublishedScores) -> tuple[Table, ...]:
    columns = (
        Column("model", "Model"),
        Column("score", "Published", "share"),
        Column("low", "Interval from", "share"),
        Column("high", "Interval to", "share"),
        Column("stderr", "Standard error", "spread"),
        Column("n_tasks", "Tasks", "count"),
        Column("date", "Date"),
    )
    rows = tuple(tuple(getattr(model, column.name) for column in columns) for model in result.models)
    pair_columns = (
        Column("a", "Model"),
        Column("b", "Against"),
        Column("difference", "Difference", "points"),
        Column("low", "Interval from", "points"),
        Column("high", "Interval to", "points"),
        Column("p", "p", "p"),
        Column("verdict", "Verdict"),
    )
    pairs = tuple(tuple(getattr(pair, column.name) for column in pair_columns) for pair in result.pairs)
    tables = (Table("published", "Published scores", columns, rows),)
    return (*tables, Table("published_pairs", "Pair", pair_columns, pairs)) if pairs else tables


def _figures(result: PublishedScores, benchmark: str) -> tuple[Forest, ...]:
    level = wording.level(result.confidence)
    first = result.models[0]
    half = None if first.low is None or first.high is None else (first.high - first.low) / 2
    title = f"{first.model} is published highest, at {wording.share(first.score, half)} of {benchmark}"
    return (
        Forest(
            name="published",
            title=title,
            subtitle=f"Dot: published score. Line: {level} interval from its error or its number of tasks.",
            rows=tuple(_forest_row(model, level) for model in result.models[:MOST_ROWS]),
            headers=("Published", f"{level} interval", "Tasks"),
            unit="share",
            axis_title="Published score",
            takeaway=f"{title}; {level} interval {_interval(first.low, first.high)}.",
        ),
    )


def _forest_row(model: ScoredModel, level: str) -> ForestRow:
    half = None if model.low is None or model.high is None else (model.high - model.low) / 2
    score, between = wording.share(model.score, half), _interval(model.low, model.high)
    return ForestRow(
        label=model.model,
        value=model.score,
        low=model.low,
        high=model.high,
        columns=(score, between, wording.count(model.n_tasks)),
        model=model.model,
        hover=f"published {score}; {level} interval {between}; "
        f"{wording.date(model.date) if model.date else 'date unknown'}",
    )


QUESTION = Question(
    name="scores",
    title="Read published scores with care: errors, a pair, own results beside them.",
    parameters=ScoresParameters,
    compute=ask,
    fingerprint=_fingerprint,
)
