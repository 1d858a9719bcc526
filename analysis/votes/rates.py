"""Win rates: against one reference, or on average over opponents."""

from dataclasses import dataclass

import numpy as np

from analysis.statistics.arrays import Floats
from analysis.votes.counts import VoteCounts


@dataclass(frozen=True)
class WinRate:
    """Share of votes won, a tie being half; ``votes`` counts those with an outcome, ties among them."""

    model: str
    win_rate: float | None
    se: float | None
    votes: int
    ties: int
    dropped: int


def win_rates(counts: VoteCounts, *, reference: str | None = None) -> tuple[WinRate, ...]:
    """Win rates of all models, or of all others against ``reference``, best first.

    Against a reference: the mean of 1, 1/2, 0 with SE sd / sqrt(n). Otherwise the mean over opponents of the
    rate against each, with the errors of the rates added in squares.

    Raises:
        KeyError: the reference has no vote.
    """
    if reference is not None and reference not in counts.models:
        raise KeyError(reference)
    wins, ties = counts.wins(half_ties=True), counts.tied()
    total, dropped = wins + wins.T, counts.matrix(counts.dropped, counts.dropped)
    rate, error = _rates(wins, total, ties)
    if reference is None:
        met = total > 0
        opponents = met.sum(axis=1)
        mean = np.where(opponents > 0, np.where(met, rate, 0).sum(axis=1) / np.maximum(opponents, 1), np.nan)
        known = np.where(met, error, 0) ** 2
        spread = np.sqrt(known.sum(axis=1)) / np.maximum(opponents, 1)
        rows = [
            (name, mean[i], spread[i], total[i].sum(), ties[i].sum(), dropped[i].sum())
            for i, name in enumerate(counts.models)
        ]
    else:
        column = counts.models.index(reference)
        rows = [
            (name, rate[i, column], error[i, column], total[i, column], ties[i, column], dropped[i, column])
            for i, name in enumerate(counts.models)
            if i != column and total[i, column] + dropped[i, column] > 0
        ]
    found = [
        WinRate(name, _known(mean), _known(se), round(votes), round(even), round(lost))
        for name, mean, se, votes, even, lost in rows
    ]
    return tuple(sorted(found, key=lambda r: (-1.0 if r.win_rate is None else -r.win_rate, r.model)))


def _rates(wins: Floats, total: Floats, ties: Floats) -> tuple[Floats, Floats]:
    """Rate and error of each row model against each column model; NaN without votes, or with one."""
    rate: Floats = np.full(wins.shape, np.nan)
    np.divide(wins, total, out=rate, where=total > 0)
    # Outcomes are 1, 1/2 and 0: the sum of squares is wins - ties / 4 once half a win is in for a tie.
    squares = wins - ties / 4
    variance: Floats = np.full(wins.shape, np.nan)
    np.divide(squares - total * rate**2, total - 1, out=variance, where=total > 1)
    error: Floats = np.full(wins.shape, np.nan)
    np.divide(np.maximum(variance, 0), total, out=error, where=total > 1)
    return rate, np.sqrt(error)


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
