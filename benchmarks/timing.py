"""Timing work in this process, and work of other packages in interpreters of their own."""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from benchmarks.measuring import ROOT

TRIALS = 5
#: Other packages never join the project's dependencies; they live in an environment of their own.
HOW_TO_ADD = (
    "python -m venv DIR && DIR/bin/pip install evalstats errorbars evalica, then --beside DIR/bin/python"
)


@dataclass(frozen=True)
class Timing:
    """Median seconds of several runs, on the wall clock and of the processor, and the least wall clock."""

    wall_s: float
    cpu_s: float
    least_s: float
    note: str = ""

    def times(self, factor: float) -> "Timing":
        """What ``factor`` such calls take one after another."""
        return Timing(self.wall_s * factor, self.cpu_s * factor, self.least_s * factor, self.note)


def timed(work: Callable[[], object], *, trials: int = TRIALS, warm: int = 1) -> Timing:
    """Run ``work`` several times in this process, after ``warm`` runs that do not count."""
    for _ in range(warm):
        work()
    walls, processor = [], []
    for _ in range(trials):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        processor.append(time.process_time() - cpu)
    return Timing(statistics.median(walls), statistics.median(processor), min(walls))


def beside(interpreter: str | None, package: str, data: Path) -> dict[str, Timing] | str:
    """Time another package in ``interpreter`` on a CSV; a sentence where it is absent or failed."""
    if interpreter is None:
        return f"{package}: not measured; {HOW_TO_ADD}"
    script = Path(__file__).with_name("other_packages.py")
    done = subprocess.run(
        [interpreter, str(script), package, str(data), str(TRIALS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return f"{package}: not measured, {last}; {HOW_TO_ADD}"
    told = json.loads(done.stdout.splitlines()[-1])
    return {name: Timing(**figures) for name, figures in told.items()}


def line(title: str, timing: Timing, reference: Timing) -> str:
    """One row of a report: median, least, processor, and how many times the reference's processor time."""
    ratio = timing.cpu_s / reference.cpu_s
    return (
        f"{title:66} {timing.wall_s * 1000:10,.1f} {timing.least_s * 1000:10,.1f} "
        f"{timing.cpu_s * 1000:10,.1f} {ratio:9,.2f}  {timing.note}"
    ).rstrip()


def header() -> str:
    """The head of those rows."""
    return f"{'':66} {'median ms':>10} {'least ms':>10} {'CPU ms':>10} {'CPU ratio':>9}"


def versions(*packages: str) -> str:
    """Installed versions in one line."""
    return ", ".join([f"Python {sys.version.split()[0]}", *(f"{p} {metadata.version(p)}" for p in packages)])


def interpreter_of(arguments: list[str]) -> str | None:
    """The value of ``--beside``, None without it."""
    if "--beside" not in arguments:
        return None
    place = arguments.index("--beside") + 1
    return arguments[place] if place < len(arguments) else None
