"""Whether any of several contenders differ, and mean ranks over blocks. Descriptive: both ignore clusters."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.statistics.arrays import Floats


@dataclass(frozen=True)
class Omnibus:
    """A statistic, its degrees of freedom (one, or numerator and denominator) and p."""

    statistic: float
    freedom: tuple[int, ...]
    p: float


def cochran_q(passes: Floats) -> Omnibus | None:
    """Cochran's Q of binary outcomes (tasks x contenders); None where every task has one outcome for all.

    Q = k (k - 1) sum (C_j - C)^2 / (k N - sum R_i^2) (Cochran 1950).
    """
    count = passes.shape[1]
    columns, rows = passes.sum(axis=0), passes.sum(axis=1)
    below = float(count * rows.sum() - np.sum(rows**2))
    if count < 2 or below == 0:
        return None
    value = float(count * (count - 1) * np.sum((columns - columns.mean()) ** 2) / below)
    return Omnibus(value, (count - 1,), float(stats.chi2.sf(value, count - 1)))


@dataclass(frozen=True)
class MeanRanks:
    """Friedman's test of mean ranks over blocks and its F form (Iman and Davenport)."""

    chi_square: Omnibus
    f: Omnibus


def friedman(mean_ranks: Floats, blocks: int) -> MeanRanks:
    """Test mean ranks of contenders over blocks (domains or benchmarks, not single tasks).

    chi2_F = 12 N / (k (k + 1)) (sum R_j^2 - k (k + 1)^2 / 4); F_F = (N - 1) chi2 / (N (k - 1) - chi2)
    (Demsar 2006, section 3.2.2).
    """
    count = len(mean_ranks)
    value = float(
        12 * blocks / (count * (count + 1)) * (np.sum(mean_ranks**2) - count * (count + 1) ** 2 / 4)
    )
    ratio = (blocks - 1) * value / (blocks * (count - 1) - value)
    freedom = (count - 1, (count - 1) * (blocks - 1))
    return MeanRanks(
        chi_square=Omnibus(value, (count - 1,), float(stats.chi2.sf(value, count - 1))),
        f=Omnibus(float(ratio), freedom, float(stats.f.sf(ratio, *freedom))),
    )


def nemenyi_critical(count: int, confidence: float) -> float:
    """Critical value of Nemenyi's test: studentised range quantile over the square root of 2."""
    return float(stats.studentized_range.ppf(confidence, count, np.inf) / np.sqrt(2))


def critical_difference(count: int, blocks: int, confidence: float) -> float:
    """Gap of mean ranks over ``blocks`` that Nemenyi's test can show: q sqrt(k (k + 1) / (6 N))."""
    return nemenyi_critical(count, confidence) * float(np.sqrt(count * (count + 1) / (6 * blocks)))
