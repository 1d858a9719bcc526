"""Small evals for tests: outcomes in, cells out, through the frame that the store would hand over."""

import numpy as np
import pandas as pd

from analysis.statistics.cells import Cells


def frame_of(outcomes, *, clusters=None, **columns):
    """One row per (contender, task) from {contender: {task: [score or None, ...]}}."""
    rows = []
    for contender in sorted(outcomes):
        for task in sorted(outcomes[contender]):
            runs = outcomes[contender][task]
            known = [score for score in runs if score is not None]
            rows.append(
                {
                    "contender": contender,
                    "task_id": task,
                    "cluster_id": (clusters or {}).get(task),
                    "rows": len(runs),
                    "scored": len(known),
                    "passed": sum(score == 1 for score in known),
                    "score_sum": float(sum(known)),
                    "score_sum_squares": float(sum(score * score for score in known)),
                    "binary": all(score in (0, 1) for score in known),
                }
            )
    frame = pd.DataFrame(rows)
    for name, values in columns.items():
        frame[name] = values
    return frame


def cells_of(outcomes, *, clusters=None, **columns):
    return Cells.from_frame(frame_of(outcomes, clusters=clusters, **columns))


def single(names, rows):
    """Outcomes of one run a task; ``rows`` are texts with one digit a contender."""
    return {
        name: {f"t{place:03}": [int(row[column])] for place, row in enumerate(rows)}
        for column, name in enumerate(names)
    }


def paired(both, only_a, only_b, neither):
    """Contenders A and B with these counts."""
    rows = ["11"] * both + ["10"] * only_a + ["01"] * only_b + ["00"] * neither
    return single("AB", rows)


def repeated(counts, runs, name="m"):
    """One contender with this many successes of ``runs`` on each task."""
    return {name: {f"t{place:03}": [1] * c + [0] * (runs - c) for place, c in enumerate(counts)}}


def array_cells(passed, runs, codes=None):
    """Cells from arrays of successes (contenders x tasks), much faster than outcomes."""
    passed = np.asarray(passed)
    contenders, tasks = passed.shape
    flat = passed.ravel()
    many = np.broadcast_to(np.asarray(runs), passed.shape).ravel()
    task = np.char.add("t", np.char.zfill(np.arange(tasks).astype(str), 5))
    cluster = None if codes is None else np.char.add("c", np.char.zfill(np.asarray(codes).astype(str), 5))
    return Cells.from_frame(
        pd.DataFrame(
            {
                "contender": np.repeat([f"m{i:03}" for i in range(contenders)], tasks),
                "task_id": np.tile(task, contenders),
                "cluster_id": None if cluster is None else np.tile(cluster, contenders),
                "rows": many,
                "scored": many,
                "passed": flat,
                "score_sum": flat.astype(float),
                "score_sum_squares": flat.astype(float),
                "binary": True,
            }
        )
    )
