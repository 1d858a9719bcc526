"""Ranks that know their uncertainty: simultaneous and marginal rank sets, the set of the best, tiers."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.clusters import cluster_sums
from analysis.statistics.multiplicity import JointDraws

#: Scores nearer than this are one score: a draw, not an order.
DRAW = 1e-9


def ranks(scores: Floats) -> Integers:
    """Rank from 1, highest first; equal scores share the best rank of their group (1, 1, 3)."""
    return fractional_ranks(scores, 0.0).astype(np.int64)


def fractional_ranks(scores: Floats, omega: float) -> Floats:
    """Rank from 1, highest first; equal scores take the best (0), mean (0.5) or worst (1) of their ranks."""
    above = (scores[None, :] > scores[:, None] + DRAW).sum(axis=1)
    group = (np.abs(scores[None, :] - scores[:, None]) <= DRAW).sum(axis=1)
    result: Floats = 1.0 + above + omega * (group - 1)
    return result


def pair_index(count: int) -> tuple[Integers, Integers]:
    """All pairs (i, j), i < j, in row order."""
    first, second = np.triu_indices(count, 1)
    return first.astype(np.int64), second.astype(np.int64)


@dataclass(frozen=True)
class RankSets:
    """Lowest and highest rank of each contender that the data do not rule out, jointly."""

    low: Integers
    high: Integers

    def best(self, tau: int = 1) -> Booleans:
        """Who may be among the ``tau`` best."""
        return self.low <= tau


def rank_sets(
    statistics: Floats,
    draws: JointDraws,
    *,
    confidence: float,
    only: int | None = None,
    side: Literal["both", "low"] = "both",
    step_down: bool = True,
) -> RankSets:
    """Rank sets by step-down max-T over ordered pairs (Mogstad, Romano, Shaikh and Wilhelm 2024, REStud).

    Contender j is at best 1 + the number proven above it and at worst M minus the number proven below it.
    Each ordered pair is a one-sided hypothesis; rejected ones leave the family and the critical value is
    taken again until nothing more is rejected.

    Args:
        statistics: t of each pair of ``draws`` (pairs), first minus second, pairs as in ``pair_index``.
        draws: joint draws of those pairs.
        confidence: joint coverage.
        only: the contender of a marginal set: only pairs that involve it are tested.
        side: ``low`` with ``only`` tests just who is above it.
        step_down: False takes one critical value, of the whole family.
    """
    count = int((1 + np.sqrt(1 + 8 * draws.pairs)) / 2 + 0.5)
    first, second = pair_index(count)
    forward = np.ones(draws.pairs, dtype=bool)
    backward = np.ones(draws.pairs, dtype=bool)
    if only is not None:
        forward = (first == only) | (second == only)
        backward = forward.copy()
        if side == "low":
            forward, backward = second == only, first == only
    above = _reject(statistics, draws, forward, backward, 1 - confidence, again=step_down)
    beaten = np.zeros((count, count), dtype=bool)
    beaten[first, second], beaten[second, first] = above
    low = 1 + beaten.sum(axis=0)
    high = count - beaten.sum(axis=1)
    return RankSets(low.astype(np.int64), high.astype(np.int64))


def _reject(
    statistics: Floats,
    draws: JointDraws,
    forward: Booleans,
    backward: Booleans,
    level: float,
    *,
    again: bool,
) -> tuple[Booleans, Booleans]:
    """Which pairs are proven first above second, and second above first."""
    rejected = (np.zeros_like(forward), np.zeros_like(backward))
    # Pairs without spread have no draw; those that do differ are bounded by Bonferroni.
    apart = (draws.scale == 0) & (statistics != 0)
    while forward.any() or backward.any():
        maxima = _largest(draws, forward, backward)
        lone = int((forward & apart).sum() + (backward & apart).sum())
        up = forward & (_tail(maxima, lone, statistics, draws.freedom) <= level)
        down = backward & (_tail(maxima, lone, -statistics, draws.freedom) <= level)
        if not (up.any() or down.any()):
            break
        rejected[0][up], rejected[1][down] = True, True
        if not again:
            break
        forward, backward = forward & ~up, backward & ~down
    return rejected


def _largest(draws: JointDraws, forward: Booleans, backward: Booleans) -> Floats:
    """Sorted largest one-sided statistic of the remaining hypotheses, one a draw; empty without any."""
    chosen = np.flatnonzero((forward | backward) & (draws.scale > 0))
    if not len(chosen):
        return np.empty(0)
    # A hypothesis that has left the family must never be the largest.
    ahead = np.where(forward, 0.0, -np.inf)
    behind = np.where(backward, 0.0, -np.inf)
    maxima = np.full(draws.base.shape[1], -np.inf)
    for pairs, block in draws.blocks(chosen):
        if (forward[pairs] & backward[pairs]).all():
            np.maximum(maxima, np.abs(block, out=block).max(axis=0), out=maxima)
            continue
        np.maximum(maxima, (block + ahead[pairs][:, None]).max(axis=0), out=maxima)
        np.maximum(maxima, (behind[pairs][:, None] - block).max(axis=0), out=maxima)
    maxima.sort()
    return maxima


def _tail(maxima: Floats, lone: int, statistics: Floats, freedom: float) -> Floats:
    own = np.asarray(stats.t.sf(statistics, freedom), dtype=np.float64)
    if not len(maxima):
        return max(lone, 1) * own
    beyond = len(maxima) - np.searchsorted(maxima, statistics, side="left")
    joint: Floats = np.maximum((beyond + 1) / (len(maxima) + 1), own) + lone * own
    return joint


def tiers(scores: Floats, separated: Booleans) -> Integers:
    """Tier of each contender from 1, by the anchor rule.

    The best score left opens a tier; everyone not separated from that anchor joins it. Chaining overlaps
    would merge everything, so members are compared with the anchor only.

    Args:
        scores: (contenders).
        separated: whether each pair is proven different (contenders x contenders).
    """
    order = np.argsort(-scores, kind="stable")
    tier = np.zeros(len(scores), dtype=np.int64)
    current = 0
    for anchor in order:
        if tier[anchor]:
            continue
        current += 1
        tier[(tier == 0) & ~separated[anchor]] = current
        tier[anchor] = current
    return tier


def best_share(values: Floats, codes: Integers, *, draws: int, seed: int) -> Floats:
    """Share of cluster bootstrap samples in which each contender scores highest; draws of a score share it.

    A frequency under resampling of the clusters, not a probability that the contender is the best.

    Args:
        values: complete scores (tasks x contenders).
        codes: cluster of each task.
        draws: bootstrap samples.
        seed: of the samples.
    """
    sums = cluster_sums(values, codes)
    sizes = np.unique(codes, return_counts=True)[1].astype(float)
    clusters = len(sizes)
    generator = np.random.default_rng(seed)
    total = np.zeros(values.shape[1])
    size = max(1, 2_000_000 // max(clusters, 1))
    for start in range(0, draws, size):
        count = min(size, draws - start)
        picked = generator.integers(0, clusters, size=(count, clusters))
        picked += clusters * np.arange(count)[:, None]
        weights = (
            np.bincount(picked.ravel(), minlength=count * clusters).reshape(count, clusters).astype(float)
        )
        means = (weights @ sums) / (weights @ sizes)[:, None]
        leads = means >= means.max(axis=1, keepdims=True) - DRAW
        total += (leads / leads.sum(axis=1, keepdims=True)).sum(axis=0)
    return total / draws
