"""Bradley-Terry with one more parameter: ties of their own (Davidson), or being shown first."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from analysis.statistics.arrays import Floats
from analysis.votes.counts import VoteCounts


@dataclass(frozen=True)
class Extended:
    """Log strengths (models, mean 0), the extra parameter, and their joint covariance (last row: extra)."""

    strength: Floats
    extra: float
    covariance: Floats


@dataclass(frozen=True)
class _Outcomes:
    """Derivatives of each outcome's log likelihood (3 x cells: first, tie, second) and their information.

    ``ours`` is by the first model's log strength (the second has the opposite), ``extra`` by the parameter.
    """

    ours: Floats
    extra: Floats
    information: Floats  # 3 x cells, per vote: ours-ours, ours-extra, extra-extra


def davidson(counts: VoteCounts, start: Floats) -> Extended:
    """Ties by Davidson (1970): P(tie) = nu g / (pi_i + pi_j + nu g), g = sqrt(pi_i pi_j); extra is log nu.

    Raises:
        ArithmeticError: there is no tie, or no finite maximum.
    """
    if counts.ties.sum() == 0:
        raise ArithmeticError("Davidson's model needs a tie")
    return _newton(counts, start, _davidson)


def first_shown(counts: VoteCounts, start: Floats) -> Extended:
    """The advantage of being shown first, in log odds; ties count half.

    Raises:
        ArithmeticError: no finite maximum, as when every pair has one order only.
    """
    return _newton(counts, start, _position)


def _davidson(gap: Floats, extra: float) -> _Outcomes:
    weights = np.stack([gap / 2, np.full(len(gap), extra), -gap / 2])
    share: Floats = special.softmax(weights, axis=0)
    first: Floats = share[0]
    tie: Floats = share[1]
    second: Floats = share[2]
    lead: Floats = first - second
    return _Outcomes(
        ours=np.stack([1 - lead, -lead, -1 - lead]) / 2,
        extra=np.stack([-tie, 1 - tie, -tie]),
        information=np.stack([(first + second - lead**2) / 4, -lead * tie / 2, tie * (1 - tie)]),
    )


def _position(gap: Floats, extra: float) -> _Outcomes:
    p = special.expit(gap + extra)
    score = np.stack([1 - p, 0.5 - p, -p])
    weight = p * (1 - p)
    return _Outcomes(ours=score, extra=score, information=np.stack([weight, weight, weight]))


def _newton(counts: VoteCounts, start: Floats, outcomes: Callable[[Floats, float], _Outcomes]) -> Extended:
    count = len(counts.models)
    votes = np.stack([counts.wins_first, counts.ties, counts.wins_second])
    total = votes.sum(axis=0)
    strength, extra = start.copy(), 0.0
    for _ in range(50):
        parts = outcomes(strength[counts.first] - strength[counts.second], extra)
        weights = total * parts.information
        information = _assemble(counts, weights)
        information[:count, :count] += 1 / count
        step = np.linalg.solve(
            information, _gradient(counts, (votes * parts.ours).sum(axis=0), (votes * parts.extra).sum())
        )
        size = float(np.abs(step).max())
        step /= max(1.0, size / 5)
        strength, extra = strength + step[:count], extra + float(step[count])
        if size < 1e-10:
            break
    else:
        raise ArithmeticError("the votes do not determine the extra parameter")
    squares = np.stack([parts.ours**2, parts.ours * parts.extra, parts.extra**2])
    meat = _assemble(counts, (squares * votes).sum(axis=1))
    inverse = np.linalg.pinv(_assemble(counts, weights), hermitian=True)
    return Extended(strength - strength.mean(), extra, inverse @ meat @ inverse)


def _gradient(counts: VoteCounts, ours: Floats, extra: float) -> Floats:
    count = len(counts.models)
    by_model = np.bincount(counts.first, ours, count) - np.bincount(counts.second, ours, count)
    return np.append(by_model, extra)


def _assemble(counts: VoteCounts, weights: Floats) -> Floats:
    """Sum over cells of w x x' with x = first - second, bordered by the extra parameter."""
    count = len(counts.models)
    ours: Floats = weights[0]
    cross: Floats = weights[1]
    out: Floats = np.zeros((count + 1, count + 1))
    off = counts.matrix(ours, ours)
    out[:count, :count] = np.diag(off.sum(axis=1)) - off
    border = np.bincount(counts.first, cross, count) - np.bincount(counts.second, cross, count)
    out[:count, count] = out[count, :count] = border
    out[count, count] = weights[2].sum()
    return out
