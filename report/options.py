"""The options of a decision with their numbers, read off pinned leaderboards."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from analysis import wording
from answers.base import Unit
from report.evidence import Evidence
from report.plaintext import one_line


@dataclass(frozen=True)
class Measure:
    """One number of an option: raw value (shares 0..1, money in ``currency``), None for unknown."""

    name: str
    label: str
    unit: Unit
    value: float | None
    low: float | None = None
    high: float | None = None
    currency: str = ""
    verdict: str = ""  # of a difference: better, worse, equivalent, undecided
    note: str = ""  # what limits the number, such as "12 runs of unknown cost"


@dataclass(frozen=True)
class Option:
    """A contender as an option. ``rank_low`` to ``rank_high`` are the ranks the data leave open."""

    name: str
    measures: tuple[Measure, ...]
    rank_low: int | None
    rank_high: int | None
    baseline: bool
    recommended: bool
    chosen: bool


@dataclass(frozen=True)
class Board:
    """The options as one pinned leaderboard sees them, best first.

    ``against`` is the contender whose difference to each option is shown. ``leading`` are the contenders
    that may be the best, or with a baseline those shown to solve more than it.
    """

    evidence: str
    benchmark: str
    confidence: float | None
    simultaneous: bool  # differences hold for all pairs at once
    against: str
    baseline: str
    leading: tuple[str, ...]
    unsettled: bool  # leading contenders, or contenders and baseline, that the data do not order
    options: tuple[Option, ...]


def boards(
    pins: Iterable[Evidence], *, chosen: str = "", recommended: tuple[str, ...] = ()
) -> tuple[Board, ...]:
    """One board for each pinned leaderboard; other pins name no options."""
    return tuple(_board(pin, chosen, recommended) for pin in pins if pin.question == "leaderboard")


def _board(pin: Evidence, chosen: str, recommended: tuple[str, ...]) -> Board:
    models: list[Mapping[str, Any]] = pin.payload["models"]
    pairs: list[Mapping[str, Any]] = pin.payload["pairs"]
    baseline = pairs[0]["b"] if pin.parameters.get("baseline") and pairs else ""
    names = [model["model"] for model in models]
    leading = _ahead_of(baseline, pairs, names) if baseline else _may_be_best(models)
    against = next((name for name in (baseline, chosen, *recommended, *names) if name and name in names), "")
    return Board(
        evidence=pin.id,
        benchmark=str(pin.payload["benchmark"]),
        confidence=pin.parameters.get("confidence"),
        simultaneous=pin.parameters.get("correction") != "none",
        against=against,
        baseline=baseline,
        leading=leading,
        unsettled=_unsettled(baseline, leading, pairs),
        options=tuple(
            Option(
                name=model["model"],
                measures=_measures(model, against, pairs),
                rank_low=model["rank_low"],
                rank_high=model["rank_high"],
                baseline=model["model"] == baseline,
                recommended=(model["model"],) == recommended,
                chosen=model["model"] == chosen,
            )
            for model in models
        ),
    )


def _may_be_best(models: list[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(model["model"] for model in models if model["possible_best"])


def _ahead_of(baseline: str, pairs: list[Mapping[str, Any]], names: list[str]) -> tuple[str, ...]:
    ahead = {pair["a"] for pair in pairs if pair["b"] == baseline and pair["verdict"] == "better"}
    return tuple(name for name in names if name in ahead)


def _unsettled(baseline: str, leading: tuple[str, ...], pairs: list[Mapping[str, Any]]) -> bool:
    if baseline and not leading:
        return any(pair["verdict"] == "undecided" for pair in pairs)
    return len(leading) != 1


def _measures(model: Mapping[str, Any], against: str, pairs: list[Mapping[str, Any]]) -> tuple[Measure, ...]:
    unknown = model["unknown_cost_rows"]
    unit: Unit = "share"
    measures = [
        Measure("solved", "Solved", unit, model["mean"], model["low"], model["high"]),
        Measure(
            "cost_per_task",
            "Cost per task",
            "money",
            model["cost_per_task"],
            currency=model["currency"] or "",
            note=f"{wording.plural(unknown, 'result')} without a known cost" if unknown else "",
        ),
    ]
    if against and model["model"] != against:
        measures.append(_difference(model["model"], against, pairs))
    return tuple(measures)


_TURNED = {"better": "worse", "worse": "better"}


def _difference(name: str, against: str, pairs: list[Mapping[str, Any]]) -> Measure:
    label = f"Against {against}"
    for pair in pairs:
        low, high, difference = pair["low"], pair["high"], pair["difference"]
        if (pair["a"], pair["b"]) == (name, against):
            return Measure("difference", label, "points", difference, low, high, verdict=pair["verdict"])
        if (pair["a"], pair["b"]) == (against, name):
            return Measure(
                "difference",
                label,
                "points",
                _negative(difference),
                _negative(high),
                _negative(low),
                verdict=_TURNED.get(pair["verdict"], pair["verdict"]),
            )
    return Measure("difference", label, "points", None, note="not compared")


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


#: What a person writes before the name of the option they choose.
_INTENT = re.compile(
    r"(?:(?:please|we|will|should|let us|let's) )*"
    r"(?:stay (?:with|on)|keep|remain (?:with|on)|use|(?:move|switch|change|migrate)(?: from .+?)? to|"
    r"choose|adopt|go with|promote|roll out) (.+)",
    re.IGNORECASE,
)


def match_option(choice: str, names: Iterable[str]) -> str:
    """The option a choice names, or an empty text where that is not certain.

    The choice must be an option's name, or one of a few plain verbs (stay with, keep, move to, ...) followed
    by a name or by words that only one option's name holds. Anything more ("move to A, SQL on B") is left
    open, because a wrong mark would be worse than none.
    """
    line = one_line(choice).rstrip(" .!")
    known = sorted(set(names))
    found = _INTENT.fullmatch(line)
    for text in (line, found.group(1) if found else ""):
        exact = [name for name in known if one_line(name).casefold() == text.casefold()]
        if len(exact) == 1:
            return exact[0]
    if not found:
        return ""
    words = set(_words(found.group(1)))
    holding = [name for name in known if words and words <= set(_words(name))]
    return holding[0] if len(holding) == 1 else ""


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[.-]\w+)*", text.casefold())
