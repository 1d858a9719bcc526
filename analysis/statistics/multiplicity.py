"""Many comparisons at once: Holm, Benjamini-Hochberg, and single-step max-T from the joint distribution."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.statistics.arrays import Booleans, Floats, Integers

#: Pairs drawn at once.
BLOCK = 8


def holm(p: Floats) -> Floats:
    """Holm's step-down p values (family-wise); an empty family gives an empty result."""
    count = len(p)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * (count - np.arange(count)))
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(1.0, stepped)
    return adjusted


def benjamini_hochberg(p: Floats) -> Floats:
    """Benjamini and Hochberg's step-up p values (false discovery rate), for screening."""
    count = len(p)
    order = np.argsort(p, kind="stable")[::-1]
    stepped = np.minimum.accumulate(p[order] * count / (count - np.arange(count)))
    adjusted = np.empty(count)
    adjusted[order] = np.minimum(1.0, stepped)
    return adjusted


def equivalent_t(p: Floats, freedom: float) -> Floats:
    """The |t| whose two-sided p this is: how any test joins a max-T family."""
    return np.asarray(stats.t.isf(np.asarray(p, dtype=float) / 2, freedom), dtype=float)


@dataclass(frozen=True)
class JointDraws:
    """Draws of standardised differences under "no difference", with their real correlation.

    Differences are multivariate t: normal with the data's covariance over one chi per draw,
    Z / sqrt(chi2_v / v). ``base`` is columns x draws: of contenders when ``first`` and ``second`` (pairs) say
    which to subtract, of pairs themselves otherwise. A pair without spread (``scale`` 0) has no draw and is
    bounded by Bonferroni instead. ``clipped``: negative eigenvalues of the covariance were set to 0.
    """

    base: Floats
    scale: Floats
    first: Integers | None
    second: Integers | None
    freedom: float
    clipped: bool = False

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return len(self.scale)

    def blocks(self, chosen: Integers) -> Iterator[tuple[Integers, Floats]]:
        """The chosen pairs with spread and their standardised differences (pairs x draws), block by block.

        A block fits the processor's cache: one pass over blocks is several times faster than one array.
        """
        live = chosen[self.scale[chosen] > 0]
        for start in range(0, len(live), BLOCK):
            part = live[start : start + BLOCK]
            if self.first is None or self.second is None:
                difference = self.base[part]
            else:
                difference = self.base[self.first[part]]
                difference -= self.base[self.second[part]]
            difference /= self.scale[part][:, None]
            yield part, difference


def joint_draws(
    root: Floats,
    *,
    freedom: float,
    draws: int,
    seed: int,
    first: Integers | None = None,
    second: Integers | None = None,
    clipped: bool = False,
) -> JointDraws:
    """Draw from the joint distribution of means whose covariance is root'root (rows x columns).

    With ``first`` and ``second`` the columns are contenders and the pairs their differences; without, the
    columns are pairs. An infinite ``freedom`` gives normal draws.
    """
    generator = np.random.default_rng(seed)
    base = root.T @ generator.standard_normal((root.shape[0], draws))
    if np.isfinite(freedom):
        base /= np.sqrt(generator.chisquare(freedom, draws) / freedom)
    columns = root if first is None or second is None else root[:, first] - root[:, second]
    scale = np.sqrt(np.sum(columns**2, axis=0))
    return JointDraws(base, np.where(scale > 1e-12, scale, 0.0), first, second, freedom, clipped)


@dataclass(frozen=True)
class MaxT:
    """The distribution of the largest |t| of a family: its sorted draws and the pairs bounded apart."""

    maxima: Floats
    apart: int
    family: int
    freedom: float

    def tail(self, size: Floats) -> Floats:
        """Probability that any |t| of the family reaches ``size``; never below its own p."""
        own = 2 * stats.t.sf(size, self.freedom)
        if self.family == 1:
            return np.asarray(own, dtype=float)
        beyond = len(self.maxima) - np.searchsorted(self.maxima, size, side="left")
        joint = (beyond + 1) / (len(self.maxima) + 1) + self.apart * own
        return np.asarray(np.clip(np.minimum(joint, self.family * own), own, 1.0), dtype=float)

    def critical(self, confidence: float) -> float:
        """The |t| that the family exceeds with probability 1 - confidence."""
        single = float(stats.t.isf((1 - confidence) / 2, self.freedom))
        if self.family <= 1:
            return single
        low, high = single, float(stats.t.isf((1 - confidence) / 2 / self.family, self.freedom))
        if float(self.tail(np.array([low]))[0]) <= 1 - confidence:
            return low
        for _ in range(60):
            middle = (low + high) / 2
            if float(self.tail(np.array([middle]))[0]) <= 1 - confidence:
                high = middle
            else:
                low = middle
        return high


def max_t(draws: JointDraws, *, apart: Booleans | None = None) -> MaxT:
    """The largest |t| over all pairs. ``apart`` (pairs) marks pairs without spread that still can differ."""
    maxima = np.zeros(draws.base.shape[1])
    for _, block in draws.blocks(np.arange(draws.pairs)):
        np.maximum(maxima, np.abs(block, out=block).max(axis=0), out=maxima)
    maxima.sort()
    lone = 0 if apart is None else int(np.count_nonzero(apart & (draws.scale == 0)))
    return MaxT(maxima, lone, draws.pairs, draws.freedom)


def bonferroni(family: int, freedom: float) -> MaxT:
    """A family without draws: every p times the family size. For families too large to draw."""
    return MaxT(np.empty(0), family, family, freedom)
