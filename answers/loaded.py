"""What is loaded, for the filters of a screen: benchmarks with their contenders."""

from dataclasses import dataclass

from data import queries
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
