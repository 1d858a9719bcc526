"""Which model people or judges prefer: Bradley-Terry ratings and win rates from pairwise votes."""

from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from analysis import wording
from analysis.results import Finding, ordered
from analysis.votes import VoteCounts, votes
from analysis.votes.agreement import JudgeAgreement, judge_agreement
from analysis.votes.board import VoteBoard
from analysis.votes.counts import Ties
from analysis.votes.sensitivity import (
    Grouped,
    PositionEffect,
    error_ratio,
    position_effect,
    ranks_by_tie_rule,
)
from answers import votes_figures as drawn
from answers.base import Answer, Fact, Headline, Question
from answers.parameters import Parameters, parameter
from answers.votes_beside import both_ranks, finding, table
from answers.votes_reading import Errors, as_counts, by_cluster, by_position
from answers.votes_resampled import resampled_intervals
from data import provenance
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
    errors: Errors = parameter(
        default="vote", help="what errors count as one: each vote, or all votes of a prompt or a judge"
    )
    beside: str | None = parameter(
        default=None, help="a benchmark with results, to set ranks by votes beside ranks on its tasks"
    )
    replicates: int = parameter(
        default=0, low=0, high=10_000, help="resamples of the votes for intervals beside those of the errors"
    )
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of every interval"
    )


def ask(store: Store, parameters: VotesParameters) -> Answer:
    """Rate the models of a set of votes.

    Raises:
        InputError: no votes are loaded, none of that benchmark or reference, or no results to set beside.
    """
    frame = stored.vote_counts(store, parameters.benchmark)
    models = set(frame["model_a"]) | set(frame["model_b"])
    if parameters.reference is not None and parameters.reference not in models:
        raise InputError(f"no votes with the reference {parameters.reference!r}")
    counts = as_counts(frame)
    grouped = by_cluster(store, parameters.benchmark, parameters.errors, counts.models)
    result = votes(
        counts,
        reference=parameters.reference,
        ties=parameters.ties,
        confidence=parameters.confidence,
        grouped=grouped,
    )
    around = _around(store, parameters, counts, grouped)
    beside = () if parameters.beside is None else both_ranks(store, result, parameters.beside)
    tables = drawn.tables(result, around.by_rule)
    findings = (*result.findings, *_graded(frame), *around.findings)
    if parameters.beside is not None:
        findings = (*findings, finding(beside, parameters.beside))
        tables = (*tables, table(beside, parameters.beside)) if beside else tables
    return Answer(
        question=QUESTION.name,
        asked=f"Which model do votes{_of(parameters)} prefer?",
        parameters=parameters,
        headline=_headline(result),
        findings=ordered(findings),
        payload={
            "ratings": [asdict(rating) for rating in result.ratings],
            "win_rates": [asdict(rate) for rate in result.win_rates],
            "connected": result.connected,
            "votes": result.votes,
            "tie_ranks": around.by_rule,
            "position": None if around.position is None else asdict(around.position),
            "error_ratio": around.ratio,
            "judge_agreement": _agreement(around.judges),
            "resampled": resampled_intervals(
                counts, result, replicates=parameters.replicates, half_ties=parameters.ties == "half"
            ),
            "both_ranks": [asdict(row) | {"agreement": row.agreement} for row in beside],
        },
        tables=tables,
        figures=drawn.figures(result),
        sources=stored.vote_sources(store, parameters.benchmark),
        fingerprint=_fingerprint(store, parameters),
        method=(
            "Strengths maximise the Bradley-Terry likelihood of the counts; ratings are 1000 + 400/ln 10 "
            "times the log strength, with sandwich errors; ranks hold for all models at once and come from "
            "differences. A win rate is the mean of 1, ½ and 0 over votes."
        ),
        revision=store.revision,
        result=result,
    )


@dataclass(frozen=True)
class _Around:
    """What the ratings hang on: ranks by rule for ties, position, clusters."""

    by_rule: dict[Ties, dict[str, int] | None]
    position: PositionEffect | None
    ratio: float | None
    judges: JudgeAgreement | None
    findings: tuple[Finding, ...]


def _around(
    store: Store, parameters: VotesParameters, counts: VoteCounts, grouped: Grouped | None
) -> _Around:
    by_rule = ranks_by_tie_rule(counts)
    placed = by_position(store, parameters.benchmark)
    position = None if placed is None else position_effect(placed, confidence=parameters.confidence)
    by: Errors = "prompt" if parameters.errors == "vote" else parameters.errors
    groups = grouped or by_cluster(store, parameters.benchmark, by, counts.models)
    ratio = None if groups is None else error_ratio(counts, groups)
    repeated = stored.vote_agreement(store, parameters.benchmark)
    judges = None if repeated.empty else judge_agreement(repeated, confidence=parameters.confidence)
    found = (
        *(() if judges is None else judges.findings),
        *drawn.tie_finding(by_rule, parameters.ties),
        *drawn.position_finding(position),
        *drawn.cluster_finding(ratio, by, used=grouped is not None),
    )
    return _Around(by_rule, position, ratio, judges, found)


def _agreement(judges: JudgeAgreement | None) -> dict[str, Any] | None:
    if judges is None:
        return None
    found = asdict(replace(judges, findings=()))
    found.pop("findings")
    return found


def _fingerprint(store: Store, parameters: VotesParameters) -> str:
    own = stored.vote_fingerprint(store, parameters.benchmark)
    if parameters.beside is None:
        return own
    return f"{own}+{provenance.fingerprint(store, parameters.beside)}"


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
    models = len(result.win_rates) + (result.reference is not None)
    facts = (
        Fact("Votes", wording.count(result.votes)),
        Fact("Models", wording.count(len(result.ratings) or models)),
    )
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


QUESTION = Question(
    name="votes",
    title="Rate models from pairwise votes: strengths, win rates, ranks.",
    parameters=VotesParameters,
    compute=ask,
    fingerprint=_fingerprint,
)
