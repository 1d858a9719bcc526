"""Scores of an Inspect log: letters, numbers, truth values and dictionaries as named metrics."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from data.importing.formats.inspect_sample import UNNAMED_SCORER, Sample
from data.importing.formats.inspect_text import clean

METRIC_COUNT = 64
_WORDS = frozenset({"c", "p", "i", "n", "yes", "no", "true", "false"})


def score_text(value: Any) -> str | None:
    """A scalar score as text, or None: unscored.

    Letters and words stay as they are (C and P are 1 and 0.5; I and N, no answer, are 0, as in Inspect's own
    metrics), so that a scale the person gives applies to numbers alone. NaN is Inspect's mark for
    "could not be scored" and is unscored, as is every text that is neither a letter, a number nor yes/no:
    Inspect itself counts such a text as 0, which would turn a broken scorer into a failing model.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value) if math.isfinite(value) else None
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text.lower() in _WORDS:
        return text
    try:
        number = float(text)
    except ValueError:
        return None
    return repr(number) if math.isfinite(number) else None


def metric_values(scores: Mapping[str, Any], nested: frozenset[str]) -> dict[str, Any]:
    """Raw values by metric: the scorer's name, or ``scorer/key`` for a scorer that returns a dictionary.

    ``nested`` are the scorers that return dictionaries in this log; a lone NaN of such a scorer names no
    metric.
    """
    values: dict[str, Any] = {}
    for scorer, value in scores.items():
        if isinstance(value, dict):
            values.update({f"{scorer}/{clean(key)}": inner for key, inner in value.items()})
        elif scorer not in nested or score_text(value) is not None:
            values[scorer] = value
    return values


def is_share(text: str | None) -> bool:
    """Whether a score's text is unscored, a word, or a number from 0 to 1."""
    return text is None or text.lower() in _WORDS or 0 <= float(text) <= 1


def nested_scorers(samples: Iterable[Sample]) -> frozenset[str]:
    """Scorers that returned a dictionary for at least one sample."""
    return frozenset(
        scorer for sample in samples for scorer, value in sample.scores.items() if isinstance(value, dict)
    )


def metric_names(samples: Sequence[Sample], nested: frozenset[str]) -> tuple[str, ...]:
    """All metrics of a log in the order of first appearance."""
    return tuple(dict.fromkeys(name for sample in samples for name in metric_values(sample.scores, nested)))


def published_scores(header: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The score blocks of ``results``; logs before named scorers hold one under ``scorer``."""
    results = header.get("results")
    if not isinstance(results, dict):
        return []
    scores = results.get("scores")
    if not isinstance(scores, list):
        old = results.get("scorer")
        scores = [{**old, "metrics": results.get("metrics")}] if isinstance(old, dict) else []
    return [score for score in scores if isinstance(score, dict)]


def headline(header: Mapping[str, Any], metrics: Sequence[str]) -> str | None:
    """The metric a log leads with: the first of ``results.scores`` in the samples, else their first."""
    for score in published_scores(header):
        name, scorer = clean(score.get("name") or ""), clean(score.get("scorer") or "")
        for candidate in (f"{scorer}/{name}", name, scorer):
            if candidate in metrics:
                return candidate
    return metrics[0] if metrics else None


def name_unnamed(samples: Iterable[Sample], header: Mapping[str, Any]) -> dict[str, str]:
    """The one score of a log from before named scorers takes the name its results give."""
    if not any(UNNAMED_SCORER in sample.scores for sample in samples):
        return {}
    named = published_scores(header)
    return {UNNAMED_SCORER: clean(named[0].get("name") or "score") if named else "score"}
