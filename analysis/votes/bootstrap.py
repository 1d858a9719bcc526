"""Bootstrap of Bradley-Terry strengths from counts, many resamples fitted together."""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.threads import single_thread
from analysis.votes.bradley_terry import fit, information, is_connected
from analysis.votes.counts import VoteCounts

#: Resamples fitted together: their win matrices stay in the processor's cache.
BLOCK = 8
#: Steps with the information of all votes before a resample is fitted on its own.
MOST_STEPS = 12
#: Last step (log strength) of a fitted resample: a thousandth of the errors of a million votes.
TOLERANCE = 1e-5


def bootstrap(counts: VoteCounts, strength: Floats, *, half_ties: bool, draws: int, seed: int) -> Floats:
    """Log strengths of resampled votes (draws x models); NaN where a resample is not connected.

    Poisson bootstrap: each vote, or each cluster of votes, is taken Poisson(1) times (Hanley and MacGibbon
    2006). Resamples start from ``strength`` and step with the inverse information of all votes, which is
    close to their own; those that do not settle so are fitted by Newton's method. One thread, so that the
    bits do not depend on the machine's.
    """
    count = len(counts.models)
    out: Floats = np.full((draws, count), np.nan)
    if count < 2:
        return out
    with single_thread():
        inverse = np.asarray(
            np.linalg.inv(information(counts.wins(half_ties=half_ties), strength)), dtype=np.float64
        )
        done = 0
        for wins in _resampled(counts, half_ties=half_ties, draws=draws, seed=seed):
            connected = _connected(wins)
            chosen = np.flatnonzero(connected)
            fitted, settled = _stepped(wins[chosen], strength, inverse)
            for place in np.flatnonzero(~settled):
                fitted[place] = fit(wins[chosen[place]], strength, tolerance=TOLERANCE)
            out[done + chosen] = fitted
            done += len(wins)
    return out


def _connected(wins: Floats) -> Booleans:
    return np.array([is_connected(each) for each in wins], dtype=bool)


def _stepped(wins: Floats, strength: Floats, inverse: Floats) -> tuple[Floats, Booleans]:
    """Log strengths (resamples x models) by steps of one information, and which of them settled."""
    count = len(strength)
    fitted: Floats = np.repeat(strength[None, :], len(wins), axis=0)
    settled = np.zeros(len(wins), dtype=bool)
    total = wins + wins.transpose(0, 2, 1)
    won = wins.sum(axis=2)
    for _ in range(MOST_STEPS):
        power = np.exp(fitted)
        # Expected wins: i's strength times the sum over j of n_ij / (strength of i + strength of j).
        shared = power[:, :, None] + power[:, None, :]
        np.divide(total, shared, out=shared)
        short = won - power * shared.sum(axis=2)
        # Not by matrix product: its bits may depend on how many resamples there are.
        step = np.einsum("bi,ij->bj", short, inverse, optimize=False)
        size = np.abs(step).max(axis=1, initial=0.0)
        # Far from the maximum the information of all votes may point too far; a settled one stays.
        fitted += step * np.where(settled, 0.0, 1 / np.maximum(1.0, size / 5))[:, None]
        settled |= size < TOLERANCE
        if settled.all():
            break
    return fitted - fitted.sum(axis=1, keepdims=True) / count, settled


def _resampled(counts: VoteCounts, *, half_ties: bool, draws: int, seed: int) -> Iterator[Floats]:
    """Wins of resampled votes (resamples x models x models), block by block."""
    generator = np.random.default_rng(seed)
    drawn = _by_cluster if counts.cluster is not None else _by_vote
    return drawn(counts, generator, draws, half_ties=half_ties)


def _by_vote(
    counts: VoteCounts, generator: np.random.Generator, draws: int, *, half_ties: bool
) -> Iterator[Floats]:
    cells = counts.unordered()
    count = len(cells.models)
    here, there = cells.first * count + cells.second, cells.second * count + cells.first
    expected = [cells.wins_first, cells.wins_second, *([cells.ties] if half_ties else [])]
    for start in range(0, draws, BLOCK):
        size = min(BLOCK, draws - start)
        wins: Floats = np.zeros((size, count * count))
        for row in wins:
            parts = [generator.poisson(part) for part in expected]
            even = parts[2] / 2 if half_ties else 0.0
            row[here], row[there] = parts[0] + even, parts[1] + even
        yield wins.reshape(size, count, count)


def _by_cluster(
    counts: VoteCounts, generator: np.random.Generator, draws: int, *, half_ties: bool
) -> Iterator[Floats]:
    if counts.cluster is None:
        raise ValueError("votes without clusters are drawn one by one")
    count, groups = len(counts.models), counts.groups or 0
    even = counts.ties / 2 if half_ties else np.zeros(len(counts.ties))
    won = _matrix(
        counts.cluster, counts.first * count + counts.second, counts.wins_first + even, groups, count
    )
    won = won + _matrix(
        counts.cluster, counts.second * count + counts.first, counts.wins_second + even, groups, count
    )
    turned = won.T.tocsr()
    for start in range(0, draws, BLOCK):
        size = min(BLOCK, draws - start)
        times = generator.poisson(1.0, (size, groups)).astype(np.float64)
        wins: Floats = np.ascontiguousarray((turned @ times.T).T)
        yield wins.reshape(size, count, count)


def _matrix(cluster: Integers, place: Integers, values: Floats, groups: int, count: int) -> sparse.csr_array:
    """Wins by cluster and ordered pair (clusters x models squared)."""
    return sparse.csr_array((values, (cluster, place)), shape=(groups, count * count))
