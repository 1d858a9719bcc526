"""One family of comparisons corrected together: critical values, adjusted p, simultaneous limits."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.leaderboard.pairs import PairTable, flip_clusters, influence
from analysis.leaderboard.result import Correction
from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.cells import Cells
from analysis.statistics.clusters import LEAST_CLUSTERS
from analysis.statistics.multiplicity import (
    JointDraws,
    bonferroni,
    equivalent_t,
    holm,
    joint_draws,
    max_t,
)
from analysis.statistics.paired import tango
from analysis.statistics.two_way import root_of_sum, two_way_root

#: Paired tasks below which there is no verdict.
LEAST_TASKS = 10
#: Units that must differ: with fewer, no exact two-sided test reaches 0.05 (2 / 2^6 = 0.031).
LEAST_DIFFERING = 6
#: Pairs drawn jointly when coverage differs; beyond, Bonferroni (their covariance would be too large).
MOST_PAIRS = 1000


@dataclass(frozen=True)
class Corrected:
    """A family's pairs (as arrays) after correction; NaN where a pair has no test.

    ``critical`` is each pair's own multiple of its error. ``exceeded`` says that the family was too large
    for joint draws, so that max-T became Bonferroni; ``clipped`` that the joint covariance over two groupings
    had negative eigenvalues, which were set to 0.
    """

    critical: Floats
    p_adjusted: Floats
    low: Floats
    high: Floats
    size: int
    exceeded: bool
    clipped: bool


def correct(
    cells: Cells,
    table: PairTable,
    *,
    correction: Correction,
    confidence: float,
    draws: int,
    seed: int,
) -> Corrected:
    """Correct the pairs of ``table`` as one family.

    max-t: the largest |t| of the family under joint draws (single step). Every test enters through its p, as
    the |t| of that p. holm: step-down p with Bonferroni limits, which Holm's rejections contain. none: each
    pair alone. Pairs on different tasks keep their own degrees of freedom: a critical value is carried over
    at equal tail probability.
    """
    chosen = np.flatnonzero(table.testable)
    # In one order whatever the order shown, so that the draws of each pair are always its own.
    chosen = chosen[np.lexsort((table.second[chosen], table.first[chosen]))]
    family = table.take(chosen)
    freedom = float(max(cells.groups - 1, 1))
    exceeded = clipped = False
    if correction == "max-t":
        drawn = family_draws(cells, family, freedom=freedom, draws=draws, seed=seed)
        if drawn is None:
            exceeded, largest = True, bonferroni(len(family.p), freedom)
        else:
            clipped, largest = drawn.clipped, max_t(drawn, apart=family.difference != 0)
        adjusted = largest.tail(equivalent_t(family.p_basic, freedom))
        adjusted = np.maximum(np.maximum(adjusted, family.p), _flipped(cells, family, draws, seed))
        tail = float(stats.t.sf(largest.critical(confidence), freedom))
    else:
        adjusted = holm(family.p) if correction == "holm" else family.p
        tail = (1 - confidence) / 2 / (max(len(family.p), 1) if correction == "holm" else 1)
    critical = np.asarray(stats.t.isf(tail, family.units - 1), dtype=float)
    low, high = _limits(family, critical, float(stats.norm.isf(tail)))
    return Corrected(
        critical=_spread(critical, chosen, table),
        p_adjusted=_spread(adjusted, chosen, table),
        low=_spread(low, chosen, table),
        high=_spread(high, chosen, table),
        size=len(chosen),
        exceeded=exceeded,
        clipped=clipped,
    )


def _spread(values: Floats, chosen: Integers, table: PairTable) -> Floats:
    out: Floats = np.full(len(table.p), np.nan)
    out[chosen] = values
    return out


def family_draws(
    cells: Cells, family: PairTable, *, freedom: float, draws: int, seed: int
) -> JointDraws | None:
    """Joint draws of a family's differences.

    With every contender on every task the contenders' covariance gives all pairs. Otherwise each pair rests
    on its own tasks and the covariance is that of the pairs' influence values; None beyond ``MOST_PAIRS``.
    """
    members = np.unique(np.concatenate([family.first, family.second]))
    if (cells.scored[members] > 0).all() and cells.groups > 1:
        root, clipped = two_way_root(cells.cell_means[members].T, cells.groupings)
        return joint_draws(
            root,
            freedom=freedom,
            draws=draws,
            seed=seed,
            first=np.searchsorted(members, family.first),
            second=np.searchsorted(members, family.second),
            clipped=clipped,
        )
    if len(family.p) > MOST_PAIRS:
        return None
    parts = influence(cells, family)
    if len(cells.groupings) > 1:
        root, clipped = root_of_sum(parts)
        return joint_draws(root, freedom=freedom, draws=draws, seed=seed, clipped=clipped)
    root, _ = next(parts)
    if root.shape[0] > root.shape[1]:
        root = np.asarray(np.linalg.qr(root, mode="r"), dtype=np.float64)
    return joint_draws(root, freedom=freedom, draws=draws, seed=seed)


def _flipped(cells: Cells, family: PairTable, draws: int, seed: int) -> Floats:
    """Jointly adjusted sign-flip p where clusters are few; 0 elsewhere."""
    out = np.zeros(len(family.p))
    chosen = np.flatnonzero(family.few)
    if len(chosen):
        flips = flip_clusters(cells, family.first[chosen], family.second[chosen], draws=draws, seed=seed)
        out[chosen] = flips.p_adjusted
    return out


def _limits(family: PairTable, critical: Floats, normal: float) -> tuple[Floats, Floats]:
    """Limits of each difference: Tango's for single runs, otherwise difference +- critical * SE.

    Where fewer units differ than a test needs, or all by one amount, their spread is luck: the limits widen
    to hold Tango's, on the units, as if a unit's difference were a share of a discordant one.
    """
    half = critical * family.se
    low, high = family.difference - half, family.difference + half
    scale = family.units / family.tasks
    below, above = tango(family.gains * scale, family.losses * scale, family.units, normal)
    low = np.where(family.single, below, low)
    high = np.where(family.single, above, high)
    rare = ~family.single & ((family.differing < LEAST_DIFFERING) | (family.se == 0))
    low = np.where(rare, np.minimum(low, below), low)
    high = np.where(rare, np.maximum(high, above), high)
    return np.maximum(low, -1.0), np.minimum(high, 1.0)


def enough_data(table: PairTable) -> Booleans:
    """Pairs with the minimum data for a verdict: 10 tasks, 6 clusters, 6 units that differ."""
    return (
        (table.tasks >= LEAST_TASKS) & (table.units >= LEAST_CLUSTERS) & (table.differing >= LEAST_DIFFERING)
    )
