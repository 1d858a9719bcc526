"""How dependable one contender is run after run, and whether another is less so."""

from collections.abc import Sequence

import numpy as np

from analysis import wording
from analysis.leaderboard.result import Consistency, Reliability
from analysis.results import Finding, ordered
from analysis.statistics import reliability as run
from analysis.statistics.arrays import Floats, Integers
from analysis.statistics.cells import Cells
from analysis.statistics.clusters import clustered_mean
from analysis.statistics.intervals import t_interval
from analysis.statistics.paired import t_p_value


def reliability(
    cells: Cells,
    contender: str,
    max_k: int | None = None,
    *,
    run_means: Sequence[tuple[str, float, int]] = (),
) -> Reliability:
    """Run noise, pass^k and pass@k of one contender for k = 1 ... ``max_k`` (default: its most runs).

    Errors are CR1 over clusters on the per-task values. A task with fewer than k scored runs says nothing
    about k and is left out, counted.

    Args:
        cells: of the benchmark.
        contender: whose.
        max_k: largest k.
        run_means: (run, mean over its tasks, tasks) of each complete pass, where runs are shared by tasks.

    Raises:
        KeyError: the contender is not among the cells.
        ValueError: ``max_k`` is below 1.
    """
    row = cells.index(contender)
    scored = cells.scored[row] > 0
    runs, passed = cells.scored[row, scored], np.minimum(cells.passed[row], cells.scored[row])[scored]
    most = int(runs.max(initial=0))
    largest = max(most, 1) if max_k is None else max_k
    if largest < 1:
        raise ValueError(f"k must be at least 1, not {largest}")
    noise = run.run_noise(cells.cell_means[row, scored], cells.within_variances[row, scored], runs, passed)
    codes = cells.cluster[scored]
    hat: dict[int, tuple[float | None, float | None]] = {}
    at: dict[int, tuple[float | None, float | None]] = {}
    with_k: dict[int, int] = {}
    for k in range(1, largest + 1):
        hat[k] = _mean(run.pass_hat_k(passed, runs, k), codes)
        at[k] = _mean(run.pass_at_k(passed, runs, k), codes)
        with_k[k] = int((runs >= k).sum())
    return Reliability(
        model=contender,
        pass_hat_k={k: value for k, (value, _) in hat.items()},
        pass_at_k={k: value for k, (value, _) in at.items()},
        pass_hat_k_se={k: error for k, (_, error) in hat.items()},
        pass_at_k_se={k: error for k, (_, error) in at.items()},
        tasks_with_k_runs=with_k,
        within=noise.within,
        between=noise.between,
        flip_share=noise.flip_share,
        tasks=int(scored.sum()),
        runs_per_task=float(runs.sum() / scored.sum()) if scored.any() else None,
        run_means=tuple(run_means),
        findings=ordered(tuple(_findings(contender, noise, with_k, hat, run_means))),
    )


def _mean(values: Floats, codes: Integers) -> tuple[float | None, float | None]:
    known = ~np.isnan(values)
    if not known.any():
        return None, None
    moments = clustered_mean(values[known], codes[known])
    return moments.mean, moments.se


def _findings(
    contender: str,
    noise: run.RunNoise,
    with_k: dict[int, int],
    hat: dict[int, tuple[float | None, float | None]],
    run_means: Sequence[tuple[str, float, int]],
) -> list[Finding]:
    found = []
    tasks, largest = with_k[1], max(with_k)
    if tasks == 0:
        return [Finding("unknown", f"{contender} has no scored run.", "Import results with a score.")]
    if noise.within is None:
        found.append(
            Finding(
                "unknown",
                f"{contender} ran each task once, so its run noise is unknown.",
                "Two runs of some tasks would show it.",
            )
        )
    elif noise.flip_share is not None and noise.noise_share is not None:
        found.append(
            Finding(
                "caution" if noise.flip_share >= 0.1 else "good",
                f"{contender} passes in some runs and fails in others on "
                f"{wording.share(noise.flip_share)} of "
                f"{wording.plural(noise.repeated_tasks, 'repeated task')}; run noise is "
                f"{wording.share(noise.noise_share)} of a single run's variance.",
                "A single run mixes skill with luck in this proportion.",
            )
        )
    short = [k for k, count in with_k.items() if count < tasks]
    if short:
        found.append(
            Finding(
                "caution" if with_k[largest] else "unknown",
                f"From k = {short[0]} on, tasks with fewer runs are left out: k = {largest} rests on "
                f"{wording.count(with_k[largest])} of {wording.plural(tasks, 'task')}.",
                "Fewer runs than k say nothing about k runs.",
            )
        )
    first, last = hat[1][0], hat[largest][0]
    if largest > 1 and first is not None and last is not None:
        found.append(
            Finding(
                "caution" if first - last > 0.1 else "good",
                f"All {largest} runs of a task pass on {wording.share(last)} of tasks; one run passes on "
                f"{wording.share(first)}.",
                "What must work every time is worth less than its mean score.",
            )
        )
    if len(run_means) > 1:
        means = np.array([mean for _, mean, _ in run_means])
        found.append(
            Finding(
                "good",
                f"{wording.plural(len(means), 'complete run')} score {wording.share(float(means.min()))} to "
                f"{wording.share(float(means.max()))}, standard deviation "
                f"{wording.points(float(np.std(means, ddof=1)))}.",
                "This is how far a headline score moves when nothing changes but the run.",
            )
        )
    return found


def consistency(cells: Cells, a: str, b: str, *, confidence: float = 0.95) -> Consistency:
    """Whether contender ``a`` varies more from run to run than ``b``, on tasks both ran at least twice.

    The mean over tasks of s2_a - s2_b with its CR1 error and t over clusters (significance.md T5).

    Raises:
        KeyError: a contender is not among the cells.
    """
    rows = cells.index(a), cells.index(b)
    gap = cells.within_variances[rows[0]] - cells.within_variances[rows[1]]
    known = ~np.isnan(gap)
    if not known.any():
        return Consistency(a, b, None, None, None, None, None, 0, 0)
    moments = clustered_mean(gap[known], cells.cluster[known])
    if moments.se is None or moments.se == 0:
        return Consistency(a, b, moments.mean, moments.se, None, None, None, moments.tasks, moments.clusters)
    low, high = t_interval(moments.mean, moments.se, moments.clusters - 1, confidence)
    p = float(t_p_value(moments.mean, moments.se, moments.clusters - 1))
    return Consistency(a, b, moments.mean, moments.se, low, high, p, moments.tasks, moments.clusters)
