"""Which model people or judges prefer: Bradley-Terry ratings and win rates from pairwise votes."""

from dataclasses import asdict, dataclass

import pandas as pd

from analysis import wording
from analysis.results import Finding, ordered
from analysis.votes import VoteCounts, votes
from analysis.votes.board import VoteBoard
from analysis.votes.counts import Ties
from answers.base import Answer, Column, Fact, Headline, Question, Table
from answers.parameters import Parameters, parameter
from data import votes as stored
from data.errors import InputError
from data.store import Store


@dataclass(frozen=True, kw_only=True)
class VotesParameters(Parameters):
    """What can be asked about pairwise votes."""

    benchmark: str | None = parameter(
        default=None, help="only votes of this benchmark (default: all together)"
    )
    reference: str | None = parameter(default=None, help="win rates against this model only")
    ties: Ties = parameter(
        default="half", help="what a tie is: half a win for both, dropped, or its own share"
    )
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of every interval"
    )


def ask(store: Store, parameters: VotesParameters) -> Answer:
    """Rate the models of a set of votes.

    Raises:
        InputError: no votes are loaded, or none of that benchmark or reference.
    """
    frame = stored.vote_counts(store, parameters.benchmark)
    models = set(frame["model_a"]) | set(frame["model_b"])
    if parameters.reference is not None and parameters.reference not in models:
        raise InputError(f"no votes with the reference {parameters.reference!r}")
    result = votes(
        VoteCounts.from_frame(_as_counts(frame)),
        reference=parameters.reference,
        ties=parameters.ties,
        confidence=parameters.confidence,
    )
    return Answer(
        question=QUESTION.name,
        asked=f"Which model do votes{_of(parameters)} prefer?",
        parameters=parameters,
        headline=_headline(result),
        findings=ordered((*result.findings, *_graded(frame))),
        payload={
            "ratings": [asdict(rating) for rating in result.ratings],
            "win_rates": [asdict(rate) for rate in result.win_rates],
            "connected": result.connected,
            "votes": result.votes,
        },
        tables=_tables(result),
        figures=(),
        sources=stored.vote_sources(store, parameters.benchmark),
        fingerprint=stored.vote_fingerprint(store, parameters.benchmark),
        method=(
            "Strengths maximise the Bradley-Terry likelihood of the counts; ratings are 1000 + 400/ln 10 "
            "times the log strength, with sandwich errors; ranks hold for all models at once and come from "
            "differences. A win rate is the mean of 1, ½ and 0 over votes."
        ),
        revision=store.revision,
        result=result,
    )


def _as_counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Counts as the analysis names them; a graded preference counts as what it favours."""
    return frame.rename(columns={"a_wins": "wins_a", "b_wins": "wins_b"})


def _of(parameters: VotesParameters) -> str:
    return f" on {parameters.benchmark}" if parameters.benchmark else ""


def _graded(frame: pd.DataFrame) -> tuple[Finding, ...]:
    plain = frame["a_wins"] + frame["ties"] / 2
    if float((plain - frame["points"]).abs().sum()) < 1e-6:
        return ()
    return (
        Finding(
            "caution",
            "Some preferences are graded; each counts here as a vote for the answer it favours.",
            "Bradley-Terry knows wins, losses and ties",
        ),
    )


def _headline(result: VoteBoard) -> Headline:
    facts = (Fact("Votes", wording.count(result.votes)), Fact("Models", wording.count(len(result.win_rates))))
    if not result.ratings:
        return Headline(
            "unknown",
            "Not connected",
            "These votes do not determine ratings.",
            result.findings[0].text if result.findings else "",
            facts,
        )
    first = [rating for rating in result.ratings if rating.rank_low == 1]
    leader = result.ratings[0]
    if len(first) > 1:
        others = wording.sentence_list([rating.model for rating in first[1:]], most=2)
        sentence = f"{leader.model} leads the votes; {others} may be as good."
        return Headline("undecided", "Undecided", sentence, "", facts)
    sentence = f"{leader.model} is preferred to all {len(result.ratings) - 1} others."
    return Headline("good", "Preferred", sentence, "", facts)


def _tables(result: VoteBoard) -> tuple[Table, ...]:
    ratings = (
        Column("model", "Model"),
        Column("rating", "Rating", "number"),
        Column("low", "Interval from", "number"),
        Column("high", "Interval to", "number"),
        Column("rank", "Rank", "count"),
        Column("rank_low", "Rank from", "count"),
        Column("rank_high", "Rank to", "count"),
        Column("votes", "Votes", "count"),
    )
    rates = (
        Column("model", "Model"),
        Column("win_rate", "Votes won", "share"),
        Column("se", "Standard error", "spread"),
        Column("votes", "Votes", "count"),
        Column("ties", "Ties", "count"),
        Column("dropped", "Dropped", "count", "votes without an outcome"),
    )
    tables = [Table("win_rates", "Win rates", rates, _rows(rates, result.win_rates))]
    if result.ratings:
        tables.insert(0, Table("ratings", "Ratings", ratings, _rows(ratings, result.ratings)))
    return tuple(tables)


def _rows(
    columns: tuple[Column, ...], items: tuple[object, ...]
) -> tuple[tuple[str | float | int | None, ...], ...]:
    return tuple(tuple(getattr(item, column.name) for column in columns) for item in items)


QUESTION = Question(
    name="votes",
    title="Rate models from pairwise votes: strengths, win rates, ranks.",
    parameters=VotesParameters,
    compute=ask,
    fingerprint=lambda store, parameters: stored.vote_fingerprint(store, parameters.benchmark),
)
