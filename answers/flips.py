"""The tasks behind a difference: what one contender solves and the other does not."""

import math

import numpy as np

from answers.base import Column, Table
from answers.evals import choose_contenders, read_evals
from answers.leaderboard import LeaderboardParameters
from data.errors import InputError
from data.store import Store

_SOLVED = 0.5


def flipped_tasks(store: Store, parameters: LeaderboardParameters, first: str, second: str) -> Table:
    """Tasks that one of two contenders solves in most of its runs and the other does not, by who solves them.

    Shares of runs solved stand beside each task. With ``missing`` = "fail" a task without a score is failed,
    else it is left out, as in the leaderboard.

    Raises:
        InputError: the benchmark or a contender is not loaded.
    """
    evals = read_evals(store, parameters.benchmark, metric=parameters.metric, split=parameters.split)
    chosen = [choose_contenders(evals, [name]) for name in (first, second)]
    if any(len(names) > 1 for names in chosen):
        raise InputError(f"{first!r} or {second!r} has several variants; name one")
    cells = evals.cells.absent_as_failed() if parameters.missing == "fail" else evals.cells
    rows_of = [cells.index(names[0]) for names in chosen]
    scored = cells.scored[rows_of]
    means = np.divide(cells.passed[rows_of], scored, out=np.full(scored.shape, np.nan), where=scored > 0)
    rows = [
        (task, cells.domains[at], float(a), float(b), first if a > _SOLVED else second)
        for at, (task, (a, b)) in enumerate(zip(cells.tasks, means.T, strict=True))
        if math.isfinite(a) and math.isfinite(b) and (a > _SOLVED) != (b > _SOLVED)
    ]
    rows.sort(key=lambda row: (row[4] != first, row[0]))
    columns = (
        Column("task_id", "Task"),
        Column("domain", "Domain"),
        Column("first", first, "share", "share of its runs that solve the task"),
        Column("second", second, "share", "share of its runs that solve the task"),
        Column("solved_by", "Solved by"),
    )
    return Table("flips", f"Tasks only one of {first} and {second} solves", columns, tuple(rows))
