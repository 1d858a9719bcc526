"""Intervals of ratings from resampled votes, beside those of the sandwich errors."""

import math
from typing import Any

import numpy as np

from analysis.votes import VoteCounts
from analysis.votes.board import POINTS, VoteBoard
from analysis.votes.bootstrap import bootstrap

#: Of the resamples; fixed so that the same votes give the same intervals.
SEED = 20_261_130


def resampled_intervals(
    counts: VoteCounts, result: VoteBoard, *, replicates: int, half_ties: bool
) -> list[dict[str, Any]]:
    """Percentile limits of each rating over ``replicates`` resamples, in the order of the ratings.

    ``usable`` counts resamples whose votes still determine ratings; limits are None where fewer than half do.
    Empty without ratings or replicates.
    """
    if not replicates or not result.ratings:
        return []
    strength = {rating.model: math.log(rating.strength) for rating in result.ratings}
    start = np.array([strength[model] for model in counts.models])
    drawn = bootstrap(counts, start, half_ties=half_ties, draws=replicates, seed=SEED)
    drawn = drawn[np.isfinite(drawn).all(axis=1)]
    tail = (1 - result.confidence) / 2
    limits = None
    if 2 * len(drawn) >= replicates:
        limits = 1000 + POINTS * np.quantile(drawn, [tail, 1 - tail], axis=0)
    column = {model: index for index, model in enumerate(counts.models)}
    return [
        {
            "model": rating.model,
            "low": None if limits is None else float(limits[0, column[rating.model]]),
            "high": None if limits is None else float(limits[1, column[rating.model]]),
            "usable": len(drawn),
        }
        for rating in result.ratings
    ]
