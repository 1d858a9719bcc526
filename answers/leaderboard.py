"""Is the new model really better, or is the gap noise? Scores, paired differences and ranks."""

from dataclasses import asdict, dataclass
from typing import Any

from analysis.leaderboard import SEED, leaderboard
from analysis.leaderboard.result import AlsoBy, Correction, Leaderboard, Missing, Unit
from analysis.results import Finding, ordered
from answers.base import Answer, Question
from answers.evals import Evals, choose_contenders, choose_one, read_evals
from answers.leaderboard_choice import choice_findings
from answers.leaderboard_figures import figures, tables
from answers.leaderboard_words import asked, headline, method
from answers.parameters import Parameters, parameter
from answers.variants import changed_settings, settings_findings
from data import provenance
from data.errors import InputError
from data.sample import BENCHMARK
from data.store import Store


@dataclass(frozen=True, kw_only=True)
class LeaderboardParameters(Parameters):
    """What can be asked of a leaderboard."""

    benchmark: str = parameter(help="the benchmark, as named in the files")
    model: tuple[str, ...] = parameter(default=(), help="only these models or contenders, in this order")
    baseline: str | None = parameter(default=None, help="compare every model against this one only")
    margin: float = parameter(
        default=0.02, low=0.0, high=1.0, unit="share", help="the smallest difference that matters to you"
    )
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of every interval"
    )
    by: Unit = parameter(default="cluster", help="what counts as one independent observation")
    also_by: AlsoBy = parameter(default="none", help="a second grouping of tasks whose results move together")
    correction: Correction = parameter(default="max-t", help="how intervals and p allow for many pairs")
    missing: Missing = parameter(
        default="absent",
        help="whether a task without a score is left out or fails",
    )
    metric: str | None = parameter(default=None, help="which metric, where the files have several")
    split: str | None = parameter(default=None, help="only tasks of this split, such as private")


def ask(store: Store, parameters: LeaderboardParameters) -> Answer:
    """Compare the contenders of one benchmark.

    Raises:
        InputError: the benchmark, a model, metric or split is not loaded.
    """
    evals = read_evals(store, parameters.benchmark, metric=parameters.metric, split=parameters.split)
    contenders = choose_contenders(evals, parameters.model) or evals.contenders
    baseline = _baseline(evals, contenders, parameters.baseline)
    result = leaderboard(
        evals.cells,
        contenders=contenders if parameters.model else None,
        baseline=baseline,
        margin=parameters.margin,
        confidence=parameters.confidence,
        by=parameters.by,
        also_by=parameters.also_by,
        correction=parameters.correction,
        missing=parameters.missing,
        seed=SEED,
    )
    changes = changed_settings(store, parameters.benchmark, contenders, evals)
    findings = ordered(
        (
            *result.findings,
            *choice_findings(result),
            *_metric_findings(evals),
            *_sample_findings(parameters.benchmark),
            *settings_findings(changes),
        )
    )
    return Answer(
        question=QUESTION.name,
        asked=asked(result, parameters.benchmark),
        parameters=parameters,
        headline=headline(result, parameters.benchmark),
        findings=findings,
        payload=payload(result, parameters.benchmark),
        tables=(*tables(result), *changes),
        figures=figures(result),
        sources=provenance.sources(store, parameters.benchmark, contenders),
        fingerprint=provenance.fingerprint(store, parameters.benchmark),
        method=method(result),
        revision=store.revision,
        result=result,
    )


def _baseline(evals: Evals, contenders: tuple[str, ...], asked_for: str | None) -> str | None:
    if asked_for is None:
        return None
    chosen = choose_one(evals, asked_for)
    if chosen not in contenders:
        raise InputError(f"the baseline {asked_for!r} is not among the models asked for; add it with --model")
    return chosen


def _sample_findings(benchmark: str) -> tuple[Finding, ...]:
    if benchmark != BENCHMARK:
        return ()
    return (Finding("caution", "These are made-up sample data.", "no real model was run"),)


def _metric_findings(evals: Evals) -> tuple[Finding, ...]:
    others = [name for name in evals.metrics if name]
    if evals.metric is not None or len(others) < 2:
        return ()
    return (
        Finding(
            "caution",
            f"The files hold {len(others)} metrics ({', '.join(others[:6])}); this is their headline metric.",
            "choose another with the metric setting",
        ),
    )


def payload(result: Leaderboard, benchmark: str) -> dict[str, Any]:
    """The JSON object of the headless contract."""
    return {
        "benchmark": benchmark,
        "models": [asdict(score) for score in result.models],
        "pairs": [asdict(pair) for pair in result.pairs],
        "tasks": result.tasks,
        "clusters": result.clusters,
        "missing_cells": result.missing_cells,
        "family_size": result.family_size,
        "seed": result.seed,
        "draws": result.draws,
    }


QUESTION = Question(
    name="leaderboard",
    title="Compare models on a benchmark: scores, paired differences, ranks.",
    parameters=LeaderboardParameters,
    compute=ask,
    fingerprint=lambda store, parameters: provenance.fingerprint(store, parameters.benchmark),
)
