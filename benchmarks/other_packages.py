"""Times one published package on a CSV, in the interpreter that has it; imports nothing of this project.

``PYTHON other_packages.py PACKAGE CSV TRIALS`` prints one JSON object: title -> wall_s, cpu_s, least_s, note.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import pandas as pd

Figures = dict[str, Any]

#: evalica fits every replicate from single votes: so many are timed, and a thousand extrapolated.
REPLICATES_TIMED = 5


def timed(work: Callable[[], object], trials: int, *, warm: int = 1) -> Figures:
    """Medians of ``trials`` runs after ``warm`` ones."""
    for _ in range(warm):
        work()
    walls, processor = [], []
    for _ in range(trials):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        processor.append(time.process_time() - cpu)
    return {
        "wall_s": statistics.median(walls),
        "cpu_s": statistics.median(processor),
        "least_s": min(walls),
        "note": "",
    }


def errorbars(path: str, trials: int) -> dict[str, Figures]:
    """Means, all pairs with Holm's correction and groups, from the file and from its loaded rows."""
    from errorbars import load_inputs  # noqa: PLC0415 - the interpreter may have this package alone
    from errorbars.inputs import ColumnMap  # noqa: PLC0415 - the interpreter may have this package alone
    from errorbars.leaderboard import build_leaderboard  # noqa: PLC0415 - the interpreter may have this package alone

    columns = ColumnMap(
        question_id="task_id", model="model", score="score", cluster_id="cluster_id", sample="run"
    )
    data = load_inputs([path], columns).data
    return {
        f"errorbars {version('errorbars')} build_leaderboard, rows in memory": timed(
            lambda: build_leaderboard(data), trials
        ),
        f"errorbars {version('errorbars')} load_inputs and build_leaderboard": timed(
            lambda: build_leaderboard(load_inputs([path], columns).data), trials
        ),
    }


def evalstats(path: str, trials: int) -> dict[str, Figures]:
    """All models compared, without clusters (it has no column for them)."""
    import evalstats as package  # noqa: PLC0415 - the interpreter may have this package alone

    frame = pd.read_csv(path).rename(columns={"task_id": "item"})[["model", "item", "run", "score"]]
    data = package.load_from(frame)
    return {
        f"evalstats {version('evalstats')} compare(factors='model'), rows in memory": timed(
            lambda: package.compare(data, factors="model"), trials, warm=0
        )
    }


def evalica(path: str, trials: int) -> dict[str, Figures]:
    """Strengths from single votes, and the percentile bootstrap."""
    import evalica as package  # noqa: PLC0415 - the interpreter may have this package alone

    frame = pd.read_csv(path)
    winner = {"model_a": package.Winner.X, "model_b": package.Winner.Y, "tie": package.Winner.Draw}
    votes = (frame["model_a"].tolist(), frame["model_b"].tolist(), frame["winner"].map(winner).tolist())

    def replicates() -> None:
        package.bootstrap(
            package.bradley_terry,
            *votes,
            n_resamples=REPLICATES_TIMED,
            bootstrap_method="percentile",
            random_state=0,
        )

    fitting = timed(lambda: package.bradley_terry(*votes), trials)
    few = timed(replicates, trials, warm=0)
    each = {
        name: max(few[name] - fitting[name], 0.0) / REPLICATES_TIMED
        for name in ("wall_s", "cpu_s", "least_s")
    }
    name = f"evalica {version('evalica')}"
    return {
        f"{name} bradley_terry, votes in memory": fitting,
        f"{name} bootstrap, {REPLICATES_TIMED} replicates (percentile)": few,
        f"{name} bootstrap, 1,000 replicates": {
            **{figure: fitting[figure] + 1000 * value for figure, value in each.items()},
            "note": f"extrapolated from {REPLICATES_TIMED}",
        },
    }


if __name__ == "__main__":
    work = {"errorbars": errorbars, "evalstats": evalstats, "evalica": evalica}[sys.argv[1]]
    print(json.dumps(work(sys.argv[2], int(sys.argv[3]))))
