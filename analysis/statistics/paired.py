"""Two contenders on the same tasks: tests and intervals of the difference.

Counts: ``b`` tasks that only the first passes, ``c`` only the second. Functions take arrays or numbers.
"""

import numpy as np
import numpy.typing as npt
from scipy import stats

from analysis.statistics.arrays import Floats
from analysis.statistics.intervals import normal_quantile, wilson

Numbers = npt.ArrayLike


def mcnemar_exact(b: Numbers, c: Numbers) -> Floats:
    """Two-sided exact p that b and c are equally likely: 2 P(X <= min(b, c)), X ~ Binomial(b + c, 1/2)."""
    smaller, total = _discordant(b, c)
    return np.minimum(1.0, 2 * np.asarray(stats.binom.cdf(smaller, total, 0.5), dtype=np.float64))


def mcnemar_mid_p(b: Numbers, c: Numbers) -> Floats:
    """Mid-P: the exact p less the probability of the outcome itself (half of it when b = c)."""
    smaller, total = _discordant(b, c)
    point = np.asarray(stats.binom.pmf(smaller, total, 0.5), dtype=np.float64)
    level = np.where(2 * smaller == total, 1 - point / 2, mcnemar_exact(b, c) - point)
    return np.where(total == 0, 1.0, level)


def mcnemar_chi_square(b: Numbers, c: Numbers, *, corrected: bool) -> tuple[Floats, Floats]:
    """Chi-square on one degree of freedom and its p, with or without continuity correction."""
    first, second = np.asarray(b, dtype=np.float64), np.asarray(c, dtype=np.float64)
    gap = np.abs(first - second)
    gap = np.maximum(gap - 1, 0) if corrected else gap
    total = first + second
    value = np.divide(gap**2, total, out=np.zeros_like(total), where=total > 0)
    return value, np.asarray(stats.chi2.sf(value, 1), dtype=np.float64)


def _discordant(b: Numbers, c: Numbers) -> tuple[Floats, Floats]:
    first, second = np.asarray(b, dtype=np.float64), np.asarray(c, dtype=np.float64)
    return np.minimum(first, second), first + second


def tango(b: Numbers, c: Numbers, n: Numbers, critical: Numbers) -> tuple[Floats, Floats]:
    """Score limits of (b - c) / n at ``critical`` standard errors (Tango 1998).

    Solves (b - c - n delta) / sqrt(n (2 q + delta (1 - delta))) = +-critical by bisection; q, the share of
    tasks only the second passes under the constraint, is the larger root of 2 n q^2 + B q + C with
    B = -(b + c) + (2 n - b + c) delta and C = -c delta (1 - delta). Never of zero width: +-z^2 / (n + z^2) at
    b = c = 0. Fractional counts are allowed.
    """
    first, second, size, level = (
        np.array(part, dtype=np.float64) for part in np.broadcast_arrays(b, c, n, critical)
    )
    estimate = (first - second) / size
    # The lower limit of b - c is minus the upper limit of c - b.
    upper = _upper_root(first, second, size, level, estimate)
    lower = -_upper_root(second, first, size, level, -estimate)
    return lower, upper


def _upper_root(b: Floats, c: Floats, n: Floats, critical: Floats, estimate: Floats) -> Floats:
    low, high = estimate.copy(), np.ones_like(estimate)
    for _ in range(60):
        middle = (low + high) / 2
        linear = -(b + c) + (2 * n - b + c) * middle
        constant = -c * middle * (1 - middle)
        root = np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0))
        share = (root - linear) / (4 * n)
        variance = n * (2 * share + middle * (1 - middle))
        inside = n * middle - (b - c) <= critical * np.sqrt(np.maximum(variance, 0))
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return (low + high) / 2


def newcombe(both: int, only_a: int, only_b: int, neither: int, confidence: float) -> tuple[float, float]:
    """Newcombe's hybrid score interval for paired shares (1998, method 10)."""
    n = both + only_a + only_b + neither
    p1, p2 = (both + only_a) / n, (both + only_b) / n
    l1, u1 = wilson(both + only_a, n, confidence)
    l2, u2 = wilson(both + only_b, n, confidence)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    product = float(both * neither - only_a * only_b)
    if product > 0:
        product = max(product - n / 2, 0)
    phi = product / np.sqrt(margins) if margins > 0 else 0.0
    below = (p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2
    above = (u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2
    return float(p1 - p2 - np.sqrt(max(below, 0))), float(p1 - p2 + np.sqrt(max(above, 0)))


def agresti_min(b: int, c: int, n: int, confidence: float) -> tuple[float, float]:
    """Agresti and Min's adjusted Wald interval of (b - c) / n: half a count added to each cell (2005)."""
    z = normal_quantile(confidence)
    first, second, size = b + 0.5, c + 0.5, n + 2.0
    estimate = (first - second) / size
    half = z * np.sqrt(first + second - (first - second) ** 2 / size) / size
    return float(max(-1.0, estimate - half)), float(min(1.0, estimate + half))


def t_p_value(difference: Numbers, se: Numbers, freedom: Numbers) -> Floats:
    """Two-sided p of difference / se; 1 where both are 0, 0 where only the error is."""
    gap, error = np.abs(np.asarray(difference, dtype=np.float64)), np.asarray(se, dtype=np.float64)
    gap, error = np.broadcast_arrays(gap, error)
    ratio = np.where(gap > 0, np.inf, 0.0)
    np.divide(gap, error, out=ratio, where=error > 0)
    return np.asarray(2 * stats.t.sf(ratio, np.asarray(freedom, dtype=np.float64)), dtype=np.float64)


def detectable_gap(se: Numbers, critical: Numbers, *, power: float = 0.8) -> Floats:
    """The true gap this error would show with the stated power at the critical value: (c + z_power) * SE."""
    reach = np.asarray(critical, dtype=np.float64) + float(stats.norm.ppf(power))
    return np.asarray(np.asarray(se, dtype=np.float64) * reach)
