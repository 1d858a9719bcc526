"""Measuring work in processes of its own: CPU seconds, peak memory, the median of several."""

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parent.parent
#: ``ru_maxrss`` counts bytes on macOS and kibibytes elsewhere.
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


def cpu_seconds() -> float:
    """User and system time of this process so far, all threads together."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measured(work: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """Run ``work`` once in this process: what it returns, with cpu_s, peak_mb and the start's peak_mb."""
    before, started_with = cpu_seconds(), peak_mb()
    told = dict(work())
    return {**told, "cpu_s": cpu_seconds() - before, "peak_mb": peak_mb(), "idle_mb": started_with}


def peak_mb() -> float:
    """The most memory this process ever had resident, in units of 10**6 bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _RSS_UNIT / 1e6


def in_child(module: str, name: str, *arguments: object) -> dict[str, Any]:
    """Run ``python -m module --child name arguments`` and return the JSON object it prints last.

    Raises:
        RuntimeError: the process failed; the message ends with its errors.
    """
    command = [sys.executable, "-m", module, "--child", name, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{name} failed: {done.stderr[-2000:]}")
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def median_of(runs: Sequence[Mapping[str, Any]], name: str) -> float:
    """The median of one figure."""
    return statistics.median(float(run[name]) for run in runs)


def spread(runs: Sequence[Mapping[str, Any]], name: str) -> str:
    """The least and the greatest of one figure."""
    values = [float(run[name]) for run in runs]
    return f"{min(values):.1f} to {max(values):.1f}"


def machine() -> str:
    """What the figures hold for, in one line."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {cores} cores{load}, "
        f"Python {platform.python_version()}, DuckDB {duckdb.__version__}"
    )


def workplace() -> tempfile.TemporaryDirectory[str]:
    """A folder for the files of one run, removed afterwards."""
    return tempfile.TemporaryDirectory(prefix="switchover-benchmark-")
