"""Which of the models that could be first is the cheapest, and which the fastest."""

from collections.abc import Callable

from analysis import wording
from analysis.leaderboard.result import Leaderboard, ModelScore
from analysis.results import Finding


def choice_findings(result: Leaderboard) -> tuple[Finding, ...]:
    """Cost and speed among the possible best; a model where either is unknown is named, never first."""
    first = [score for score in result.models if score.possible_best]
    if len(first) < 2:
        return ()
    found = (
        _least(first, "cost", lambda score: score.cost_per_task if _currency(first) else None, _money(first)),
        _least(
            first, "speed", lambda score: score.latency_ms, lambda value: f"{wording.latency(value)} a run"
        ),
    )
    return tuple(finding for finding in found if finding is not None)


def _currency(first: list[ModelScore]) -> str | None:
    """The one currency of all known costs; None where there are several, which are never compared."""
    named = {score.currency for score in first if score.cost_per_task is not None}
    return named.pop() if len(named) == 1 else None


def _money(first: list[ModelScore]) -> Callable[[float], str]:
    currency = _currency(first) or "USD"
    return lambda value: f"{wording.money(value, currency)} a task"


def _least(
    first: list[ModelScore],
    what: str,
    value_of: Callable[[ModelScore], float | None],
    written: Callable[[float], str],
) -> Finding | None:
    known = {score.model: value for score in first if (value := value_of(score)) is not None}
    if not known:
        return None
    best = min(known, key=lambda model: (known[model], model))
    unknown = [score.model for score in first if score.model not in known]
    word = {"cost": "cheapest", "speed": "fastest"}[what]
    others = len(known) - 1
    text = f"Of the {len(first)} models that could be first, {best} is the {word} at {written(known[best])}."
    if not others:
        text = f"Among the {len(first)} models that could be first, only the {what} of {best} is known."
    reason = ""
    if unknown:
        reason = f"the {what} of {wording.sentence_list(unknown, most=3)} is unknown"
    return Finding("caution" if unknown else "good", text, reason)
