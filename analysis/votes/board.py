"""The answer of the votes: ratings with errors of differences, win rates, what to mind."""

import math
from dataclasses import dataclass

import numpy as np

from analysis import wording
from analysis.results import Finding, ordered
from analysis.statistics.arrays import Floats
from analysis.statistics.intervals import normal_quantile
from analysis.statistics.multiplicity import joint_draws
from analysis.statistics.ranks import pair_index, rank_sets, ranks
from analysis.statistics.threads import single_thread
from analysis.votes.bradley_terry import components, fit, is_connected, sandwich
from analysis.votes.counts import Ties, VoteCounts
from analysis.votes.davidson import davidson
from analysis.votes.rates import WinRate, win_rates
from analysis.votes.sensitivity import Grouped

#: Rating points of a factor e in odds: ten to one is 400.
POINTS = 400 / math.log(10)
#: Votes below which a rating is greyed.
FEW_VOTES = 30


@dataclass(frozen=True)
class Rating:
    """One model's strength (geometric mean of all 1) and rating 1000 + 400 / ln 10 * log strength.

    ``low``/``high`` are limits of the rating against the mean of all models; ranks come from differences.
    """

    model: str
    strength: float
    rating: float
    low: float
    high: float
    votes: int
    rank: int
    rank_low: int
    rank_high: int


@dataclass(frozen=True)
class VoteBoard:
    """Ratings best first (empty when the votes do not determine them) and win rates."""

    ratings: tuple[Rating, ...]
    win_rates: tuple[WinRate, ...]
    connected: bool
    ties: Ties
    reference: str | None
    votes: int
    clusters: int | None
    confidence: float
    findings: tuple[Finding, ...]


def votes(
    counts: VoteCounts,
    *,
    reference: str | None = None,
    ties: Ties = "half",
    confidence: float = 0.95,
    grouped: Grouped | None = None,
    seed: int = 20260101,
    draws: int = 4_000,
) -> VoteBoard:
    """Rate models from pairwise votes.

    Args:
        counts: votes by pair.
        reference: model that win rates are taken against; over all opponents when None.
        ties: half a win for each, dropped, or a share of their own (Davidson).
        confidence: of ratings, and jointly of rank sets.
        grouped: the same votes by cluster, for errors that allow for votes that move together; Davidson's
            errors stay those of single votes.
        seed: of the joint draws behind rank sets.
        draws: how many.

    Raises:
        KeyError: the reference has no vote.
    """
    rates = win_rates(counts, reference=reference)
    wins = counts.wins(half_ties=ties == "half")
    connected = len(counts.models) > 1 and is_connected(wins)
    rated: tuple[Rating, ...] = ()
    found = []
    if connected:
        with single_thread():
            strength, covariance = _strengths(counts, wins, ties, grouped)
            rated = _ratings(counts, strength, covariance, confidence=confidence, draws=draws, seed=seed)
            found.extend(_tie_rule(counts, strength, covariance, ties, confidence))
    else:
        found.append(_apart(counts, wins))
    found.extend(_notes(counts, rated))
    total = counts.wins_first.sum() + counts.ties.sum() + counts.wins_second.sum()
    return VoteBoard(
        ratings=rated,
        win_rates=rates,
        connected=connected,
        ties=ties,
        reference=reference,
        votes=round(float(total)),
        clusters=counts.groups if grouped is None else grouped.clusters,
        confidence=confidence,
        findings=ordered(tuple(found)),
    )


def _strengths(
    counts: VoteCounts, wins: Floats, ties: Ties, grouped: Grouped | None
) -> tuple[Floats, Floats]:
    strength = fit(wins)
    if ties == "davidson" and counts.ties.sum() > 0:
        extended = davidson(counts, strength)
        return extended.strength, extended.covariance[:-1, :-1]
    half = ties == "half"
    if grouped is not None:
        return strength, sandwich(grouped.clustered, strength, half_ties=half, single=grouped.single)
    return strength, sandwich(counts, strength, half_ties=half)


def _ratings(
    counts: VoteCounts, strength: Floats, covariance: Floats, *, confidence: float, draws: int, seed: int
) -> tuple[Rating, ...]:
    count = len(counts.models)
    first, second = pair_index(count)
    level, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    root = np.sqrt(np.maximum(level, 0))[:, None] * vectors.T
    drawn = joint_draws(root, freedom=math.inf, draws=draws, seed=seed, first=first, second=second)
    gap = strength[first] - strength[second]
    statistics = np.divide(gap, drawn.scale, out=np.zeros(len(gap)), where=drawn.scale > 0)
    sets = rank_sets(statistics, drawn, confidence=confidence)
    place = ranks(strength)
    half = normal_quantile(confidence) * np.sqrt(np.maximum(np.diag(covariance), 0))
    total = counts.by_model(counts.wins_first + counts.ties + counts.wins_second)
    order = np.lexsort((np.arange(count), -np.round(strength, 9)))
    return tuple(
        Rating(
            model=counts.models[i],
            strength=float(np.exp(strength[i])),
            rating=float(1000 + POINTS * strength[i]),
            low=float(1000 + POINTS * (strength[i] - half[i])),
            high=float(1000 + POINTS * (strength[i] + half[i])),
            votes=round(float(total[i])),
            rank=int(place[i]),
            rank_low=int(sets.low[i]),
            rank_high=int(sets.high[i]),
        )
        for i in order
    )


def _apart(counts: VoteCounts, wins: Floats) -> Finding:
    """Why there are no ratings: who never lost, never won, or never met the others."""
    if len(counts.models) < 2:
        return Finding("unknown", "There are no votes to rate by.", "Import votes between two models.")
    names = np.array(counts.models, dtype=object)
    groups = len(np.unique(components(wins)))
    unbeaten = names[(wins.sum(axis=0) == 0) & (wins.sum(axis=1) > 0)].tolist()
    winless = names[(wins.sum(axis=1) == 0) & (wins.sum(axis=0) > 0)].tolist()
    clauses = []
    if unbeaten:
        clauses.append(f"{wording.sentence_list(unbeaten, 4)} never lost")
    if winless:
        clauses.append(f"{wording.sentence_list(winless, 4)} never won")
    why = f": {' and '.join(clauses)}" if clauses else ""
    return Finding(
        "unknown",
        f"The votes fall into {wording.plural(groups, 'group')} that wins do not connect both ways{why}, "
        "so no finite rating exists.",
        "Win rates are shown; votes between the groups, with wins on both sides, would connect them.",
    )


def _tie_rule(
    counts: VoteCounts, strength: Floats, covariance: Floats, ties: Ties, confidence: float
) -> list[Finding]:
    """Whether leaving ties out reverses a pair that is clearly apart."""
    share = counts.ties.sum() / max(1.0, (counts.wins_first + counts.ties + counts.wins_second).sum())
    if share == 0:
        return []
    other = counts.wins(half_ties=ties == "drop")
    if not is_connected(other):
        return [
            Finding(
                "caution",
                f"{wording.share(float(share))} of votes are ties, and without them no finite rating exists.",
                "The ratings hang on counting a tie as half a win.",
            )
        ]
    turned = fit(other)
    first, second = pair_index(len(strength))
    spread = np.diag(covariance)[first] + np.diag(covariance)[second] - 2 * covariance[first, second]
    gap = strength[first] - strength[second]
    clear = np.abs(gap) > normal_quantile(confidence) * np.sqrt(np.maximum(spread, 0))
    reversed_pairs = int((clear & (np.sign(turned[first] - turned[second]) == -np.sign(gap))).sum())
    if not reversed_pairs:
        return []
    return [
        Finding(
            "caution",
            f"Another rule for ties reverses {wording.plural(reversed_pairs, 'pair')} that differ clearly.",
            "Some models have more ties than others.",
        )
    ]


def _notes(counts: VoteCounts, rated: tuple[Rating, ...]) -> list[Finding]:
    found = []
    dropped = int(counts.dropped.sum())
    if dropped:
        found.append(
            Finding(
                "caution",
                f"{wording.plural(dropped, 'vote')} had no outcome and "
                f"{'is' if dropped == 1 else 'are'} left out.",
                "A failed judgement is not a tie.",
            )
        )
    few = [rating.model for rating in rated if rating.votes < FEW_VOTES]
    if few:
        verb = "has" if len(few) == 1 else "have"
        found.append(
            Finding(
                "caution",
                f"{wording.sentence_list(few, 4)} {verb} fewer than {FEW_VOTES} votes.",
                "Errors from so few votes are themselves uncertain.",
            )
        )
    return found
