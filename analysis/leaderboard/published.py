"""Scores known only as numbers: what difference between them could be noise."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis import wording
from analysis.leaderboard.result import Verdict
from analysis.results import Finding, ordered
from analysis.statistics.intervals import normal_quantile, wilson
from analysis.statistics.paired import t_p_value


@dataclass(frozen=True)
class PublishedScore:
    """A score (0..1) from a paper or a board; ``stderr`` when it was published with one, ``date`` in ISO."""

    model: str
    score: float
    n_tasks: int | None = None
    stderr: float | None = None
    date: str | None = None


@dataclass(frozen=True)
class ScoredModel:
    """A published score with its error and interval; None where neither error nor task count is known."""

    model: str
    score: float
    n_tasks: int | None
    stderr: float | None
    low: float | None
    high: float | None
    date: str | None


@dataclass(frozen=True)
class PublishedPair:
    """``a`` minus ``b`` under an assumed correlation of their outcomes on shared tasks."""

    a: str
    b: str
    difference: float
    se: float | None
    low: float | None
    high: float | None
    p: float | None
    verdict: Verdict
    reason: str


@dataclass(frozen=True)
class PublishedScores:
    """All published scores, best first, one pair when two were asked for, and what to know."""

    models: tuple[ScoredModel, ...]
    pairs: tuple[PublishedPair, ...]
    correlation: float
    confidence: float
    findings: tuple[Finding, ...]


def published(
    scores: Sequence[PublishedScore],
    *,
    a: str | None = None,
    b: str | None = None,
    tasks: int | None = None,
    correlation: float = 0.0,
    margin: float = 0.02,
    confidence: float = 0.95,
    own: Mapping[str, tuple[float, int]] | None = None,
) -> PublishedScores:
    """Read published scores with care.

    The error is the published one, else binomial sqrt(p (1 - p) / n) from the task count, else unknown: no
    interval is invented. SE^2 of a difference = SE_a^2 + SE_b^2 - 2 r SE_a SE_b.

    Args:
        scores: of one benchmark, one a model.
        a: first model to compare.
        b: second one.
        tasks: task count where a score has none.
        correlation: assumed of the two models' outcomes over tasks; 0 for different tasks.
        margin: gap that matters.
        confidence: of all intervals.
        own: (mean, tasks) of results at hand, to hold against the published scores.

    Raises:
        KeyError: ``a`` or ``b`` is not among the scores.
        ValueError: a correlation outside -1..1 or a task count below 1.
    """
    if not -1 <= correlation <= 1:
        raise ValueError(f"a correlation lies between -1 and 1, not {correlation:g}")
    if tasks is not None and tasks < 1:
        raise ValueError("a task count must be at least 1")
    models = tuple(
        _with_error(score, tasks, confidence) for score in sorted(scores, key=lambda s: (-s.score, s.model))
    )
    by_name = {model.model: model for model in models}
    pairs: tuple[PublishedPair, ...] = ()
    if a is not None and b is not None:
        pairs = (_pair(by_name[a], by_name[b], correlation, margin),)
    found = [
        *_unknown(models),
        *_against_own(models, own or {}, confidence),
        *_assumption(pairs, correlation),
    ]
    return PublishedScores(models, pairs, correlation, confidence, ordered(tuple(found)))


def _with_error(score: PublishedScore, tasks: int | None, confidence: float) -> ScoredModel:
    count = score.n_tasks if score.n_tasks is not None else tasks
    error, low, high = score.stderr, None, None
    if error is not None:
        half = normal_quantile(confidence) * error
        low, high = max(0.0, score.score - half), min(1.0, score.score + half)
    elif count:
        error = math.sqrt(score.score * (1 - score.score) / count)
        low, high = wilson(score.score * count, count, confidence)
    return ScoredModel(score.model, score.score, count, error, low, high, score.date)


def _pair(first: ScoredModel, second: ScoredModel, correlation: float, margin: float) -> PublishedPair:
    gap = first.score - second.score
    if first.stderr is None or second.stderr is None:
        reason = "neither an error nor a task count is known; give the number of tasks"
        return PublishedPair(first.model, second.model, gap, None, None, None, None, "undecided", reason)
    variance = first.stderr**2 + second.stderr**2 - 2 * correlation * first.stderr * second.stderr
    se = math.sqrt(max(variance, 0.0))
    low, high = _limits(first, second, correlation)
    if high - low < 1e-12:
        reason = "under this correlation nothing is left to chance, which is so of no benchmark"
        return PublishedPair(first.model, second.model, gap, se, None, None, None, "undecided", reason)
    p = float(t_p_value(gap, se, math.inf)) if se > 0 else None
    verdict: Verdict = "undecided"
    reason = f"a gap below {wording.points((high - low) / 2)} could be noise"
    if low > 0 or high < 0:
        verdict, reason = ("better" if low > 0 else "worse"), ""
    elif -margin < low and high < margin:
        verdict, reason = "equivalent", ""
    return PublishedPair(first.model, second.model, gap, se, low, high, p, verdict, reason)


def _limits(first: ScoredModel, second: ScoredModel, correlation: float) -> tuple[float, float]:
    """Limits of the difference from those of both scores, which keep their width at 0 % and 100 %.

    (Zou and Donner 2008; with Wilson's limits, the form of Newcombe's method 10.)
    """
    if first.low is None or first.high is None or second.low is None or second.high is None:
        raise AssertionError("a score with an error has limits")
    gap = first.score - second.score
    below, above = first.score - first.low, second.high - second.score
    down = math.sqrt(max(0.0, below**2 - 2 * correlation * below * above + above**2))
    above, below = first.high - first.score, second.score - second.low
    up = math.sqrt(max(0.0, above**2 - 2 * correlation * above * below + below**2))
    return max(-1.0, gap - down), min(1.0, gap + up)


def _unknown(models: tuple[ScoredModel, ...]) -> list[Finding]:
    bare = [model.model for model in models if model.stderr is None]
    if not bare:
        return []
    verb = "has" if len(bare) == 1 else "have"
    return [
        Finding(
            "unknown",
            f"{wording.sentence_list(bare, 4)} {verb} neither an error nor a task count, so no interval.",
            "Give the number of tasks to see what could be noise.",
        )
    ]


def _against_own(
    models: tuple[ScoredModel, ...], own: Mapping[str, tuple[float, int]], confidence: float
) -> list[Finding]:
    """Published scores that results at hand contradict: apart by more than both errors allow."""
    found = []
    for model in models:
        if model.model not in own:
            continue
        mean, count = own[model.model]
        variance = mean * (1 - mean) / count if count else 0.0
        allowed = normal_quantile(confidence) * math.sqrt(variance + (model.stderr or 0.0) ** 2)
        if abs(model.score - mean) > max(allowed, 1e-9):
            found.append(
                Finding(
                    "bad",
                    f"{model.model} is published at {wording.share(model.score)} but scores "
                    f"{wording.share(mean)} in your {wording.plural(count, 'task')}.",
                    "Another version, harness or task set, or a wrong row; find out before you rely on it.",
                )
            )
    return found


def _assumption(pairs: tuple[PublishedPair, ...], correlation: float) -> list[Finding]:
    if not pairs or pairs[0].se is None:
        return []
    return [
        Finding(
            "caution",
            f"The interval assumes a correlation of {wording.number(correlation, 0.05)} between outcomes on "
            "the tasks; results by task would measure it.",
            "Models that fail on the tasks others fail on have a positive one, which narrows the interval.",
        )
    ]
