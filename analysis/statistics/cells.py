"""Eval results as arrays: one cell a contender and task, never a raw row."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.grouping import cluster_column, first_known
from analysis.statistics.two_way import Groupings, count_groups, reduced

#: Columns that ``Cells.from_frame`` cannot do without.
REQUIRED = ("contender", "task_id", "rows", "scored", "passed", "score_sum", "score_sum_squares")


@dataclass(frozen=True)
class Resources:
    """What the runs of each cell used; every array is contenders x tasks.

    Sums run over rows whose value is known and are NaN where none is; the ``_rows`` arrays count those rows.
    ``currencies`` has one entry a contender: a code, ``mixed``, or None when no cost is known.
    """

    cost: Floats
    cost_rows: Integers
    output_tokens: Floats
    success_output_tokens: Floats
    success_output_rows: Integers
    latency_ms_sum: Floats
    latency_rows: Integers
    currencies: tuple[str | None, ...]


@dataclass(frozen=True)
class Cells:
    """The cells of one benchmark; every array is contenders x tasks unless it says otherwise.

    ``scored`` counts the runs with a score, ``rows`` all stored runs, ``passed`` the runs that count as
    success. ``cluster`` (tasks) holds codes into ``cluster_names``; a task without a cluster id is a cluster
    of its own, named by None. ``unclustered`` counts those tasks where others do have an id, ``conflicting``
    the tasks whose rows name several clusters (the most frequent one is taken, the first by name on a draw).
    ``also`` (tasks) holds codes of a second grouping whose tasks move together as well, None without one.
    """

    contenders: tuple[str, ...]
    tasks: tuple[str, ...]
    rows: Integers
    scored: Integers
    passed: Integers
    score_sum: Floats
    score_sum_squares: Floats
    binary: Booleans
    failed_rows: Integers
    cluster: Integers
    cluster_names: tuple[str | None, ...]
    domains: tuple[str | None, ...]
    splits: tuple[str | None, ...]
    unclustered: int
    conflicting: int
    resources: Resources
    also: Integers | None = None

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> "Cells":
        """Arrange a frame of one row per (contender, task) as arrays, contenders and tasks by name.

        Raises:
            ValueError: a required column is absent or a (contender, task) occurs twice.
        """
        absent = [name for name in REQUIRED if name not in frame.columns]
        if absent:
            raise ValueError(f"cells need the columns {', '.join(absent)}")
        contender, contenders = pd.factorize(frame["contender"], sort=True)
        task, tasks = pd.factorize(frame["task_id"], sort=True)
        place = _Place(frame, contender.astype(np.int64), task.astype(np.int64), len(contenders), len(tasks))
        clusters = cluster_column(_column(frame, "cluster_id"), place.task, len(tasks))
        return cls(
            contenders=tuple(str(name) for name in contenders),
            tasks=tuple(str(name) for name in tasks),
            rows=place.integers("rows"),
            scored=place.integers("scored"),
            passed=place.integers("passed"),
            score_sum=place.floats("score_sum", 0.0),
            score_sum_squares=place.floats("score_sum_squares", 0.0),
            binary=place.booleans("binary"),
            failed_rows=place.integers("failed_rows"),
            cluster=clusters.codes,
            cluster_names=clusters.names,
            domains=first_known(_column(frame, "domain"), place.task, len(tasks)),
            splits=first_known(_column(frame, "split"), place.task, len(tasks)),
            unclustered=clusters.unclustered,
            conflicting=clusters.conflicting,
            resources=place.resources(),
        )

    @property
    def cell_means(self) -> Floats:
        """Mean score over the runs of each cell; NaN where no run is scored."""
        means: Floats = np.full(self.scored.shape, np.nan)
        np.divide(self.score_sum, self.scored, out=means, where=self.scored > 0)
        return means

    @property
    def within_variances(self) -> Floats:
        """Sample variance (n - 1) over the runs of each cell; NaN with fewer than two scored runs."""
        runs = self.scored
        squares = self.score_sum_squares - np.divide(
            self.score_sum**2, runs, out=np.zeros(runs.shape), where=runs > 0
        )
        variance = np.divide(squares, runs - 1, out=np.full(runs.shape, np.nan), where=runs > 1)
        # Sums of squares carry rounding; a constant cell is 0, not 1e-17 or below.
        return np.where(np.abs(variance) < 1e-12, 0.0, variance)

    @property
    def one_cluster_a_task(self) -> bool:
        """Whether every task is its own cluster."""
        return len(self.cluster_names) == len(self.tasks)

    @property
    def groupings(self) -> Groupings:
        """What errors are taken over: the clusters, or both groupings where the second one crosses them."""
        return (self.cluster,) if self.also is None else reduced(self.cluster, self.also)

    @property
    def groups(self) -> int:
        """Groups of the coarsest grouping: t has one degree of freedom less."""
        return min(count_groups(codes) for codes in self.groupings)

    @property
    def unit(self) -> str:
        """What those groups are called: ``task``, ``cluster`` or, of the second grouping, ``domain``."""
        if self.groups == len(self.tasks):
            return "task"
        coarsest = min(self.groupings, key=count_groups)
        return "cluster" if coarsest is self.cluster else "domain"

    def index(self, contender: str) -> int:
        """Row of a contender.

        Raises:
            KeyError: there is no such contender.
        """
        if contender not in self.contenders:
            raise KeyError(contender)
        return self.contenders.index(contender)

    def restrict_contenders(self, contenders: Sequence[str]) -> "Cells":
        """These contenders in this order; all tasks stay.

        Raises:
            KeyError: a contender is not among the cells.
        """
        chosen = np.array([self.index(name) for name in contenders], dtype=np.int64)
        return self._take(chosen, np.arange(len(self.tasks)))

    def restrict_tasks(self, keep: Booleans) -> "Cells":
        """The tasks where ``keep`` (tasks) holds; clusters without a task left disappear."""
        return self._take(np.arange(len(self.contenders)), np.flatnonzero(keep))

    def by_task(self) -> "Cells":
        """The cells with every task as its own cluster."""
        count = len(self.tasks)
        return replace(
            self,
            cluster=np.arange(count, dtype=np.int64),
            cluster_names=(None,) * count,
            unclustered=0,
            conflicting=0,
        )

    def also_by_domain(self) -> "Cells":
        """The cells with the domain as second grouping; a task without one is a group of its own.

        Without any domain nothing changes.
        """
        names = sorted({name for name in self.domains if name is not None})
        if not names:
            return self
        place = {name: code for code, name in enumerate(names)}
        lone = iter(range(len(names), len(names) + len(self.tasks)))
        codes = [next(lone) if name is None else place[name] for name in self.domains]
        return replace(self, also=np.array(codes, dtype=np.int64))

    def absent_as_failed(self) -> "Cells":
        """The cells with every task counted for every contender: unscored runs and absent tasks score 0."""
        return replace(self, scored=np.maximum(self.rows, 1), binary=self.binary | (self.scored == 0))

    def _take(self, contenders: Integers, tasks: Integers) -> "Cells":
        grid = np.ix_(contenders, tasks)
        codes, cluster = np.unique(self.cluster[tasks], return_inverse=True)
        changes: dict[str, Any] = {
            field.name: getattr(self, field.name)[grid]
            for field in fields(self)
            if getattr(getattr(self, field.name), "ndim", 0) == 2
        }
        resources: dict[str, Any] = {
            field.name: getattr(self.resources, field.name)[grid]
            for field in fields(Resources)
            if field.name != "currencies"
        }
        names = tuple(self.cluster_names[code] for code in codes)
        return replace(
            self,
            **changes,
            contenders=tuple(self.contenders[row] for row in contenders),
            tasks=tuple(self.tasks[column] for column in tasks),
            domains=tuple(self.domains[column] for column in tasks),
            splits=tuple(self.splits[column] for column in tasks),
            cluster=cluster.astype(np.int64),
            cluster_names=names,
            also=None if self.also is None else self.also[tasks],
            unclustered=0 if all(name is None for name in names) else sum(name is None for name in names),
            resources=Resources(
                **resources, currencies=tuple(self.resources.currencies[row] for row in contenders)
            ),
        )


def _column(frame: pd.DataFrame, name: str) -> "pd.Series[Any]":
    """A text column, all None when the frame lacks it."""
    if name in frame.columns:
        return frame[name]
    return pd.Series([None] * len(frame), dtype=object)


class _Place:
    """Puts frame columns into contenders x tasks arrays."""

    def __init__(
        self, frame: pd.DataFrame, contender: Integers, task: Integers, contenders: int, tasks: int
    ) -> None:
        self.frame = frame
        self.task = task
        self._contender = contender
        self._shape = (contenders, tasks)
        flat = contender * max(tasks, 1) + task
        if len(np.unique(flat)) != len(flat):
            raise ValueError("a contender has several cells for one task; cells must be aggregated")

    def floats(self, name: str, absent: float) -> Floats:
        """A float column; cells without a row take ``absent``."""
        out = np.full(self._shape, absent)
        if name in self.frame.columns:
            out[self._contender, self.task] = self.frame[name].to_numpy(dtype=np.float64, na_value=absent)
        return out

    def integers(self, name: str) -> Integers:
        """A count; cells without a row take 0."""
        return self.floats(name, 0.0).astype(np.int64)

    def booleans(self, name: str) -> Booleans:
        """A flag; cells without a row take False."""
        return self.floats(name, 0.0) > 0.5

    def resources(self) -> Resources:
        """Cost, tokens and latency by cell."""
        nan = float("nan")
        currency = _column(self.frame, "currency")
        return Resources(
            cost=self.floats("cost", nan),
            cost_rows=self.integers("cost_rows"),
            output_tokens=self.floats("output_tokens", nan),
            success_output_tokens=self.floats("success_output_tokens", nan),
            success_output_rows=self.integers("success_output_rows"),
            latency_ms_sum=self.floats("latency_ms_sum", nan),
            latency_rows=self.integers("latency_rows"),
            currencies=_currencies(currency, self._contender, self._shape[0]),
        )


def _currencies(column: "pd.Series[Any]", contender: Integers, count: int) -> tuple[str | None, ...]:
    known = column.notna().to_numpy()
    names: list[set[str]] = [set() for _ in range(count)]
    pairs = pd.DataFrame({"contender": contender[known], "currency": column[known].to_numpy()})
    for row, name in pairs.drop_duplicates().itertuples(index=False):
        names[int(row)].add(str(name))
    return tuple(None if not found else found.pop() if len(found) == 1 else "mixed" for found in names)
