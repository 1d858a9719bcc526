"""Intervals for one score. None of them has zero width."""

import math
from dataclasses import dataclass

from scipy import stats

#: Below this many effective outcomes of the rarer kind a t interval is too narrow and lopsided: simulated on
#: designs of 8 to 200 clusters, its coverage of a nominal 95 % falls under 93.5 % there.
RARE_OUTCOMES = 20.0
#: An error below this is no error but rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Interval:
    """Limits in 0..1 and how they were made; without limits ``method`` says why."""

    low: float | None
    high: float | None
    method: str


def normal_quantile(confidence: float) -> float:
    """Two-sided standard normal quantile: 1.96 at 0.95."""
    return float(stats.norm.isf((1 - confidence) / 2))


def t_quantile(confidence: float, freedom: float) -> float:
    """Two-sided t quantile."""
    return float(stats.t.isf((1 - confidence) / 2, freedom))


def wilson(successes: float, trials: float, confidence: float) -> tuple[float, float]:
    """Wilson's score interval for a share (Wilson 1927)."""
    z = normal_quantile(confidence)
    share = successes / trials
    below = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / below
    half = z / below * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return low, high


def exact(successes: float, trials: float, confidence: float) -> tuple[float, float]:
    """Clopper-Pearson's exact interval; fractional counts are allowed (beta quantiles)."""
    tail = (1 - confidence) / 2
    low = 0.0 if successes < ROUNDING else float(stats.beta.ppf(tail, successes, trials - successes + 1))
    none_failed = trials - successes < ROUNDING
    high = 1.0 if none_failed else float(stats.beta.isf(tail, successes + 1, trials - successes))
    return low, high


def beta_interval(
    successes: float, trials: float, confidence: float, *, prior: float = 1.0
) -> tuple[float, float]:
    """Equal-tailed posterior interval under Beta(prior, prior): 1 uniform (arXiv 2503.01747), 0.5 Jeffreys.

    Jeffreys' interval starts at 0 without successes and ends at 1 without failures (Brown, Cai and DasGupta
    2001).
    """
    tail = (1 - confidence) / 2
    a, b = successes + prior, trials - successes + prior
    low, high = float(stats.beta.ppf(tail, a, b)), float(stats.beta.isf(tail, a, b))
    if prior == 0.5:
        return (0.0 if successes == 0 else low), (1.0 if successes == trials else high)
    return low, high


def jeffreys(successes: float, trials: float, confidence: float) -> tuple[float, float]:
    """Jeffreys' interval."""
    return beta_interval(successes, trials, confidence, prior=0.5)


def upper_without_success(trials: int, confidence: float) -> float:
    """One-sided upper limit after 0 of ``trials``: 1 - (1 - confidence)^(1/n), about 3/n at 0.95."""
    return float(1 - (1 - confidence) ** (1 / trials))


def t_interval(mean: float, se: float, freedom: float, confidence: float) -> tuple[float, float]:
    """Mean +- t * SE, unclipped."""
    half = t_quantile(confidence, freedom) * se
    return mean - half, mean + half


def effective_size(
    mean: float, se: float, *, tasks: int, clusters: int, confidence: float, cap: float | None = None
) -> float:
    """Number of independent trials that would give this error (Korn and Graubard 1998).

    n_e = min(cap, p(1-p) / SE^2 * (t_{n-1} / t_{G-1})^2); ``cap`` defaults to the tasks. An error of 0 says
    nothing about the size, so the clusters count.
    """
    if se < ROUNDING or not 0 < mean < 1:
        return float(clusters)
    ratio = t_quantile(confidence, tasks - 1) / t_quantile(confidence, clusters - 1)
    return min(float(tasks if cap is None else cap), mean * (1 - mean) / se**2 * ratio**2)


def effective_exact(
    mean: float, se: float, *, tasks: int, clusters: int, confidence: float, cap: float | None = None
) -> tuple[float, float]:
    """Clopper-Pearson's interval on the effective size."""
    size = effective_size(mean, se, tasks=tasks, clusters=clusters, confidence=confidence, cap=cap)
    return exact(mean * size, size, confidence)


def mean_interval(
    mean: float,
    se: float | None,
    *,
    tasks: int,
    clusters: int,
    rows: int,
    single_binary: bool,
    confidence: float,
    unit: str = "cluster",
) -> Interval:
    """The interval of a mean score over tasks; ``unit`` is what a cluster is called.

    Wilson for one binary run a task and no clusters; exact on the effective size where the rarer outcome is
    seldom (fewer than ``RARE_OUTCOMES`` effective ones) or always absent; otherwise t over tasks or clusters.

    The effective size may exceed the tasks, as runs add information, but not the rows. While the rarer
    outcome fills fewer than five tasks, the spread seen is itself a matter of luck, and the bound moves down
    to the tasks.
    """
    if tasks < 2:
        return Interval(None, None, "no interval: one task")
    if clusters < 2 or se is None:
        return Interval(None, None, f"no interval: one {unit}")
    if single_binary and clusters == tasks:
        return Interval(*wilson(round(mean * tasks), tasks, confidence), "Wilson")
    units = f"{clusters} tasks" if clusters == tasks else f"{clusters} {unit}s"
    rarer = min(mean, 1 - mean)
    if se < ROUNDING or mean * (1 - mean) * rarer < RARE_OUTCOMES * se**2:
        if 0 < mean < 1 and se < ROUNDING:
            limits = effective_exact(mean, 0.0, tasks=tasks, clusters=clusters, confidence=confidence)
            return Interval(*limits, f"exact on {units}")
        cap = tasks + (max(rows, tasks) - tasks) * min(1.0, tasks * rarer / 5)
        low, high = effective_exact(mean, se, tasks=tasks, clusters=clusters, confidence=confidence, cap=cap)
        size = effective_size(mean, se, tasks=tasks, clusters=clusters, confidence=confidence, cap=cap)
        return Interval(low, high, f"exact on an effective size of {size:.0f}")
    low, high = t_interval(mean, se, clusters - 1, confidence)
    return Interval(max(0.0, low), min(1.0, high), f"t over {units}")
