"""The sample as a file: five invented models on 200 tasks, drawn from the planted truth."""

import csv
import io
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from data.sample.truth import BENCHMARK, DEFAULT_SEED, MODELS, Model, Task, below, sample_truth

FILE_NAME: Final = "sample-bug-fixes.csv"
COLUMNS: Final = (
    "benchmark",
    "split",
    "domain",
    "task_id",
    "cluster_id",
    "model",
    "provider",
    "run",
    "score",
    "status",
    "turns",
    "input_tokens_uncached",
    "cache_read_tokens",
    "cache_write_5m_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost",
    "currency",
    "latency_s",
    "started_at",
)
_START: Final = datetime(2026, 9, 7, 6, 0, tzinfo=UTC)
_ERROR_IN_10000: Final = 45
_MISSING_IN_10000: Final = {"Dune mini": 200}


def sample_csv(seed: int = DEFAULT_SEED) -> bytes:
    """The sample's bytes: the same for a seed on every machine and version."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(COLUMNS)
    truth = sample_truth(seed)
    for model in MODELS:
        source = random.Random(f"runs {seed} {model.name}")  # noqa: S311 - a reproducible sample, no secret
        present = [
            task for task in truth.tasks if below(source, 10_000) >= _MISSING_IN_10000.get(model.name, 0)
        ]
        for run in range(1, model.runs + 1):
            start = _START + timedelta(days=model.first_day + run - 1)
            for task in present:
                start += timedelta(seconds=20 + below(source, 60))
                writer.writerow(_row(source, model, task, run, start))
    return target.getvalue().encode()


def write_sample(folder: Path, seed: int = DEFAULT_SEED) -> tuple[Path, ...]:
    """Write the sample's files into ``folder`` and return their paths."""
    path = folder / FILE_NAME
    path.write_bytes(sample_csv(seed))
    return (path,)


def _row(source: random.Random, model: Model, task: Task, run: int, start: datetime) -> tuple[str, ...]:
    failed = below(source, 10_000) < _ERROR_IN_10000
    solved = below(source, 1000) < task.chances[model.name]
    # A failed attempt goes on for longer before it gives up; one that breaks ends early.
    effort = task.weight * (1000 if solved else 1350) // 1000
    effort = effort * (700 + below(source, 600)) // 1000
    if failed:
        effort = effort * (100 + below(source, 600)) // 1000
    turns = max(model.turns * effort // 1000, 1)
    output = turns * (model.output_per_turn * (800 + below(source, 400)) // 1000)
    reasoning = output * (350 + below(source, 200)) // 1000
    read, written, plain = _context(source, turns, output)
    seconds = turns * model.milliseconds_per_turn * (850 + below(source, 300)) // 1000 + output * 9
    cost = _cost(model, plain, read, written, output)
    return (
        BENCHMARK,
        task.split,
        task.domain,
        task.task_id,
        task.cluster_id,
        model.name,
        model.provider,
        str(run),
        "" if failed else str(int(solved)),
        "error" if failed else "success",
        str(turns),
        str(plain),
        str(read),
        str(written),
        str(output),
        str(reasoning),
        cost,
        "USD" if cost else "",
        f"{seconds // 1000}.{seconds % 1000:03d}",
        start.isoformat().replace("+00:00", "Z"),
    )


def _context(source: random.Random, turns: int, output: int) -> tuple[int, int, int]:
    """Cache reads, cache writes and uncached input of a task whose context grows by every turn's text.

    Turn t sends the start and all before it; what earlier turns sent is read from the cache unless the pause
    was too long, and the newest part is written to it.
    """
    first = 9_000 + below(source, 4_000)
    growth = output // turns + 1_200 + below(source, 900)
    hits = 820 + below(source, 160)
    sent = sum(first + growth * turn for turn in range(turns))
    repeated = sum(first + growth * (turn - 1) for turn in range(1, turns))
    read = repeated * hits // 1000
    written = (sent - read) * 9 // 10
    return read, written, sent - read - written


def _cost(model: Model, plain: int, read: int, written: int, output: int) -> str:
    """US dollars, exact: a token at one cent a million costs a hundred-millionth of a dollar."""
    if (
        model.price_uncached is None
        or model.price_read is None
        or model.price_write is None
        or model.price_output is None
    ):
        return ""
    parts = (
        plain * model.price_uncached,
        read * model.price_read,
        written * model.price_write,
        output * model.price_output,
    )
    total = sum(parts)
    return f"{total // 100_000_000}.{total % 100_000_000:08d}"
