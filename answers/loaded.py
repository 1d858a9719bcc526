"""What is loaded, for the filters of a screen: benchmarks, votes, published scores, domains."""

from collections import Counter
from dataclasses import dataclass

from answers.evals import read_evals
from data import queries, scores, votes
from data.contenders import contenders
from data.store import Store


@dataclass(frozen=True)
class Benchmark:
    """One benchmark with eval results. ``last_import`` is UTC in ISO 8601."""

    name: str
    contenders: tuple[str, ...]
    tasks: int
    rows: int
    metrics: tuple[str, ...]  # the headline first; empty text where the files name none
    splits: tuple[str, ...]
    last_import: str


def benchmarks(store: Store) -> tuple[Benchmark, ...]:
    """Every benchmark with eval results, the one imported last first."""
    found = [
        Benchmark(
            name=str(row["benchmark"]),
            contenders=tuple(one.name for one in contenders(store, str(row["benchmark"]))),
            tasks=int(row["tasks"]),
            rows=int(row["rows"]),
            metrics=tuple(row["metrics"]),
            splits=tuple(row["splits"]),
            last_import=str(row["last_import"]),
        )
        for row in queries.benchmarks(store).to_dict("records")
    ]
    return tuple(sorted(found, key=lambda benchmark: benchmark.last_import, reverse=True))


@dataclass(frozen=True)
class VoteSet:
    """The votes of one benchmark ('' where the files name none)."""

    benchmark: str
    models: tuple[str, ...]
    votes: int
    ties: int
    prompts: int
    judges: int
    positions: int


def vote_sets(store: Store) -> tuple[VoteSet, ...]:
    """Every benchmark with votes, by name."""
    found = []
    for row in votes.vote_benchmarks(store).to_dict("records"):
        name = str(row["benchmark"])
        counts = votes.vote_counts(store, name)
        found.append(
            VoteSet(
                benchmark=name,
                models=tuple(sorted({*counts["model_a"], *counts["model_b"]})),
                votes=int(row["votes"]),
                ties=int(row["ties"]),
                prompts=int(row["prompts"]),
                judges=int(row["judges"]),
                positions=int(row["positions"]),
            )
        )
    return tuple(found)


@dataclass(frozen=True)
class ScoreSet:
    """The published scores of one benchmark; ``unknown_tasks`` scores name no number of tasks."""

    benchmark: str
    models: tuple[str, ...]
    metrics: tuple[str, ...]
    scores: int
    unknown_tasks: int


def score_sets(store: Store) -> tuple[ScoreSet, ...]:
    """Every benchmark with published scores, by name."""
    return tuple(
        ScoreSet(
            benchmark=str(row["benchmark"]),
            models=tuple(sorted(set(scores.published_scores(store, str(row["benchmark"]))["model"]))),
            metrics=tuple(row["metrics"]),
            scores=int(row["scores"]),
            unknown_tasks=int(row["scores"]) - int(row["with_tasks"]),
        )
        for row in scores.score_benchmarks(store).to_dict("records")
    )


def domain_tasks(store: Store, benchmark: str, metric: str | None = None) -> dict[str, int]:
    """How many tasks each domain of a benchmark has, by name; empty where the files name no domains.

    Raises:
        InputError: the benchmark or the metric is not loaded.
    """
    named = [domain for domain in read_evals(store, benchmark, metric=metric).cells.domains if domain]
    return dict(sorted(Counter(named).items()))
