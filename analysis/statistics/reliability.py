"""Run noise: how much of a score is the luck of one run, and how often every run succeeds."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from analysis.statistics.arrays import Booleans, Floats, Integers


@dataclass(frozen=True)
class RunNoise:
    """Variance of one run within and between tasks; None where repeated runs are missing.

    ``rerun_se`` is the error of the mean if these exact tasks were run again.
    """

    within: float | None
    between: float | None
    rerun_se: float | None
    flip_share: float | None
    repeated_tasks: int

    @property
    def noise_share(self) -> float | None:
        """Share of a single run's variance that is run noise."""
        if self.within is None or self.between is None or self.within + self.between == 0:
            return None
        return self.within / (self.within + self.between)


def run_noise(means: Floats, within: Floats, runs: Integers, passed: Integers) -> RunNoise:
    """Split the variance of one contender's scores.

    within = mean of s2 over tasks with two or more runs; between = var(x) - mean(s2 / R), floored at 0 (Wang
    2025, arXiv 2512.21326; Miller 2024, section 3). ``rerun_se``^2 = sum of s2 / R over N^2. A task with one
    run takes the mean s2 of the others.

    Args:
        means: mean over runs of each scored task (tasks).
        within: s2, sample variance over runs; NaN with one run.
        runs: scored runs.
        passed: successful runs.
    """
    repeated = runs > 1
    count = int(repeated.sum())
    if count == 0:
        return RunNoise(None, None, None, None, 0)
    mean_within = float(np.sum(within[repeated]) / count)
    noise = np.where(repeated, within, mean_within) / runs
    between = None
    if len(means) > 1:
        between = max(0.0, float(np.var(means, ddof=1) - noise.mean()))
    flips = repeated & (passed > 0) & (passed < runs)
    return RunNoise(
        within=mean_within,
        between=between,
        rerun_se=float(np.sqrt(noise.sum()) / len(means)),
        flip_share=float(flips.sum() / count),
        repeated_tasks=count,
    )


def pass_hat_k(passed: Integers, runs: Integers, k: int) -> Floats:
    """Probability that k runs all succeed, by task: C(c, k) / C(R, k); NaN below k runs (2406.12045)."""
    return _ratio(special.comb(passed, k), special.comb(runs, k), runs >= k)


def pass_at_k(passed: Integers, runs: Integers, k: int) -> Floats:
    """Probability that one of k runs succeeds, by task: 1 - C(R - c, k) / C(R, k) (2107.03374)."""
    return 1 - _ratio(special.comb(runs - passed, k), special.comb(runs, k), runs >= k)


def _ratio(above: npt.ArrayLike, below: npt.ArrayLike, defined: Booleans) -> Floats:
    result: Floats = np.full(defined.shape, np.nan)
    np.divide(above, below, out=result, where=defined)
    return result


def miller_variance(between: float, within: float, runs: float) -> float:
    """Variance of one task's mean over ``runs`` runs: between + within / runs (Miller 2024, section 3)."""
    return between + within / runs
