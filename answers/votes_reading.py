"""Votes as the analysis takes them: counts by pair, by who was shown first, and by prompt or judge."""

from typing import Literal

import numpy as np
import pandas as pd

from analysis.votes import VoteCounts
from analysis.votes.sensitivity import Grouped
from data import votes as stored
from data.store import Store

Errors = Literal["vote", "prompt", "judge"]
_KEYS: dict[Errors, stored.Cluster] = {"prompt": "prompt_id", "judge": "judge"}


def as_counts(frame: pd.DataFrame) -> VoteCounts:
    """Counts as the analysis names them; a graded preference counts as what it favours."""
    return VoteCounts.from_frame(frame.rename(columns={"a_wins": "wins_a", "b_wins": "wins_b"}))


def by_position(store: Store, benchmark: str | None) -> VoteCounts | None:
    """Votes whose first model was shown first; None where no file says who was."""
    frame = stored.vote_counts_by_position(store, benchmark)
    frame = frame[frame["first"].notna()]
    if frame.empty:
        return None
    turned = frame["first"] == "b"
    pairs = (("model_a", "model_b"), ("a_wins", "b_wins"))
    placed = {"ties": frame["ties"], "dropped": frame["dropped"]}
    for here, there in pairs:
        placed[here] = frame[here].where(~turned, frame[there])
        placed[there] = frame[there].where(~turned, frame[here])
    return as_counts(pd.DataFrame(placed))


def by_cluster(store: Store, benchmark: str | None, by: Errors, models: tuple[str, ...]) -> Grouped | None:
    """Votes by prompt or judge over ``models``; None where nothing was judged several times."""
    if by == "vote":
        return None
    found = stored.vote_clusters(store, benchmark, _KEYS[by])
    if found.clusters == 0:
        return None
    place = np.array([models.index(name) for name in found.models], dtype=np.int64)
    cluster = pd.factorize(found.cells["cluster"], sort=True)[0].astype(np.int64)
    return Grouped(
        clustered=_counts(found.cells, models, place, cluster),
        single=_counts(found.single, models, place, None),
        clusters=found.clusters + int(found.single["votes"].sum()),
    )


def _counts(
    frame: pd.DataFrame, models: tuple[str, ...], place: "np.typing.NDArray[np.int64]", cluster: "object"
) -> VoteCounts:
    points = frame["points"].to_numpy(dtype=np.float64)
    votes = frame["votes"].to_numpy(dtype=np.float64)
    return VoteCounts(
        models=models,
        first=place[frame["model_a"].to_numpy(dtype=np.int64)],
        second=place[frame["model_b"].to_numpy(dtype=np.int64)],
        wins_first=np.where(points > 0.5, votes, 0.0),
        ties=np.where(points == 0.5, votes, 0.0),
        wins_second=np.where(points < 0.5, votes, 0.0),
        dropped=np.zeros(len(votes)),
        cluster=cluster if isinstance(cluster, np.ndarray) else None,
    )
