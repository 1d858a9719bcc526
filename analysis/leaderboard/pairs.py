"""Every pair of contenders on the tasks both have: differences, errors, counts, uncorrected tests."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.cells import Cells
from analysis.statistics.clusters import FEW_CLUSTERS, SignFlip, cluster_sums, sign_flip
from analysis.statistics.paired import mcnemar_exact, t_p_value
from analysis.statistics.ranks import pair_index
from analysis.statistics.two_way import Groupings, combined_error, signed

#: Task differences held at once; more pairs are compared in pieces.
CHUNK = 4_000_000
#: Differences smaller than this are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class PairTable:
    """All pairs (i < j) as arrays of one value a pair; differences are first minus second.

    ``units`` counts clusters with a shared task and ``differing`` those where the two differ, with two
    groupings each by the one with fewer; ``clipped`` marks pairs whose errors over both do not fit together.
    ``gains`` and ``losses`` sum the positive and negative task differences. ``single`` marks pairs with one
    pass-or-fail run on every shared task and no clusters: exact tests apply. ``p`` is NaN without a test.
    ``few`` marks pairs whose clusters are so few that whole clusters are sign-flipped as well. ``both`` to
    ``neither`` count tasks by who solves them, that is, has a mean above one half.
    """

    first: Integers
    second: Integers
    tasks: Integers
    units: Integers
    differing: Integers
    difference: Floats
    se: Floats
    clipped: Booleans
    se_unpaired: Floats
    correlation: Floats
    gains: Floats
    losses: Floats
    both: Integers
    only_first: Integers
    only_second: Integers
    neither: Integers
    single: Booleans
    few: Booleans
    p_basic: Floats
    p: Floats

    def take(self, chosen: Integers) -> "PairTable":
        """These pairs only."""
        parts: dict[str, Any] = {field.name: getattr(self, field.name)[chosen] for field in fields(self)}
        return PairTable(**parts)

    @property
    def testable(self) -> Booleans:
        """Pairs with two shared tasks in two clusters."""
        return self.units > 1


def compare_pairs(cells: Cells, *, draws: int, seed: int) -> PairTable:
    """Compare all pairs of contenders; NaN where nothing can be said.

    SE is CR1 over clusters on task differences (significance.md T4). ``p_basic`` is McNemar's exact p for
    ``single`` pairs and t with (clusters - 1) degrees of freedom otherwise, never below the smallest p of a
    sign-flip test on the units that differ; ``p`` is the larger of it and the sign-flip p where clusters are
    few.
    """
    first, second = pair_index(len(cells.contenders))
    size = max(1, CHUNK // max(1, len(cells.tasks)))
    parts = [
        _moments(cells, first[start : start + size], second[start : start + size])
        for start in range(0, len(first), size)
    ] or [_moments(cells, first, second)]
    moments = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    counts = _solved(cells, first, second)
    runs = ((cells.scored == 1) & cells.binary).astype(float)
    single = (runs @ runs.T)[first, second] == moments["tasks"]
    single &= (moments["units"] == moments["tasks"]) & (moments["tasks"] > 0)
    p_basic = _basic_p(moments, counts, single)
    few = ~single & (moments["units"] > 1) & (moments["units"] < FEW_CLUSTERS)
    p = p_basic.copy()
    if few.any():
        chosen = np.flatnonzero(few)
        flips = flip_clusters(cells, first[chosen], second[chosen], draws=draws, seed=seed)
        p[chosen] = np.maximum(p[chosen], flips.p)
    return PairTable(
        first=first, second=second, single=single, few=few, p_basic=p_basic, p=p, **moments, **counts
    )


def _moments(cells: Cells, first: Integers, second: Integers) -> dict[str, Any]:
    """Differences and errors of some pairs."""
    scores = cells.cell_means.T
    left, right = scores[:, first], scores[:, second]
    gap = left - right
    shared = ~np.isnan(gap)
    tasks = shared.sum(axis=0)
    gap = np.where(shared & (np.abs(gap) > ROUNDING), gap, 0.0)
    known = np.maximum(tasks, 1)
    mean = np.where(tasks > 0, gap.sum(axis=0) / known, np.nan)
    groupings = cells.groupings
    units = _fewest(shared.astype(float), groupings)
    centred = np.where(shared, gap - mean, 0.0)
    ours = _centred(left, shared, known)
    theirs = _centred(right, shared, known)
    spread = np.sqrt((ours**2).sum(axis=0) * (theirs**2).sum(axis=0))
    correlation = np.full(len(first), np.nan)
    np.divide((ours * theirs).sum(axis=0), spread, out=correlation, where=spread > ROUNDING)
    se, clipped = _error(centred, shared, groupings, units, tasks)
    apart = np.hypot(
        _error(ours, shared, groupings, units, tasks)[0], _error(theirs, shared, groupings, units, tasks)[0]
    )
    return {
        "tasks": tasks.astype(np.int64),
        "units": units.astype(np.int64),
        "differing": _fewest(np.abs(gap), groupings).astype(np.int64),
        "difference": mean,
        "se": se,
        "clipped": clipped,
        "se_unpaired": apart,
        "correlation": np.clip(correlation, -1.0, 1.0),
        "gains": np.maximum(gap, 0).sum(axis=0),
        "losses": np.maximum(-gap, 0).sum(axis=0),
    }


def _centred(values: Floats, shared: Booleans, known: Integers) -> Floats:
    filled = np.where(shared, values, 0.0)
    centred: Floats = np.where(shared, filled - filled.sum(axis=0) / known, 0.0)
    return centred


def _fewest(sizes: Floats, groupings: Groupings) -> Integers:
    """Groups with anything in them (pairs), by the grouping that has fewer."""
    counts = [(cluster_sums(sizes, codes) > 0).sum(axis=0) for codes in groupings]
    return np.asarray(np.min(counts, axis=0), dtype=np.int64)


def _error(
    centred: Floats, shared: Booleans, groupings: Groupings, units: Integers, tasks: Integers
) -> tuple[Floats, Booleans]:
    """CR1 errors (pairs) over one or two groupings, and which sums of two were not positive."""
    error: Floats = np.full(len(units), np.nan)
    enough = units > 1
    variances = []
    for codes, sign in signed(groupings):
        squares = (cluster_sums(centred[:, enough], codes) ** 2).sum(axis=0)
        groups = (cluster_sums(shared[:, enough].astype(float), codes) > 0).sum(axis=0)
        variances.append(sign * squares * groups / (groups - 1) / tasks[enough] ** 2)
    error[enough], negative = combined_error(np.array(variances), ways=len(groupings))
    clipped = np.zeros(len(units), dtype=bool)
    clipped[enough] = negative
    return np.where(error < ROUNDING, 0.0, error), clipped


def _solved(cells: Cells, first: Integers, second: Integers) -> dict[str, Any]:
    """Shared tasks that both, only one, or neither pass in most of their scored runs."""
    scored = (cells.scored > 0).astype(float)
    solved = (2 * cells.passed > cells.scored).astype(float)
    both = (solved @ solved.T)[first, second]
    shared = (scored @ scored.T)[first, second]
    ours = (solved @ scored.T)[first, second]
    theirs = (scored @ solved.T)[first, second]
    return {
        "both": both.astype(np.int64),
        "only_first": (ours - both).astype(np.int64),
        "only_second": (theirs - both).astype(np.int64),
        "neither": (shared - ours - theirs + both).astype(np.int64),
    }


def _basic_p(moments: dict[str, Any], counts: dict[str, Any], single: Booleans) -> Floats:
    units = moments["units"]
    p: Floats = np.full(len(units), np.nan)
    enough = units > 1
    p[enough] = t_p_value(moments["difference"][enough], moments["se"][enough], units[enough] - 1)
    # Every unit that differs has one sign to flip: k of them cannot show less than 2 / 2^k.
    p = np.maximum(p, np.minimum(1.0, 2.0 ** (1.0 - np.minimum(moments["differing"], 1000))))
    exact = single & enough
    p[exact] = mcnemar_exact(counts["only_first"][exact], counts["only_second"][exact])
    return p


def flip_clusters(cells: Cells, first: Integers, second: Integers, *, draws: int, seed: int) -> SignFlip:
    """Sign-flip test of whole clusters for pairs, each alone and all together.

    With two groupings the groups of each that has few are flipped in turn and the larger p counts.
    """
    scores = cells.cell_means.T
    gap = scores[:, first] - scores[:, second]
    shared = (~np.isnan(gap)).astype(float)
    gap = np.where(np.isnan(gap) | (np.abs(gap) < ROUNDING), 0.0, gap)
    p, joint = np.zeros(len(first)), np.zeros(len(first))
    smallest, exact = 0.0, True
    groupings = cells.groupings
    for codes in groupings:
        if len(groupings) > 1 and (_fewest(shared, (codes,)) >= FEW_CLUSTERS).all():
            continue
        sums = cluster_sums(gap, codes)
        flip = sign_flip(sums[np.abs(sums).sum(axis=1) > 0], draws=draws, seed=seed)
        p, joint = np.maximum(p, flip.p), np.maximum(joint, flip.p_adjusted)
        smallest, exact = max(smallest, flip.smallest), exact and flip.exact
    return SignFlip(p, joint, smallest, exact)


def influence(cells: Cells, table: PairTable) -> Iterator[tuple[Floats, float]]:
    """What each cluster adds to each pair's difference (clusters x pairs), and the sign of that grouping.

    The squares sum to SE^2 and the products to the covariance of two pairs' differences, whichever tasks
    each pair shares.
    """
    scores = cells.cell_means.T
    gap = scores[:, table.first] - scores[:, table.second]
    shared = ~np.isnan(gap)
    centred = np.where(shared, gap - table.difference, 0.0)
    for codes, sign in signed(cells.groupings):
        groups = (cluster_sums(shared.astype(float), codes) > 0).sum(axis=0)
        yield cluster_sums(centred, codes) * (np.sqrt(groups / (groups - 1)) / table.tasks), sign
