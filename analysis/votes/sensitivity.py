"""How far ratings hang on a setting: the rule for ties, who is shown first, votes that move together."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import special

from analysis.statistics.intervals import normal_quantile
from analysis.statistics.ranks import ranks
from analysis.statistics.threads import single_thread
from analysis.votes.bradley_terry import fit, is_connected, sandwich
from analysis.votes.counts import Ties, VoteCounts
from analysis.votes.davidson import davidson, first_shown

RULES: tuple[Ties, ...] = ("half", "drop", "davidson")


def ranks_by_tie_rule(counts: VoteCounts) -> dict[Ties, dict[str, int] | None]:
    """Each model's rank under every rule for ties; None where a rule leaves no finite ratings."""
    found: dict[Ties, dict[str, int] | None] = {}
    with single_thread():
        for rule in RULES:
            wins = counts.wins(half_ties=rule != "drop")
            if len(counts.models) < 2 or not is_connected(wins):
                found[rule] = None
                continue
            strength = fit(wins)
            if rule == "davidson" and counts.ties.sum() > 0:
                strength = davidson(counts, strength).strength
            places = ranks(strength)
            found[rule] = {name: int(places[i]) for i, name in enumerate(counts.models)}
    return found


@dataclass(frozen=True)
class PositionEffect:
    """What being shown first is worth: ``share`` of votes the first answer wins between even models."""

    share: float
    low: float
    high: float
    votes: int


def position_effect(counts: VoteCounts, *, confidence: float = 0.95) -> PositionEffect | None:
    """The advantage of the answer shown first, in a Bradley-Terry model with one intercept; ties count half.

    Args:
        counts: votes whose ``first`` was shown first.
        confidence: of the limits, normal on the log-odds.

    Returns:
        None where the votes determine no finite strengths or no order effect.
    """
    wins = counts.wins(half_ties=True)
    if len(counts.models) < 2 or not is_connected(wins):
        return None
    with single_thread():
        try:
            found = first_shown(counts, fit(wins))
        except ArithmeticError:
            return None
    error = math.sqrt(max(0.0, float(found.covariance[-1, -1])))
    if not math.isfinite(found.extra) or not error:
        return None
    half = normal_quantile(confidence) * error
    share, low, high = special.expit([found.extra, found.extra - half, found.extra + half]).tolist()
    votes = float(counts.wins_first.sum() + counts.ties.sum() + counts.wins_second.sum())
    return PositionEffect(share, low, high, round(votes))


@dataclass(frozen=True)
class Grouped:
    """Votes in clusters (prompts or judges) and votes that stand alone, over the models of one board."""

    clustered: VoteCounts
    single: VoteCounts
    clusters: int


def error_ratio(counts: VoteCounts, grouped: Grouped) -> float | None:
    """How much wider errors are when votes of a cluster move together: median over pairs of models.

    None where the votes determine no ratings or nothing is clustered.
    """
    wins = counts.wins(half_ties=True)
    if len(counts.models) < 2 or grouped.clusters < 2 or not is_connected(wins):
        return None
    with single_thread():
        strength = fit(wins)
        plain = sandwich(counts, strength, half_ties=True)
        wide = sandwich(grouped.clustered, strength, half_ties=True, single=grouped.single)
    first, second = np.triu_indices(len(strength), 1)

    def spread(covariance: "np.typing.NDArray[np.float64]") -> "np.typing.NDArray[np.float64]":
        return covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]

    before, after = spread(plain), spread(wide)
    usable = before > 0
    return float(np.sqrt(np.median(after[usable] / before[usable]))) if usable.any() else None


@dataclass(frozen=True)
class RankRange:
    """A rank and the ranks that hold for all models at once."""

    rank: int
    low: int
    high: int


def ranks_within(ranges: Mapping[str, RankRange]) -> dict[str, RankRange]:
    """Ranks of some models among themselves, from their ranges in a longer list.

    A model certainly stands behind those whose whole range lies before its own; where the long list's ranges
    hold for all models at once, so do these.
    """
    return {
        name: RankRange(
            rank=1 + sum(other.rank < own.rank for other in ranges.values()),
            low=1 + sum(other.high < own.low for other in ranges.values()),
            high=len(ranges) - sum(other.low > own.high for other in ranges.values()),
        )
        for name, own in ranges.items()
    }
