"""Bradley-Terry strengths from counts: fit, errors that hold under misfit."""

import numpy as np
from scipy import special
from scipy.sparse import csgraph

from analysis.statistics.arrays import Floats, Integers
from analysis.votes.counts import VoteCounts

#: Newton steps; a connected win graph converges in under ten.
MOST_STEPS = 50


def components(wins: Floats) -> Integers:
    """Strongly connected component of each model in the graph "has won against".

    Finite strengths exist only when there is one component (Ford 1957): otherwise some group never lost to,
    or never met, another.
    """
    return np.asarray(csgraph.connected_components(wins > 0, connection="strong")[1], dtype=np.int64)


def is_connected(wins: Floats) -> bool:
    """Whether every model has won, directly or through others, against every other."""
    if np.count_nonzero(wins) == len(wins) * (len(wins) - 1):
        return True  # everyone beat everyone; searching the graph costs more than a fit
    return len(np.unique(components(wins))) == 1


def fit(wins: Floats, start: Floats | None = None, *, tolerance: float = 1e-10) -> Floats:
    """Log strengths (models) with mean 0 that maximise sum W_ij log s(t_i - t_j), by Newton's method.

    Args:
        wins: W, row model's wins over the column's (models x models), strongly connected.
        start: log strengths to begin from.
        tolerance: largest last step.

    Raises:
        ArithmeticError: no finite maximum was reached.
    """
    count = len(wins)
    strength: Floats = np.zeros(count) if start is None else start.copy()
    total, won = wins + wins.T, wins.sum(axis=1)
    for _ in range(MOST_STEPS):
        expected = total * special.expit(strength[:, None] - strength[None, :])
        step = np.linalg.solve(_information(total, expected), won - expected.sum(axis=1))
        size = float(np.abs(step).max(initial=0.0))
        strength += step / max(1.0, size / 5)
        if size < tolerance:
            strength -= strength.mean()
            return strength
    raise ArithmeticError("Bradley-Terry strengths did not converge")


def information(wins: Floats, strength: Floats) -> Floats:
    """Information of the log strengths (models x models), with their mean fixed."""
    total = wins + wins.T
    return _information(total, total * special.expit(strength[:, None] - strength[None, :]))


def _information(total: Floats, expected: Floats) -> Floats:
    weight = expected * expected.T / np.maximum(total, 1e-300)
    # 1/M in every cell fixes the mean, which the data leave open.
    result: Floats = np.diag(weight.sum(axis=1)) - weight + 1 / len(total)
    return result


def sandwich(
    counts: VoteCounts, strength: Floats, *, half_ties: bool, single: VoteCounts | None = None
) -> Floats:
    """Covariance of log strengths: H^+ M H^+ (White 1982), by vote or by cluster of votes.

    H = sum n p (1 - p) x x', M = sum over votes of (s - p)^2 x x', or over clusters of summed scores. The
    inverse information alone overstates the error when ties count half. ``single`` are further votes on the
    models of ``counts``, each a cluster of its own.
    """
    bread, meat = _information_and_meat(counts, strength, half_ties=half_ties)
    if single is not None:
        more, alone = _information_and_meat(single, strength, half_ties=half_ties)
        bread, meat = bread + more, meat + alone
    inverse = np.linalg.pinv(bread, hermitian=True)
    covariance: Floats = inverse @ meat @ inverse
    return covariance


def _information_and_meat(counts: VoteCounts, strength: Floats, *, half_ties: bool) -> tuple[Floats, Floats]:
    count = len(counts.models)
    p = special.expit(strength[counts.first] - strength[counts.second])
    ties = counts.ties if half_ties else np.zeros(len(counts.ties))
    votes = counts.wins_first + ties + counts.wins_second
    information = _laplacian(counts, votes * p * (1 - p))
    if counts.cluster is None:
        squares = counts.wins_first * (1 - p) ** 2 + ties * (0.5 - p) ** 2 + counts.wins_second * p**2
        meat = _laplacian(counts, squares)
    else:
        score = counts.wins_first * (1 - p) + ties * (0.5 - p) - counts.wins_second * p
        groups = counts.groups or 0
        place = counts.cluster * count
        summed: Floats = np.zeros(groups * count)
        summed += np.bincount(place + counts.first, score, groups * count)
        summed -= np.bincount(place + counts.second, score, groups * count)
        scores = summed.reshape(groups, count)
        meat = scores.T @ scores * (groups / max(groups - 1, 1))
    return information, meat


def _laplacian(counts: VoteCounts, weight: Floats) -> Floats:
    """Sum of weight x x' over cells, x = +1 at the first model and -1 at the second."""
    off = counts.matrix(weight, weight)
    result: Floats = np.diag(off.sum(axis=1)) - off
    return result
