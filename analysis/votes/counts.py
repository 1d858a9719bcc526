"""Votes counted by pair, never one by one: a million votes of 100 models are 4,950 cells."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.statistics.arrays import Floats, Integers

Ties = Literal["half", "drop", "davidson"]
REQUIRED = ("model_a", "model_b", "wins_a", "ties", "wins_b")


@dataclass(frozen=True)
class VoteCounts:
    """Counts by pair in the order shown (and by cluster, where votes have one).

    ``first`` and ``second`` (cells) are codes into ``models``; ``wins_first``, ``ties``, ``wins_second`` and
    ``dropped`` (votes without an outcome) count votes. ``cluster`` (cells) is None without cluster ids.
    """

    models: tuple[str, ...]
    first: Integers
    second: Integers
    wins_first: Floats
    ties: Floats
    wins_second: Floats
    dropped: Floats
    cluster: Integers | None

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> "VoteCounts":
        """Take counts from columns model_a, model_b, wins_a, ties, wins_b and, if there, dropped, cluster_id.

        Raises:
            ValueError: a column is absent or a model meets itself.
        """
        absent = [name for name in REQUIRED if name not in frame.columns]
        if absent:
            raise ValueError(f"votes need the columns {', '.join(absent)}")
        names = pd.concat([frame["model_a"], frame["model_b"]], ignore_index=True)
        code, models = pd.factorize(names, sort=True)
        first, second = (part.astype(np.int64) for part in np.split(code, 2))
        if (first == second).any():
            raise ValueError("a vote compares two different models")
        cluster = None
        if "cluster_id" in frame.columns and frame["cluster_id"].notna().all() and len(frame):
            cluster = pd.factorize(frame["cluster_id"], sort=True)[0].astype(np.int64)
        return cls(
            models=tuple(str(name) for name in models),
            first=first,
            second=second,
            wins_first=frame["wins_a"].to_numpy(dtype=np.float64),
            ties=frame["ties"].to_numpy(dtype=np.float64),
            wins_second=frame["wins_b"].to_numpy(dtype=np.float64),
            dropped=_optional(frame, "dropped"),
            cluster=cluster,
        )

    @property
    def groups(self) -> int | None:
        """Number of clusters; None without cluster ids."""
        return None if self.cluster is None else len(np.unique(self.cluster))

    def matrix(self, values: Floats, other: Floats) -> Floats:
        """Sum ``values`` at (first, second) and ``other`` at (second, first): models x models."""
        count = len(self.models)
        here = np.bincount(self.first * count + self.second, values, count * count)
        there = np.bincount(self.second * count + self.first, other, count * count)
        return np.asarray((here + there).reshape(count, count), dtype=np.float64)

    def wins(self, *, half_ties: bool) -> Floats:
        """Row model's wins over the column's; a tie is half a win for each, or nothing."""
        share = self.ties / 2 if half_ties else np.zeros(len(self.ties))
        return self.matrix(self.wins_first + share, self.wins_second + share)

    def tied(self) -> Floats:
        """Ties of each pair: models x models, symmetric."""
        return self.matrix(self.ties, self.ties)

    def unordered(self) -> "VoteCounts":
        """The counts with one cell a pair, whichever model was shown first, and without clusters."""
        won = self.matrix(self.wins_first, self.wins_second)
        even, lost = self.tied(), self.matrix(self.dropped, self.dropped)
        first, second = np.nonzero(np.triu(won + won.T + even + lost, 1))
        return VoteCounts(
            models=self.models,
            first=first.astype(np.int64),
            second=second.astype(np.int64),
            wins_first=won[first, second],
            ties=even[first, second],
            wins_second=won[second, first],
            dropped=lost[first, second],
            cluster=None,
        )

    def by_model(self, values: Floats) -> Floats:
        """Sum of a count over each model's votes."""
        summed: Floats = self.matrix(values, values).sum(axis=1)
        return summed


def _optional(frame: pd.DataFrame, name: str) -> Floats:
    if name in frame.columns:
        return frame[name].to_numpy(dtype=np.float64)
    return np.zeros(len(frame))
