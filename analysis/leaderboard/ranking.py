"""Ranks, rank sets, tiers and shrunken scores among contenders with a score on every task."""

from dataclasses import dataclass

import numpy as np

from analysis.leaderboard.family import correct, enough_data, family_draws
from analysis.leaderboard.pairs import PairTable
from analysis.leaderboard.scores import Score
from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.cells import Cells
from analysis.statistics.multiplicity import equivalent_t
from analysis.statistics.ranks import best_share, rank_sets, ranks, tiers
from analysis.statistics.shrink import shrink
from analysis.statistics.two_way import count_groups, two_way_covariance


@dataclass(frozen=True)
class Ranking:
    """Ranks by contender; None for those without full coverage.

    ``order`` lists all contenders best first, those without full coverage after the others. ``separated``
    says which pairs of contenders are proven different under max-T over all ranked pairs.
    """

    order: Integers
    rank: tuple[int | None, ...]
    low: tuple[int | None, ...]
    high: tuple[int | None, ...]
    tier: tuple[int | None, ...]
    shrunk: tuple[float | None, ...]
    best_share: tuple[float | None, ...]
    separated: Booleans


def rank(
    cells: Cells,
    scores: tuple[Score, ...],
    table: PairTable,
    *,
    confidence: float,
    draws: int,
    seed: int,
) -> Ranking:
    """Rank the contenders that have a score on every task.

    Rank sets are simultaneous (Mogstad et al. 2024); each pair enters by the |t| of its own test, and by 0
    where it lacks the minimum data for a verdict, so that a rank set never says more than a verdict may.
    """
    count = len(scores)
    means = np.array([np.nan if s.mean is None else s.mean for s in scores], dtype=np.float64)
    ranked = np.flatnonzero([s.complete for s in scores])
    order = _order(means, ranked)
    separated = np.zeros((count, count), dtype=bool)
    blank: tuple[None, ...] = (None,) * count
    if not len(ranked):
        return Ranking(order, blank, blank, blank, blank, blank, blank, separated)
    place = ranks(means[ranked])
    low, high = np.ones(len(ranked), dtype=np.int64), np.full(len(ranked), len(ranked))
    best: Floats | None = None
    shrunk: Floats | None = None
    values = cells.cell_means[ranked].T
    if cells.groups > 1:
        shrunk = shrink(means[ranked], two_way_covariance(values, cells.groupings).covariance)
        # Whole groups are drawn anew; of two groupings those of the coarser one.
        coarsest = min(cells.groupings, key=count_groups)
        best = best_share(values, coarsest, draws=max(100, draws // 5), seed=seed)
    if len(ranked) > 1:
        family = table.take(np.flatnonzero(np.isin(table.first, ranked) & np.isin(table.second, ranked)))
        separated[family.first, family.second] = _separated(cells, family, confidence, draws, seed)
        separated |= separated.T
        if cells.groups > 1:
            low, high = _sets(cells, family, confidence, draws, seed)
    tier = tiers(means[ranked], separated[np.ix_(ranked, ranked)])
    return Ranking(
        order=order,
        rank=_whole(place, ranked, count),
        low=_whole(low, ranked, count),
        high=_whole(high, ranked, count),
        tier=_whole(tier, ranked, count),
        shrunk=_real(shrunk, ranked, count),
        best_share=_real(best, ranked, count),
        separated=separated,
    )


def _order(means: Floats, ranked: Integers) -> Integers:
    incomplete = np.ones(len(means), dtype=bool)
    incomplete[ranked] = False
    # Rounding must not order a draw; names do, as the cells are sorted by them.
    rounded = np.round(np.where(np.isnan(means), -1.0, means), 12)
    return np.lexsort((-rounded, incomplete)).astype(np.int64)


def _separated(cells: Cells, family: PairTable, confidence: float, draws: int, seed: int) -> Booleans:
    corrected = correct(cells, family, correction="max-t", confidence=confidence, draws=draws, seed=seed)
    clear = (corrected.low > 0) | (corrected.high < 0)
    return np.asarray(enough_data(family) & clear & (corrected.p_adjusted < 1 - confidence), dtype=bool)


def _sets(
    cells: Cells, family: PairTable, confidence: float, draws: int, seed: int
) -> tuple[Integers, Integers]:
    freedom = float(cells.groups - 1)
    drawn = family_draws(cells, family, freedom=freedom, draws=draws, seed=seed)
    if drawn is None:
        raise AssertionError("complete contenders always have joint draws")
    size = equivalent_t(family.p_basic, freedom)
    statistics = np.where(enough_data(family), np.sign(family.difference) * size, 0.0)
    sets = rank_sets(statistics, drawn, confidence=confidence)
    return sets.low, sets.high


def _whole(values: Integers, ranked: Integers, count: int) -> tuple[int | None, ...]:
    out: list[int | None] = [None] * count
    for row, value in zip(ranked, values, strict=True):
        out[int(row)] = int(value)
    return tuple(out)


def _real(values: Floats | None, ranked: Integers, count: int) -> tuple[float | None, ...]:
    out: list[float | None] = [None] * count
    if values is not None:
        for row, value in zip(ranked, values, strict=True):
            out[int(row)] = float(value)
    return tuple(out)
