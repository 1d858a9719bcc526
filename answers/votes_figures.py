"""The figures and tables of a vote board."""

from collections.abc import Mapping

from analysis import wording
from analysis.figures import Forest, ForestRow
from analysis.results import Finding
from analysis.votes.board import Rating, VoteBoard
from analysis.votes.counts import Ties
from analysis.votes.rates import WinRate
from analysis.votes.sensitivity import PositionEffect
from answers.base import Column, Table

#: Models drawn, the highest; the table has all.
MOST_ROWS = 30

_RATINGS = (
    Column("model", "Model"),
    Column("rating", "Rating", "number"),
    Column("low", "Interval from", "number"),
    Column("high", "Interval to", "number"),
    Column("rank", "Rank", "count"),
    Column("rank_low", "Rank from", "count"),
    Column("rank_high", "Rank to", "count"),
    Column("votes", "Votes", "count"),
)
_RATES = (
    Column("model", "Model"),
    Column("win_rate", "Votes won", "share"),
    Column("se", "Standard error", "spread"),
    Column("votes", "Votes", "count"),
    Column("ties", "Ties", "count"),
    Column("dropped", "Dropped", "count", "votes without an outcome"),
)
_RULES: dict[Ties, Column] = {
    "half": Column("half", "Rank, a tie half a win", "count"),
    "drop": Column("drop", "Rank, ties dropped", "count"),
    "davidson": Column("davidson", "Rank, ties by Davidson", "count"),
}
TieRanks = Mapping[Ties, Mapping[str, int] | None]


def figures(board: VoteBoard) -> tuple[Forest, ...]:
    """Ratings with their rank ranges where there are any, and win rates where a reference was asked for."""
    made = []
    if board.ratings:
        made.append(_ratings(board))
    rates = [rate for rate in board.win_rates if rate.win_rate is not None]
    if rates and (board.reference is not None or not board.ratings):
        made.append(_rates(board, rates))
    return tuple(made)


def _ratings(board: VoteBoard) -> Forest:
    level = wording.level(board.confidence)
    first, last = board.ratings[0], board.ratings[-1]
    title = f"{first.model} is rated highest, at {_rating(first)}; {last.model} lowest, at {_rating(last)}"
    return Forest(
        name="ratings",
        title=title,
        subtitle=(
            f"Dot: rating, 400 more are odds of ten to one. Line: {level} interval against the mean of all. "
            "Rank: range that holds for all models at once."
        ),
        rows=tuple(_rating_row(rating, level) for rating in board.ratings[:MOST_ROWS]),
        headers=("Rating", f"{level} interval", "Rank", "Votes"),
        unit="number",
        axis_title="Rating (1,000 is the mean of all)",
        reference=1000.0,
        reference_label="mean of all",
        takeaway=f"{title}.",
    )


def _rating(rating: Rating) -> str:
    return wording.number(rating.rating, (rating.high - rating.low) / 2)


def _rating_row(rating: Rating, level: str) -> ForestRow:
    between = wording.interval(rating.low, rating.high, "number")
    rank = wording.rank_range(rating.rank_low, rating.rank_high)
    return ForestRow(
        label=rating.model,
        value=rating.rating,
        low=rating.low,
        high=rating.high,
        columns=(_rating(rating), between, rank, wording.count(rating.votes)),
        model=rating.model,
        hover=f"rating {_rating(rating)}; {level} interval {between}; rank {rank}; "
        f"{wording.plural(rating.votes, 'vote')}",
    )


def _rates(board: VoteBoard, rates: list[WinRate]) -> Forest:
    against = f"against {board.reference}" if board.reference else "over its opponents"
    first = rates[0]
    title = f"{first.model} wins {wording.share(first.win_rate, first.se)} of votes {against}"
    return Forest(
        name="win_rates",
        title=title,
        subtitle="Dot: share of votes won, a tie half. Line: two standard errors to each side.",
        rows=tuple(_rate_row(rate) for rate in rates[:MOST_ROWS]),
        headers=("Won", "Votes", "Ties"),
        unit="share",
        axis_title=f"Votes won {against}",
        reference=0.5,
        reference_label="half",
        takeaway=f"{title}.",
    )


def _rate_row(rate: WinRate) -> ForestRow:
    low = high = None
    if rate.win_rate is not None and rate.se:
        low, high = max(0.0, rate.win_rate - 2 * rate.se), min(1.0, rate.win_rate + 2 * rate.se)
    won = wording.share(rate.win_rate, 2 * rate.se if rate.se else None)
    return ForestRow(
        label=rate.model,
        value=rate.win_rate,
        low=low,
        high=high,
        columns=(won, wording.count(rate.votes), wording.count(rate.ties)),
        model=rate.model,
        hover=f"{won} of {wording.plural(rate.votes, 'vote')}",
    )


def tables(board: VoteBoard, by_rule: TieRanks) -> tuple[Table, ...]:
    """Ratings, win rates, and where there are ties the ranks under each rule for them."""
    made = [Table("win_rates", "Win rates", _RATES, _rows(_RATES, board.win_rates))]
    if board.ratings:
        made.insert(0, Table("ratings", "Ratings", _RATINGS, _rows(_RATINGS, board.ratings)))
    if any(rate.ties for rate in board.win_rates) and board.ratings:
        rules: list[Ties] = [rule for rule in _RULES if by_rule.get(rule) is not None]
        rows = tuple(
            (rating.model, *((by_rule[rule] or {}).get(rating.model) for rule in rules))
            for rating in board.ratings
        )
        columns = (Column("model", "Model"), *(_RULES[rule] for rule in rules))
        made.append(Table("tie_rules", "Ranks under each rule for ties", columns, rows))
    return tuple(made)


def _rows(
    columns: tuple[Column, ...], items: tuple[object, ...]
) -> tuple[tuple[str | float | int | None, ...], ...]:
    return tuple(tuple(getattr(item, column.name) for column in columns) for item in items)


def tie_finding(by_rule: TieRanks, ties: Ties) -> tuple[Finding, ...]:
    """How many ranks another rule for ties would move."""
    here = by_rule.get(ties)
    if here is None:
        return ()
    others = [ranks for rule, ranks in by_rule.items() if rule != ties and ranks is not None]
    moved = sorted({name for ranks in others for name, rank in ranks.items() if rank != here.get(name)})
    if not moved:
        return ()
    return (
        Finding(
            "caution",
            f"Another rule for ties moves {wording.plural(len(moved), 'model')} by rank: "
            f"{wording.sentence_list(moved, most=4)}.",
            "The table of ranks under each rule says where to.",
        ),
    )


def position_finding(effect: PositionEffect | None) -> tuple[Finding, ...]:
    """What being shown first is worth."""
    if effect is None:
        return ()
    half = (effect.high - effect.low) / 2
    share = wording.share(effect.share, half)
    between = wording.interval(effect.low, effect.high, "share", half_width=half)
    text = f"The answer shown first wins {share} of votes between even models ({between})"
    if effect.low > 0.5 or effect.high < 0.5:
        side = "more" if effect.share > 0.5 else "less"
        reason = "Votes should show each pair in both orders as often."
        return (Finding("caution", f"{text}, {side} than half.", reason),)
    said = wording.plural(effect.votes, "vote")
    return (Finding("undecided", f"{text}: undecided.", f"{said} say who was shown first."),)


def cluster_finding(ratio: float | None, by: str, used: bool) -> tuple[Finding, ...]:
    """How much wider errors are when votes of one prompt or judge move together."""
    if ratio is None or (ratio < 1.1 and not used):
        return ()
    words = f"Errors by {by} are {wording.number(ratio)} times those by single vote"
    if used:
        return (
            Finding("good", f"{words}; intervals here allow for that.", f"Votes of one {by} move together."),
        )
    return (Finding("caution", f"{words}; intervals here are too narrow.", f"Count errors by {by} instead."),)
