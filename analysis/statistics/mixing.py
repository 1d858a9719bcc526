"""Means over domains with weights of one's own: errors, effective size, break-even weights."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.statistics.arrays import Floats, Integers
from analysis.statistics.clusters import cluster_sums


def combine(weights: Floats, means: Floats, errors: Floats) -> tuple[float, float]:
    """Weighted mean of independent domain means and its error, under one and the same set of weights."""
    return float(np.sum(weights * means)), float(np.sqrt(np.sum((weights * errors) ** 2)))


def kish_size(weights: Floats) -> float:
    """Kish's effective number of tasks: (sum w)^2 / sum w^2."""
    return float(np.sum(weights) ** 2 / np.sum(weights**2))


@dataclass(frozen=True)
class Stratified:
    """A weighted mean over domains; ``se`` and ``freedom`` None where a weighty domain has one cluster.

    ``shares`` (domains) are each domain's part of the variance.
    """

    mean: float
    se: float | None
    freedom: float | None
    effective: float
    shares: Floats


def stratified_mean(values: Floats, domain: Integers, codes: Integers, weights: Floats) -> Stratified:
    """Mean of ``values`` (tasks) with fixed ``weights`` of domains, which sum to 1, or to 0 for a contrast.

    Every domain deviates from its own mean, for the weights are given and not sampled; deviations are summed
    over clusters, which may cross domains, each domain with its own small-sample factor G / (G - 1). Where
    clusters do not cross, the variance is sum w_D^2 SE_D^2. Degrees of freedom by Satterthwaite.

    Raises:
        ValueError: a domain with weight has no task.
    """
    count = len(weights)
    sizes = np.bincount(domain, minlength=count).astype(np.float64)
    if ((sizes == 0) & (weights != 0)).any():
        raise ValueError("a domain with weight has no task")
    known = np.maximum(sizes, 1)
    means = np.bincount(domain, values, count) / known
    pairs = np.unique(np.stack([domain, codes], axis=1), axis=0)
    groups = np.bincount(pairs[:, 0], minlength=count).astype(np.float64)
    task_weights = (weights / known)[domain]
    effective = float(np.sum(np.abs(task_weights)) ** 2 / np.sum(task_weights**2))
    mean = float(np.sum(weights * means))
    if ((groups < 2) & (weights != 0)).any():
        return Stratified(mean, None, None, effective, np.full(count, np.nan))
    factor = np.sqrt(np.divide(groups, groups - 1, out=np.ones(count), where=groups > 1))
    pulled = task_weights * factor[domain] * (values - means[domain])
    variance = float(np.sum(cluster_sums(pulled, codes) ** 2))
    own = np.array([np.sum(cluster_sums(pulled[domain == d], codes[domain == d]) ** 2) for d in range(count)])
    below = np.sum(np.divide(own**2, groups - 1, out=np.zeros(count), where=groups > 1))
    freedom = float(own.sum() ** 2 / below) if below > 0 else float(groups.sum() - count)
    total = own.sum()
    return Stratified(mean, float(np.sqrt(variance)), freedom, effective, own / total if total > 0 else own)


@dataclass(frozen=True)
class Heterogeneity:
    """Cochran's Q over domains, its degrees of freedom and p, and I^2, the share beyond chance."""

    q: float
    freedom: int
    p: float
    i2: float


def heterogeneity(effects: Floats, errors: Floats) -> Heterogeneity:
    """Whether domain differences differ: Q = sum (d - fixed mean)^2 / SE^2 ~ chi2(D - 1) (Cochran 1954)."""
    weight = 1 / errors**2
    fixed = np.sum(weight * effects) / np.sum(weight)
    q = float(np.sum(weight * (effects - fixed) ** 2))
    freedom = len(effects) - 1
    i2 = max(0.0, 1 - freedom / q) if q > 0 else 0.0
    return Heterogeneity(q, freedom, float(stats.chi2.sf(q, freedom)), i2)


def break_even(weights: Floats, differences: Floats) -> Floats | None:
    """The mix nearest to ``weights`` (least squares) whose weighted difference is 0; None without one.

    w* = w - (w . d / |d_c|^2) d_c, d_c = d - mean(d); a domain that would turn negative leaves at 0 and the
    rest is solved again.
    """
    if np.all(differences > 0) or np.all(differences < 0):
        return None
    inside = np.ones(len(weights), dtype=bool)
    for _ in range(len(weights)):
        part = weights[inside]
        lifted = part + (1 - part.sum()) / len(part)
        centred = differences[inside] - differences[inside].mean()
        size = float(np.sum(centred**2))
        gap = float(np.sum(lifted * differences[inside]))
        if size < 1e-18:
            return None if abs(gap) > 1e-12 else _whole(lifted, inside)
        moved = lifted - gap / size * centred
        if moved.min() >= -1e-12:
            return _whole(np.maximum(moved, 0), inside)
        places = np.flatnonzero(inside)
        inside[places[int(np.argmin(moved))]] = False
    return None


def _whole(part: Floats, inside: "np.typing.NDArray[np.bool_]") -> Floats:
    out: Floats = np.zeros(len(inside))
    out[inside] = part
    return out


def ahead_share(
    weights: Floats, differences: Floats, covariance: Floats, *, certainty: float, draws: int, seed: int
) -> float:
    """Share of plausible mixes and data under which the weighted difference is above 0.

    Dirichlet(certainty * w) draws of the mix times normal draws of the domain differences.
    """
    generator = np.random.default_rng(seed)
    mixes = generator.dirichlet(np.maximum(weights, 1e-9) * certainty, draws)
    level, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    root = vectors * np.sqrt(np.maximum(level, 0))
    drawn = differences + generator.standard_normal((draws, len(weights))) @ root.T
    return float(np.mean(np.sum(mixes * drawn, axis=1) > 0))
