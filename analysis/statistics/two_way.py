"""Errors of means when tasks belong to groups of two kinds, such as repositories and domains.

The variance is V1 + V2 - V12: clustered by the first, by the second, and by both at once (Cameron, Gelbach
and Miller 2011), each with its own small-sample factor G / (G - 1); t has min(G1, G2) - 1 degrees of freedom.
``groupings`` is one array of codes (tasks), or two; with one everything is the plain CR1 error.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.clusters import (
    ClusteredMean,
    clustered_covariance,
    clustered_mean,
    clustered_root,
    settled,
)

Groupings = tuple[Integers, ...]


def crossed(first: Integers, second: Integers) -> Integers:
    """One code for every pair of codes that occurs, in the order of the pairs."""
    width = int(np.max(second, initial=0)) + 1
    codes: Integers = np.unique(first * width + second, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return codes


def count_groups(codes: Integers) -> int:
    """How many groups have a task."""
    return len(np.unique(codes))


def reduced(first: Integers, second: Integers) -> Groupings:
    """The groupings that matter: the coarser alone where each group of one lies in one group of the other.

    Then V12 is the variance over the finer one and V1 + V2 - V12 that over the coarser.
    """
    both = count_groups(crossed(first, second))
    if both == count_groups(second):
        return (first,)
    if both == count_groups(first):
        return (second,)
    return first, second


def signed(groupings: Groupings) -> Iterator[tuple[Integers, float]]:
    """The groupings whose variances are added and subtracted."""
    for codes in groupings:
        yield codes, 1.0
    if len(groupings) > 1:
        yield crossed(*groupings), -1.0


@dataclass(frozen=True)
class TwoWay:
    """A covariance over one or two groupings; ``clipped`` when negative eigenvalues were set to 0."""

    covariance: Floats
    clipped: bool


def two_way_covariance(values: Floats, groupings: Groupings) -> TwoWay:
    """Covariance of the column means of ``values`` (tasks x columns).

    Raises:
        ValueError: a grouping has fewer than two groups.
    """
    if len(groupings) == 1:
        return TwoWay(clustered_covariance(values, groupings[0]), clipped=False)
    total = sum(
        (sign * clustered_covariance(values, codes) for codes, sign in signed(groupings)),
        start=np.zeros((values.shape[1], values.shape[1])),
    )
    level, vectors, clipped = _levels(total)
    return TwoWay((vectors * level) @ vectors.T if clipped else total, clipped=clipped)


def two_way_root(values: Floats, groupings: Groupings) -> tuple[Floats, bool]:
    """A matrix R with R'R = the covariance of :func:`two_way_covariance`, and whether that was clipped."""
    if len(groupings) == 1:
        return clustered_root(values, groupings[0]), False
    total = two_way_covariance(values, groupings)
    level, vectors, _ = _levels(total.covariance)
    return np.sqrt(level)[:, None] * vectors.T, total.clipped


def root_of_sum(parts: Iterator[tuple[Floats, float]]) -> tuple[Floats, bool]:
    """A matrix R with R'R = sum of sign * part'part, negative eigenvalues set to 0, and whether any were."""
    total = None
    for part, sign in parts:
        product = sign * (part.T @ part)
        total = product if total is None else total + product
    if total is None:
        raise ValueError("a sum needs at least one part")
    level, vectors, clipped = _levels(total)
    return np.sqrt(level)[:, None] * vectors.T, clipped


def _levels(symmetric: Floats) -> tuple[Floats, Floats, bool]:
    """Eigenvalues, none below 0, their vectors, and whether a negative one was more than rounding."""
    level, vectors = np.linalg.eigh((symmetric + symmetric.T) / 2)
    floor = -1e-12 * max(float(np.abs(level).max(initial=0.0)), 1e-300)
    return np.maximum(level, 0.0), vectors, bool((level < floor).any())


def combined_error(variances: Floats, *, ways: int) -> tuple[Floats, Booleans]:
    """Standard errors from the signed variances (terms x columns) of :func:`signed`, and which were clipped.

    A sum that is not positive says that the groupings' errors do not fit together, not that there is no
    error: the larger variance over one grouping stands in its place.
    """
    if ways == 1:
        return np.sqrt(variances[0]), np.zeros(variances.shape[1], dtype=bool)
    total: Floats = variances.sum(axis=0)
    larger: Floats = variances[:2].max(axis=0)
    clipped = (total <= 1e-12 * larger) & (larger > 0)
    return np.sqrt(np.where(clipped, larger, np.maximum(total, 0.0))), clipped


def grouped_mean(values: Floats, groupings: Groupings) -> tuple[ClusteredMean, bool]:
    """Mean of ``values`` (tasks) with its error over the groupings, and whether that was clipped.

    ``clusters`` is the smaller number of groups and ``largest_share`` that of the largest group of any kind.
    """
    if len(groupings) == 1:
        return clustered_mean(values, groupings[0]), False
    means = [clustered_mean(values, codes) for codes in groupings]
    coarse = min(means, key=lambda mean: mean.clusters)
    coarse = replace(coarse, largest_share=max(mean.largest_share for mean in means))
    if coarse.clusters < 2:
        return replace(coarse, se=None, design_effect=None, effective_tasks=None), False
    variances = [sign * (clustered_mean(values, codes).se or 0.0) ** 2 for codes, sign in signed(groupings)]
    errors, clipped = combined_error(np.array(variances)[:, None], ways=2)
    se = settled(float(errors[0]))
    effect = (se / coarse.naive_se) ** 2 if coarse.naive_se else None
    tasks = coarse.tasks / effect if effect else None
    return replace(coarse, se=se, design_effect=effect, effective_tasks=tasks), bool(clipped[0])
