"""Errors of means when tasks come in clusters, and what to do with few clusters."""

from dataclasses import dataclass

import numpy as np

from analysis.statistics.arrays import Booleans, Floats, Integers

#: Below this many clusters a sign-flip test of whole clusters stands beside t (significance.md T3).
FEW_CLUSTERS = 12
#: No two-sided test of whole clusters can reach 0.05 below this many: the smallest p is 2 / 2^G.
LEAST_CLUSTERS = 6


def cluster_sums(values: Floats, codes: Integers) -> Floats:
    """Sum ``values`` (tasks x ...) within clusters, in cluster order and task order: (clusters x ...)."""
    if not len(codes):
        return values[:0]
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    if len(starts) == len(codes):
        return values[order]
    sums: Floats = np.add.reduceat(values[order], starts, axis=0)
    return sums


@dataclass(frozen=True)
class ClusteredMean:
    """A mean over tasks with its CR1 error.

    ``naive_se`` ignores clusters; ``design_effect`` is the ratio of the squared errors and
    ``effective_tasks`` the number of independent tasks that would give this error. Errors are None with fewer
    than two clusters (``se``) or tasks (``naive_se``); ``largest_share`` is the share of tasks in the largest
    cluster.
    """

    mean: float
    se: float | None
    tasks: int
    clusters: int
    naive_se: float | None
    design_effect: float | None
    effective_tasks: float | None
    largest_share: float


def clustered_mean(values: Floats, codes: Integers) -> ClusteredMean:
    """Mean of ``values`` (tasks) with the CR1 error over clusters; t has ``clusters - 1`` degrees of freedom.

    SE = sqrt(G / (G - 1) * sum over clusters of (sum of deviations)^2) / N (Miller 2024, arXiv 2411.00640,
    section 2.2; equal to OLS on a constant with cluster covariance and small-sample correction).

    Raises:
        ValueError: there are no values.
    """
    tasks = len(values)
    if tasks == 0:
        raise ValueError("a mean needs at least one task")
    mean = float(np.sum(values) / tasks)
    deviations = values - mean
    sizes: Integers = np.unique(codes, return_counts=True)[1].astype(np.int64)
    clusters = len(sizes)
    se = naive = effect = None
    if tasks > 1:
        naive = settled(float(np.sqrt(np.sum(deviations**2) / (tasks - 1) / tasks)))
    if clusters > 1:
        sums = cluster_sums(deviations, codes)
        se = settled(float(np.sqrt(clusters / (clusters - 1) * np.sum(sums**2)) / tasks))
    if se is not None and naive:
        effect = (se / naive) ** 2
    return ClusteredMean(
        mean=mean,
        se=se,
        tasks=tasks,
        clusters=clusters,
        naive_se=naive,
        design_effect=effect,
        effective_tasks=tasks / effect if effect else None,
        largest_share=float(np.max(sizes)) / tasks,
    )


def settled(error: float) -> float:
    """An error that is only rounding is 0."""
    return 0.0 if error < 1e-12 else error


def clustered_root(values: Floats, codes: Integers, weights: Floats | None = None) -> Floats:
    """A matrix R with R'R = the CR1 covariance of the column means of ``values`` (tasks x columns).

    ``weights`` (tasks) add up to 1; the default is 1/N each.

    Raises:
        ValueError: fewer than two clusters.
    """
    tasks = len(values)
    share = np.full(tasks, 1 / tasks) if weights is None else weights
    deviations = (values - share @ values) * share[:, None]
    sums = cluster_sums(deviations, codes)
    clusters = len(sums)
    if clusters < 2:
        raise ValueError("a clustered error needs at least two clusters")
    scaled: Floats = sums * np.sqrt(clusters / (clusters - 1))
    if clusters <= values.shape[1]:
        return scaled
    upper: Floats = np.asarray(np.linalg.qr(scaled, mode="r"), dtype=np.float64)
    return upper


def clustered_covariance(values: Floats, codes: Integers, weights: Floats | None = None) -> Floats:
    """The CR1 covariance (columns x columns) of the weighted column means of ``values`` (tasks x columns)."""
    root = clustered_root(values, codes, weights)
    covariance: Floats = root.T @ root
    return covariance


def intraclass_correlation(values: Floats, codes: Integers) -> float | None:
    """One-way ICC = (MSB - MSW) / (MSB + (m0 - 1) MSW), floored at 0; None where it is not defined.

    m0 = (N - sum m_c^2 / N) / (G - 1) (Donner and Koval 1980). Needs two clusters and one with two tasks.
    """
    sizes = np.unique(codes, return_counts=True)[1].astype(float)
    tasks, clusters = len(values), len(sizes)
    if clusters < 2 or tasks == clusters:
        return None
    means = cluster_sums(values, codes) / sizes
    grand = float(np.sum(values) / tasks)
    between = float(np.sum(sizes * (means - grand) ** 2) / (clusters - 1))
    within = float((np.sum((values - grand) ** 2) - between * (clusters - 1)) / (tasks - clusters))
    size = float((tasks - np.sum(sizes**2) / tasks) / (clusters - 1))
    below = between + (size - 1) * within
    return max(0.0, (between - within) / below) if below > 0 else None


@dataclass(frozen=True)
class SignFlip:
    """Two-sided sign-flip p of each column, p adjusted for all columns together, and the smallest p possible.

    ``exact`` when every pattern was counted rather than drawn.
    """

    p: Floats
    p_adjusted: Floats
    smallest: float
    exact: bool


def sign_flip(sums: Floats, *, draws: int, seed: int, family: Booleans | None = None) -> SignFlip:
    """Test mean difference 0 by flipping the signs of whole clusters.

    Under the hypothesis a cluster's summed difference is as likely positive as negative. The joint p compares
    each column with the largest scaled statistic of any column in ``family`` (single-step max-T, Westfall and
    Young 1993).

    Args:
        sums: differences summed within clusters (clusters x columns).
        draws: patterns to draw when there are more than this many.
        seed: of the drawn patterns.
        family: which columns are tested together (columns); all when None.
    """
    clusters, columns = sums.shape
    if clusters == 0:
        return SignFlip(np.ones(columns), np.ones(columns), smallest=1.0, exact=True)
    scale = np.sqrt(np.sum(sums**2, axis=0))
    scaled = np.divide(sums, scale, out=np.zeros_like(sums), where=scale > 0)
    observed = np.abs(scaled.sum(axis=0))
    chosen = np.ones(columns, dtype=bool) if family is None else family
    exact = clusters - 1 <= np.log2(max(draws, 1))
    signs = _all_signs(clusters) if exact else _drawn_signs(clusters, draws, seed)
    reached = np.zeros(columns)
    reached_jointly = np.zeros(columns)
    for start in range(0, len(signs), 1024):
        flipped = np.abs(signs[start : start + 1024] @ scaled)
        reached += (flipped >= observed - 1e-9).sum(axis=0)
        largest = flipped[:, chosen].max(axis=1, initial=0.0)
        reached_jointly += (largest[:, None] >= observed - 1e-9).sum(axis=0)
    # Drawn patterns count the observed one too, so that no p is 0 (Phipson and Smyth 2010).
    extra = 0 if exact else 1
    total = len(signs) + extra
    return SignFlip(
        p=(reached + extra) / total,
        p_adjusted=np.maximum(reached, reached_jointly) / total + extra / total,
        smallest=1 / total,
        exact=exact,
    )


def _all_signs(clusters: int) -> Floats:
    """Half of all sign patterns: the first sign is fixed, for the other half mirrors it."""
    patterns = np.arange(2 ** (clusters - 1))
    bits = (patterns[:, None] >> np.arange(clusters - 1)) & 1
    return np.hstack([np.ones((len(patterns), 1)), np.where(bits > 0, -1.0, 1.0)])


def _drawn_signs(clusters: int, draws: int, seed: int) -> Floats:
    bits: Integers = np.random.default_rng(seed).integers(0, 2, size=(draws, clusters))
    return np.where(bits > 0, 1.0, -1.0)
