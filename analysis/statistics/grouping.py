"""Which cluster, domain and split a task belongs to, when its rows may disagree or stay silent."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.statistics.arrays import Integers


@dataclass(frozen=True)
class ClusterColumn:
    """Cluster codes by task (tasks), their names, and how many tasks lacked an id or had several."""

    codes: Integers
    names: tuple[str | None, ...]
    unclustered: int
    conflicting: int


def cluster_column(column: "pd.Series[Any]", task: Integers, tasks: int) -> ClusterColumn:
    """One cluster a task. A task without an id becomes its own cluster, never a cluster called None.

    Args:
        column: cluster ids of the frame's rows, null where unknown.
        task: task codes of the frame's rows.
        tasks: number of tasks.
    """
    known = column.notna().to_numpy()
    values = column.to_numpy(dtype=object)[known].astype(str)
    ids, code = (
        (np.array([], dtype=str), np.array([], dtype=np.int64))
        if not len(values)
        else np.unique(values, return_inverse=True)
    )
    counts = pd.DataFrame({"task": task[known], "code": code}).value_counts(sort=False).reset_index(name="n")
    counts = counts.sort_values(["task", "n", "code"], ascending=[True, False, True], kind="stable")
    conflicting = int(counts["task"].duplicated().sum())
    chosen = counts.drop_duplicates("task")
    codes = np.full(tasks, -1, dtype=np.int64)
    codes[chosen["task"].to_numpy(dtype=np.int64)] = chosen["code"].to_numpy(dtype=np.int64)
    lone = np.flatnonzero(codes < 0)
    codes[lone] = len(ids) + np.arange(len(lone))
    # A cluster named only in outvoted rows has no task left.
    used, codes = np.unique(codes, return_inverse=True)
    names = tuple(str(ids[code]) if code < len(ids) else None for code in used)
    return ClusterColumn(
        codes=codes.astype(np.int64),
        names=names,
        unclustered=len(lone) if len(lone) < tasks else 0,
        conflicting=conflicting,
    )


def first_known(column: "pd.Series[Any]", task: Integers, tasks: int) -> tuple[str | None, ...]:
    """The first known text of each task in frame order; None where every row is silent."""
    known = column.notna().to_numpy()
    found: list[str | None] = [None] * tasks
    pairs = pd.DataFrame({"task": task[known], "text": column[known].to_numpy(dtype=object)})
    for code, text in pairs.drop_duplicates("task").itertuples(index=False):
        found[int(code)] = str(text)
    return tuple(found)
