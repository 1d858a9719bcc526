"""The one rule from an interval and a p to better, worse, equivalent or undecided."""

import math
from dataclasses import dataclass

from analysis import wording
from analysis.leaderboard.family import LEAST_DIFFERING, LEAST_TASKS
from analysis.leaderboard.result import Verdict
from analysis.statistics.clusters import LEAST_CLUSTERS


@dataclass(frozen=True)
class Judgement:
    """A verdict on first against second; ``material`` is False when the gap is proven below the margin."""

    verdict: Verdict
    material: bool
    reason: str


def judge(
    *,
    difference: float,
    low: float,
    high: float,
    p_adjusted: float,
    margin: float,
    confidence: float,
    shortage: str,
    detectable: float,
    tasks: int,
) -> Judgement:
    """Apply the rule: interval and adjusted p must agree, and the data must suffice.

    Above 0: better; below 0: worse; inside (-margin, margin): equivalent; otherwise undecided, saying what
    gap the data could have shown. ``shortage`` names missing minimum data and ends the matter.
    """
    if shortage:
        return Judgement("undecided", material=True, reason=shortage)
    proven = p_adjusted < 1 - confidence
    if proven and (low > 0 or high < 0):
        material = abs(difference) >= margin - 1e-12
        reason = "" if material else f"smaller than the margin of {wording.points(margin)}"
        return Judgement("better" if low > 0 else "worse", material=material, reason=reason)
    if -margin < low and high < margin:
        return Judgement("equivalent", material=False, reason="")
    reason = (
        f"{wording.plural(tasks, 'task')} can only show differences above "
        f"{wording.points_number(detectable, signed=False)} points"
    )
    if proven != (low > 0 or high < 0):
        reason = f"the interval and the test (p {wording.p_number(p_adjusted)}) disagree; {reason}"
    return Judgement("undecided", material=True, reason=reason)


def shortage(*, tasks: int, units: int, differing: int, unit: str) -> str:
    """What is missing for a verdict, in words; empty when nothing is."""
    if tasks == 0:
        return "no shared tasks"
    if tasks < LEAST_TASKS:
        return f"only {wording.plural(tasks, 'shared task')}; a verdict needs {LEAST_TASKS}"
    if units < LEAST_CLUSTERS:
        return (
            f"only {wording.plural(units, unit)}; fewer than {LEAST_CLUSTERS} can never reach p 0.05, "
            "whatever the difference"
        )
    if differing < LEAST_DIFFERING:
        return f"they differ on only {wording.plural(differing, unit)}; a verdict needs {LEAST_DIFFERING}"
    return ""


def tasks_to_settle(*, tasks: int, difference: float, detectable: float) -> int | None:
    """Tasks in all that would make a true gap of the observed size detectable; None when it is 0.

    The detectable gap shrinks with the square root of the tasks, so n * (detectable / difference)^2, and at
    least the minimum for a verdict. None too when that many are there already.
    """
    if abs(difference) < 1e-12 or not math.isfinite(detectable):
        return None
    needed = max(LEAST_TASKS, math.ceil(tasks * (detectable / difference) ** 2 - 1e-9))
    return needed if needed > tasks else None
