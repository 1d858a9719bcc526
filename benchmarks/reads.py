"""Answers on a store of millions of rows: ``python -m benchmarks.reads [ROWS]``.

Beside each other in one process: the bare GROUP BY of the same sums, the cells as analysis gets them, the
leaderboard, and a rerun of its page on the server. Cold: the first time at this revision; warm: asked again.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.made_evals import BENCHMARK, MODELS, RUNS, write_csv
from benchmarks.measuring import ROOT, in_child, machine, measured, workplace

MODULE = "benchmarks.reads"
TRIALS = 5
RERUNS = 15

BARE = """
SELECT model, task_id, count(*), count(score), sum(score), sum(score * score), sum(turns),
       sum(input_tokens_uncached), sum(cache_read_tokens), sum(output_tokens), sum(cost), sum(latency_ms)
FROM eval_result WHERE benchmark = $benchmark GROUP BY model, task_id
"""


def loaded(csv: str, folder: str) -> Mapping[str, Any]:
    """Import the file."""
    from data.importing import ImportOptions, import_files  # noqa: PLC0415 - children load what they measure
    from data.store import Store  # noqa: PLC0415 - see above

    with Store.open(Path(folder) / "switchover.duckdb") as store:
        return {"rows": import_files(store, [csv], ImportOptions())[0].loaded}


def asked(folder: str) -> Mapping[str, Any]:
    """Milliseconds and CPU of the GROUP BY, the cells and the leaderboard."""
    from answers.leaderboard import QUESTION, LeaderboardParameters  # noqa: PLC0415 - as above
    from data import queries  # noqa: PLC0415 - as above
    from data.store import Store  # noqa: PLC0415 - as above

    parameters = LeaderboardParameters(benchmark=BENCHMARK)
    figures: dict[str, dict[str, float]] = {}
    with Store.open(Path(folder) / "switchover.duckdb") as store:

        def anew() -> None:
            with store.write():  # a committed change: nothing remembered counts any more
                pass

        def bare() -> int:
            with store.scratch() as cursor:
                return len(cursor.execute(BARE, {"benchmark": BENCHMARK}).fetchnumpy()["model"])

        cells = bare()
        figures["GROUP BY"] = _timed(bare)
        figures["eval_cells cold"] = _timed(lambda: queries.eval_cells(store, BENCHMARK), anew)
        figures["eval_cells warm"] = _timed(lambda: queries.eval_cells(store, BENCHMARK))
        figures["leaderboard cold"] = _timed(lambda: QUESTION.ask(store, parameters), anew)
        figures["leaderboard, rows known"] = _timed(lambda: QUESTION.ask(store, parameters))
    return {"cells": cells, "figures": figures}


def _timed(work: Callable[[], Any], before: Callable[[], None] = lambda: None) -> dict[str, float]:
    wall, cpu = [], []
    for _ in range(TRIALS):
        before()
        begun, used = time.perf_counter(), time.process_time()
        work()
        wall.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - used)
    return {
        "ms": statistics.median(wall) * 1e3,
        "low_ms": min(wall) * 1e3,
        "high_ms": max(wall) * 1e3,
        "cpu_ms": statistics.median(cpu) * 1e3,
    }


def page(folder: str) -> Mapping[str, Any]:
    """Milliseconds of a rerun of the Leaderboard page, as after a press on a control that changes nothing."""
    os.environ["SWITCHOVER_HOME"] = folder
    from streamlit.testing.v1 import AppTest  # noqa: PLC0415 - as above

    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600)
    begun = time.perf_counter()
    app.run()
    app.switch_page("pages/leaderboard.py").run()
    first = time.perf_counter() - begun
    if app.exception:
        raise RuntimeError(app.exception[0].message)
    times = []
    for _ in range(RERUNS):
        begun = time.perf_counter()
        app.run()
        times.append((time.perf_counter() - begun) * 1e3)
    return {
        "first_s": first,
        "rerun_ms": statistics.median(times),
        "low_ms": min(times),
        "high_ms": max(times),
    }


CHILDREN = {"load": loaded, "ask": asked, "page": page}


def main(rows: int) -> None:
    """Load the file once and print the figures."""
    with workplace() as folder:
        csv = Path(folder) / "made.csv"
        write_csv(csv, rows)
        in_child(MODULE, "load", csv, folder)
        csv.unlink()
        found = in_child(MODULE, "ask", folder)
        drawn = in_child(MODULE, "page", folder)
    print(f"{machine()}; {rows:,} rows, {MODELS} models, {RUNS} runs, {found['cells']:,} cells")
    bare = found["figures"]["GROUP BY"]["cpu_ms"]
    for name, figure in found["figures"].items():
        print(
            f"{name:26} {figure['ms']:8.0f} ms ({figure['low_ms']:.0f} to {figure['high_ms']:.0f}), "
            f"{figure['cpu_ms']:8.0f} ms CPU, {figure['cpu_ms'] / bare:6.2f} of the GROUP BY"
        )
    print(
        f"{'page rerun, warm':26} {drawn['rerun_ms']:8.0f} ms "
        f"({drawn['low_ms']:.0f} to {drawn['high_ms']:.0f}); "
        f"first {drawn['first_s']:.1f} s, peak {drawn['peak_mb']:.0f} MB"
    )


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--child"]:
        work = CHILDREN[given[1]]
        print(json.dumps(measured(lambda: work(*given[2:]))))
    else:
        main(int(given[0]) if given else 5_000_000)
