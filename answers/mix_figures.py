"""The figures, tables and map of an own mix."""

import math
from typing import Any

from analysis import wording
from analysis.figures import Forest, ForestRow
from analysis.leaderboard.mix import Mix, MixPair, MixScore
from analysis.leaderboard.winner_map import LEAST_CLUSTERS, DomainTurn, WinnerMap
from analysis.results import Finding
from answers.base import Column, Figure, Table

_SCORES = (
    Column("model", "Model"),
    Column("mean", "Solved of your mix", "share"),
    Column("low", "Interval from", "share"),
    Column("high", "Interval to", "share"),
    Column("se", "Standard error", "spread"),
    Column("n_effective", "Effective tasks", "number", "as many tasks of one weight say as much"),
    Column("least", "At least", "share", "if every untested part failed"),
    Column("most", "At most", "share", "if every untested part were solved"),
)
_PAIRS = (
    Column("a", "Model"),
    Column("b", "Against"),
    Column("difference", "Difference", "points"),
    Column("low", "Interval from", "points"),
    Column("high", "Interval to", "points"),
    Column("p_adjusted", "Adjusted p", "p"),
    Column("verdict", "Verdict"),
    Column("break_even", "Level at this mix", "text", "the nearest mix under which neither is ahead"),
)
_DOMAINS = (
    Column("domain", "Domain"),
    Column("weight", "Share of your mix", "share"),
    Column("difference", "Difference there", "points"),
    Column("tasks", "Shared tasks", "count"),
    Column("turns_at", "Turns at a share of", "share", "the others in proportion; empty: at no share"),
)


def figures(result: Mix) -> tuple[Figure, ...]:
    """Scores under the mix with their intervals; nothing where a part of the mix is untested."""
    known = [score for score in result.models if score.mean is not None]
    if result.uncovered > 0 or not known:
        return ()
    level = wording.level(result.confidence)
    first = known[0]
    title = f"{first.model} solves {wording.share(first.mean, _half(first))} of your mix"
    if len(known) > 1:
        second = known[1]
        title += f", {second.model} {wording.share(second.mean, _half(second))}"
    return (
        Forest(
            name="mix",
            title=title,
            subtitle=f"Dot: share solved, domains weighted by your mix. Line: {level} interval.",
            rows=tuple(_row(score, level) for score in known),
            headers=("Your mix", f"{level} interval", "Effective tasks"),
            unit="share",
            axis_title="Tasks solved, weighted by your mix",
            takeaway=f"{title}.",
        ),
    )


def _half(score: MixScore) -> float | None:
    return None if score.low is None or score.high is None else (score.high - score.low) / 2


def _row(score: MixScore, level: str) -> ForestRow:
    solved = wording.share(score.mean, _half(score))
    between = (
        wording.interval(score.low, score.high, "share")
        if score.low is not None and score.high is not None
        else "no interval"
    )
    effective = wording.count(score.n_effective)
    return ForestRow(
        label=score.model,
        value=score.mean,
        low=score.low,
        high=score.high,
        columns=(solved, between, effective),
        model=score.model,
        hover=f"solved {solved}; {level} interval {between}; {effective} effective tasks",
    )


def tables(
    result: Mix, lead: MixPair | None, turns: tuple[DomainTurn, ...], ahead: WinnerMap | None
) -> tuple[Table, ...]:
    """Scores and pairs, then the domains of the leading pair and who is ahead how often."""
    scores = tuple(tuple(getattr(score, column.name) for column in _SCORES) for score in result.models)
    pairs = tuple(
        tuple(_mix(pair) if column.name == "break_even" else getattr(pair, column.name) for column in _PAIRS)
        for pair in result.pairs
    )
    made = [
        Table("mix", "Scores on your mix", _SCORES, scores),
        Table("mix_pairs", "Pairs on your mix", _PAIRS, pairs),
    ]
    if lead is not None and turns:
        rows = tuple(tuple(getattr(turn, column.name) for column in _DOMAINS) for turn in turns)
        made.append(Table("mix_domains", f"{lead.a} minus {lead.b} by domain", _DOMAINS, rows))
    if ahead is not None and ahead.rows:
        made.append(_map_table(ahead))
    return tuple(made)


def _map_table(ahead: WinnerMap) -> Table:
    of = f"of {wording.count(ahead.draws)} draws"
    columns = tuple(
        Column(f"ahead_{place}", f"Ahead, {firmness(give)}", "count", of)
        for place, give in enumerate(ahead.give)
    )
    rows: tuple[tuple[str | int, ...], ...] = tuple((row.model, *row.ahead) for row in ahead.rows)
    title = f"Draws in which a model is ahead of all others, {of}"
    return Table("winner_map", title, (Column("model", "Model"), *columns), rows)


def firmness(give: float) -> str:
    """How firm a mix is, in words."""
    return "mix as given" if give == 0 else f"mix give or take {wording.points(give)}"


def _mix(pair: MixPair) -> str:
    return "at no mix" if pair.break_even is None else mix_words(pair.break_even)


def mix_words(shares: dict[str, float]) -> str:
    """A mix as a phrase: ``sql 40% and web 60%``."""
    return wording.sentence_list([f"{name} {wording.share(part)}" for name, part in shares.items()], most=6)


def findings(
    lead: MixPair | None, turns: tuple[DomainTurn, ...], ahead: WinnerMap | None
) -> tuple[Finding, ...]:
    """What would turn the order of the leading pair, and how sure its lead is over mixes and tasks."""
    found = []
    if lead is not None and turns:
        found.append(_turning(lead, turns))
    if ahead is not None and ahead.rows:
        found.append(_lead(ahead))
    elif ahead is not None:
        found.append(
            Finding("unknown", "How often which model is ahead cannot be drawn.", f"{ahead.reason}.")
        )
    return tuple(found)


def _turning(lead: MixPair, turns: tuple[DomainTurn, ...]) -> Finding:
    front, back = (lead.a, lead.b) if (lead.difference or 0.0) >= 0 else (lead.b, lead.a)
    # One task says which way a domain leans, not how far.
    told = [turn for turn in turns if turn.tasks >= LEAST_CLUSTERS]
    can = [(turn.turns_at, turn) for turn in told if turn.turns_at is not None]
    if len(told) < len(turns) and not can:
        few = len(turns) - len(told)
        return Finding(
            "unknown",
            f"Whether a shift of the mix turns the order of {front} and {back} is unknown.",
            f"{wording.plural(few, 'domain')} of the mix {'has' if few == 1 else 'have'} fewer than "
            f"{LEAST_CLUSTERS} shared tasks.",
        )
    if not can:
        return Finding(
            "good",
            f"No shift of one domain's share turns the order of {front} and {back}.",
            "The others keep their proportions.",
        )
    at, near = min(can, key=lambda pair: abs(pair[0] - pair[1].weight))
    side = "above" if at > near.weight else "below"
    level = ""
    if lead.break_even is not None:
        level = f"The nearest mix with neither ahead: {mix_words(lead.break_even)}."
    return Finding(
        "caution",
        f"{back} would be ahead with {near.domain} {side} {wording.share(at)} of the mix; it is "
        f"{wording.share(near.weight)} now.",
        level,
    )


def _lead(ahead: WinnerMap) -> Finding:
    first = ahead.rows[0]
    given, loose = first.ahead[0], first.ahead[-1]
    parts = [f"{wording.share_of_draws(given, ahead.draws)} of draws with the mix as given"]
    if len(ahead.give) > 1:
        often = wording.share_of_draws(loose, ahead.draws)
        parts.append(f"{often} with {firmness(ahead.give[-1]).replace('mix', 'a mix', 1)}")
    share = min(given, loose) / ahead.draws
    return Finding(
        "good" if share >= 0.95 else "undecided",
        f"{first.model} is ahead of all others in {' and '.join(parts)}.",
        f"{wording.count(ahead.draws)} draws of scores and mixes, on "
        f"{wording.plural(ahead.tasks, 'task')} that all models have.",
    )


def map_payload(ahead: WinnerMap | None) -> dict[str, Any] | None:
    """The map as JSON: an infinite certainty, the mix as given, is null there."""
    if ahead is None:
        return None
    return {
        "certainties": [None if math.isinf(value) else value for value in ahead.certainties],
        "give": list(ahead.give),
        "draws": ahead.draws,
        "tasks": ahead.tasks,
        "reason": ahead.reason,
        "models": [
            {"model": row.model, "ahead": [count / ahead.draws for count in row.ahead]} for row in ahead.rows
        ],
    }
