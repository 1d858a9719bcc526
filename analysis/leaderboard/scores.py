"""Each contender on its own: mean, errors, interval, run noise, cost, speed."""

from dataclasses import dataclass

import numpy as np

from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.cells import Cells
from analysis.statistics.clusters import ClusteredMean
from analysis.statistics.intervals import Interval, mean_interval
from analysis.statistics.reliability import RunNoise, run_noise
from analysis.statistics.two_way import grouped_mean


@dataclass(frozen=True)
class Usage:
    """What one contender's runs cost and took; None where any part that matters is unknown."""

    cost_per_task: float | None
    currency: str | None
    unknown_cost_rows: int
    output_tokens_per_success: float | None
    latency_ms: float | None


@dataclass(frozen=True)
class Score:
    """One contender's score with everything that does not depend on the others. ``mean`` None: no score."""

    contender: str
    moments: ClusteredMean | None
    interval: Interval
    noise: RunNoise
    rows: int
    unscored_rows: int
    runs_per_task: float | None
    fewest_runs: int
    most_runs: int
    mean_rows: float | None
    complete: bool
    solved_share: tuple[int, int]  # runs that passed and runs that did not
    usage: Usage
    clipped: bool = False  # the errors over two groupings did not fit together

    @property
    def mean(self) -> float | None:
        """Mean over tasks of the mean over runs."""
        return None if self.moments is None else self.moments.mean


def score(cells: Cells, row: int, stored: Cells, *, confidence: float) -> Score:
    """Score the contender in ``row``.

    Args:
        cells: the cells as they count (absent tasks dropped or failed).
        row: the contender, in both.
        stored: the cells as they were stored, for rows without score and for usage.
        confidence: of the interval.
    """
    scored = cells.scored[row] > 0
    tasks = int(scored.sum())
    runs = cells.scored[row, scored]
    rows = int(runs.sum())
    unscored = int((stored.rows[row] - stored.scored[row]).sum())
    usage = _usage(stored, row)
    name = cells.contenders[row]
    if tasks == 0:
        nothing = Interval(None, None, "no interval: no score")
        quiet = RunNoise(None, None, None, None, 0)
        return Score(name, None, nothing, quiet, 0, unscored, None, 0, 0, None, False, (0, 0), usage)
    means = cells.cell_means[row, scored]
    moments, clipped = grouped_mean(means, tuple(codes[scored] for codes in cells.groupings))
    passed = int(cells.passed[row, scored].sum())
    return Score(
        contender=name,
        moments=moments,
        interval=mean_interval(
            moments.mean,
            moments.se,
            tasks=tasks,
            clusters=moments.clusters,
            rows=rows,
            single_binary=bool((runs == 1).all() and cells.binary[row, scored].all()),
            confidence=confidence,
            unit="cluster" if cells.unit == "task" else cells.unit,
        ),
        noise=run_noise(means, cells.within_variances[row, scored], runs, cells.passed[row, scored]),
        rows=rows,
        unscored_rows=unscored,
        runs_per_task=rows / tasks,
        fewest_runs=int(runs.min()),
        most_runs=int(runs.max()),
        mean_rows=float(cells.score_sum[row, scored].sum() / rows),
        complete=tasks == len(cells.tasks),
        solved_share=(passed, rows - passed),
        usage=usage,
        clipped=clipped,
    )


def _usage(cells: Cells, row: int) -> Usage:
    resources = cells.resources
    ran = cells.rows[row] > 0
    currency = resources.currencies[row]
    unknown = int((cells.rows[row] - resources.cost_rows[row]).sum())
    cost = None
    if ran.any() and unknown == 0 and currency != "mixed":
        cost = float(np.mean(resources.cost[row, ran] / resources.cost_rows[row, ran]))
    return Usage(
        cost_per_task=cost,
        currency=currency,
        unknown_cost_rows=unknown,
        output_tokens_per_success=_mean_of_known(
            resources.success_output_tokens[row], resources.success_output_rows[row]
        ),
        latency_ms=_mean_of_known(resources.latency_ms_sum[row], resources.latency_rows[row]),
    )


def _mean_of_known(sums: Floats, rows: Integers) -> float | None:
    """Mean over rows with a known value; None without any."""
    known: Booleans = rows > 0
    return float(sums[known].sum() / rows[known].sum()) if known.any() else None
