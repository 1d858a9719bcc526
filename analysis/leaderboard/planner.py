"""What it takes to tell two contenders apart: tasks, runs a task, money."""

import math
from dataclasses import dataclass

import numpy as np

from analysis import wording
from analysis.leaderboard.family import LEAST_TASKS
from analysis.results import Finding, ordered
from analysis.statistics.arrays import Floats
from analysis.statistics.cells import Cells
from analysis.statistics.clusters import clustered_mean
from analysis.statistics.power import best_runs, detectable_difference, required_tasks
from analysis.statistics.threads import single_thread

#: Runs a task for which the curve is drawn.
RUNS_SHOWN = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20)


@dataclass(frozen=True)
class Plan:
    """The planner's answer for contender ``a`` against ``b``; shares 0..1, None where not identifiable.

    ``omega2`` is the variance over tasks of the true difference, ``within_a``/``within_b`` the variance of
    one run. ``detectable`` is the gap today's tasks show at ``runs`` a task with the stated power, ``floor``
    the gap they show at infinitely many runs. ``tasks_needed`` is for ``difference`` at ``runs``;
    ``runs_best`` the cheapest runs a task, ``cost`` and ``cost_best`` the money for ``difference`` at
    ``runs`` and at ``runs_best``. ``curve`` holds (runs, detectable, tasks needed).
    """

    a: str
    b: str
    tasks: int
    clusters: int
    omega2: float | None
    within_a: float | None
    within_b: float | None
    design_effect: float
    runs: int
    detectable: float | None
    floor: float | None
    difference: float | None
    tasks_needed: int | None
    runs_best: int | None
    tasks_needed_best: int | None
    cost: float | None
    cost_best: float | None
    curve: tuple[tuple[int, float, int | None], ...]
    comparisons: int
    confidence: float
    power: float
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class _Spread:
    """Variance over shared tasks of the difference, split; ``total`` is today's, at today's runs."""

    tasks: int
    clusters: int
    total: float
    omega2: float | None
    within_a: float | None
    within_b: float | None
    runs_today: int
    design_effect: float

    def at(self, runs: float) -> float | None:
        """Variance of one task's difference at this many runs of each."""
        if self.omega2 is None or self.within_a is None or self.within_b is None:
            return self.total if runs == self.runs_today else None
        return self.omega2 + (self.within_a + self.within_b) / runs


def plan(
    cells: Cells,
    a: str,
    b: str,
    *,
    difference: float | None = None,
    runs: int | None = None,
    cost_per_task: float | None = None,
    cost_per_run: float | None = None,
    confidence: float = 0.95,
    power: float = 0.8,
    comparisons: int = 1,
) -> Plan:
    """Plan how to tell ``a`` from ``b`` (significance.md T9), from the variance measured on shared tasks.

    Args:
        cells: of the benchmark.
        a: a contender.
        b: another one.
        difference: the true gap to show; None leaves the tasks needed open.
        runs: runs a task; today's (rounded mean) when None.
        cost_per_task: of writing or owning one more task, in money.
        cost_per_run: of one more run of both contenders on one task.
        confidence: of a single comparison before ``comparisons`` divide its error.
        power: share of such gaps that would be shown.
        comparisons: how many verdicts share the error (Bonferroni).

    Raises:
        KeyError: a contender is not among the cells.
        ValueError: runs, comparisons, costs or the difference are out of range.
    """
    if difference == 0 or (difference is not None and abs(difference) > 1):
        raise ValueError(f"a difference of {difference:g} cannot be planned for")
    if (runs is not None and runs < 1) or comparisons < 1:
        raise ValueError("runs and comparisons must be at least 1")
    with single_thread():
        spread = _spread(cells, cells.index(a), cells.index(b))
    level = 1 - (1 - confidence) / comparisons
    k = spread.runs_today if runs is None else runs
    here = _reach(spread, k, difference, level, power)
    best = None
    identified = spread.omega2 is not None and spread.within_a is not None and spread.within_b is not None
    if cost_per_task is not None and cost_per_run is not None and identified:
        best = best_runs(
            between=spread.omega2 or 0.0,
            noise_of_one_run=(spread.within_a or 0.0) + (spread.within_b or 0.0),
            cost_per_task=cost_per_task,
            cost_per_run=cost_per_run,
        )
    there = None if best is None else _reach(spread, best, difference, level, power)
    curve = []
    for count in RUNS_SHOWN:
        gap, needed = _reach(spread, count, difference, level, power)
        if gap is not None:
            curve.append((count, gap, needed))
    return Plan(
        a=a,
        b=b,
        tasks=spread.tasks,
        clusters=spread.clusters,
        omega2=spread.omega2,
        within_a=spread.within_a,
        within_b=spread.within_b,
        design_effect=spread.design_effect,
        runs=k,
        detectable=here[0],
        floor=_reach(spread, math.inf, None, level, power)[0],
        difference=difference,
        tasks_needed=here[1],
        runs_best=best,
        tasks_needed_best=None if there is None else there[1],
        cost=_money(here[1], k, cost_per_task, cost_per_run),
        cost_best=None
        if there is None or best is None
        else _money(there[1], best, cost_per_task, cost_per_run),
        curve=tuple(curve),
        comparisons=comparisons,
        confidence=confidence,
        power=power,
        findings=ordered(tuple(_findings(spread, k, here, difference, (a, b)))),
    )


def _spread(cells: Cells, first: int, second: int) -> _Spread:
    gap = cells.cell_means[first] - cells.cell_means[second]
    shared = ~np.isnan(gap)
    tasks = int(shared.sum())
    if tasks < 2:
        clusters = len(np.unique(cells.cluster[shared]))
        return _Spread(tasks, clusters, math.nan, None, None, None, 1, 1.0)
    moments = clustered_mean(gap[shared], cells.cluster[shared])
    total = float(np.var(gap[shared], ddof=1))
    ours, theirs = _noise(cells, first, shared), _noise(cells, second, shared)
    runs = cells.scored[[first, second]][:, shared]
    omega2 = None
    if ours is not None and theirs is not None:
        omega2 = max(0.0, total - ours[1] - theirs[1])
    return _Spread(
        tasks=tasks,
        clusters=moments.clusters,
        total=total,
        omega2=omega2,
        within_a=None if ours is None else ours[0],
        within_b=None if theirs is None else theirs[0],
        runs_today=max(1, round(float(runs.mean()))),
        design_effect=moments.design_effect or 1.0,
    )


def _noise(cells: Cells, row: int, shared: Floats) -> tuple[float, float] | None:
    """Mean variance of one run, and of the mean of each task's runs; None without repeated runs."""
    within, runs = cells.within_variances[row, shared], cells.scored[row, shared]
    repeated = runs > 1
    if not repeated.any():
        return None
    mean = float(within[repeated].mean())
    return mean, float(np.mean(np.where(repeated, within, mean) / runs))


def _reach(
    spread: _Spread, runs: float, difference: float | None, level: float, power: float
) -> tuple[float | None, int | None]:
    """The detectable gap at these runs and today's tasks, and the tasks that show ``difference``."""
    variance = spread.at(runs) if spread.tasks > 1 else None
    if variance is None or variance <= 0:
        return None, None  # a spread of 0 is what few tasks leave, not a promise for new ones
    terms = {"between": variance, "confidence": level, "power": power, "design_effect": spread.design_effect}
    gap = detectable_difference(spread.tasks, **terms)
    if difference is None:
        return gap, None
    needed = required_tasks(difference, **terms)
    return gap, max(LEAST_TASKS, math.ceil(needed - 1e-9))


def _money(
    tasks: int | None, runs: int, cost_per_task: float | None, cost_per_run: float | None
) -> float | None:
    if tasks is None or cost_per_task is None or cost_per_run is None:
        return None
    return tasks * (cost_per_task + runs * cost_per_run)


def _findings(
    spread: _Spread,
    runs: int,
    here: tuple[float | None, int | None],
    difference: float | None,
    names: tuple[str, str],
) -> list[Finding]:
    found = []
    if spread.tasks < 2:
        return [
            Finding(
                "unknown",
                f"{names[0]} and {names[1]} share {wording.plural(spread.tasks, 'task')}, too few to plan "
                "from.",
                "A plan needs the spread of their difference over tasks.",
            )
        ]
    if spread.total == 0:
        found.append(
            Finding(
                "unknown",
                f"{names[0]} and {names[1]} differ alike on every shared task, so no spread to plan from.",
                "New tasks, or harder ones, would show how far they differ.",
            )
        )
    if spread.omega2 is None:
        found.append(
            Finding(
                "unknown",
                "Run noise is unknown, so the gain from more runs is unknown.",
                "Repeat some tasks with both contenders.",
            )
        )
    elif spread.omega2 == 0 and spread.total > 0:
        found.append(
            Finding(
                "caution",
                "All spread of the difference is run noise, so more runs help as much as more tasks.",
                "The measured variance of the true difference over tasks is 0.",
            )
        )
    gap, needed = here
    if gap is not None:
        found.append(
            Finding(
                "undecided" if difference is not None and abs(difference) < gap else "good",
                f"{wording.plural(spread.tasks, 'task')} with {wording.plural(runs, 'run')} each show "
                f"differences above {wording.points(gap)}.",
                "Smaller true differences mostly stay undecided.",
            )
        )
    if needed is not None and difference is not None and needed > spread.tasks:
        found.append(
            Finding(
                "caution",
                f"About {wording.count(needed - spread.tasks)} more tasks would show "
                f"{wording.points(abs(difference))}.",
                "Fix the number before you look: testing after every batch of tasks finds false differences.",
            )
        )
    return found
