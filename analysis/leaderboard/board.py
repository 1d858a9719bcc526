"""The leaderboard, computed once from cells: scores, pairs, ranks, findings."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.leaderboard.assemble import model_scores, pair_differences
from analysis.leaderboard.family import Corrected, correct
from analysis.leaderboard.findings import findings
from analysis.leaderboard.pairs import PairTable, compare_pairs
from analysis.leaderboard.picture import Picture
from analysis.leaderboard.ranking import Ranking, rank
from analysis.leaderboard.result import AlsoBy, Correction, Leaderboard, Missing, PairDifference, Unit
from analysis.leaderboard.scores import Score, score
from analysis.results import ordered
from analysis.statistics.arrays import Integers
from analysis.statistics.cells import Cells
from analysis.statistics.threads import single_thread

#: Seed of every draw unless another is given; the record keeps it.
SEED = 20260101


@dataclass(frozen=True)
class Terms:
    """How contenders are compared."""

    margin: float
    confidence: float
    correction: Correction
    seed: int
    draws: int
    baseline: str | None
    order: Integers | None  # contenders in the order asked for
    also_by: AlsoBy


def leaderboard(
    cells: Cells,
    *,
    contenders: Sequence[str] | None = None,
    baseline: str | None = None,
    margin: float = 0.02,
    confidence: float = 0.95,
    by: Unit = "cluster",
    also_by: AlsoBy = "none",
    correction: Correction = "max-t",
    missing: Missing = "absent",
    seed: int = SEED,
    draws: int = 10_000,
) -> Leaderboard:
    """Compare contenders on one benchmark.

    The unit is the task, or its cluster: runs are averaged within a task first (Miller 2024, arXiv
    2411.00640). Results do not depend on the machine's thread count, nor on the order of rows.

    Args:
        cells: every contender of the benchmark.
        contenders: whom to compare, which also orders the pairs; everyone by default.
        baseline: compare each with this one only.
        margin: gap (share, 0..1) below which a difference does not matter.
        confidence: of every interval, and jointly of the corrected ones.
        by: ``cluster`` for errors over clusters, ``task`` to treat each task as its own.
        also_by: ``domain`` allows for tasks of one domain that move together as well: two-way errors, t with
            the smaller number of groups less one.
        correction: over the pairs shown.
        missing: ``absent`` leaves a task without a score out of that contender's mean and of its pairs;
            ``fail`` counts every task of the benchmark, unscored runs and absent tasks as 0.
        seed: of the joint draws and the bootstrap.
        draws: joint draws; the bootstrap takes a fifth.

    Raises:
        KeyError: a contender or the baseline is not among the cells.
        ValueError: a contender is named twice, or margin, confidence or draws are out of range.
    """
    asked = tuple(cells.contenders if contenders is None else contenders)
    _check(asked, margin, confidence, draws)
    if baseline is not None and baseline not in asked:
        cells.index(baseline)
        asked = (*asked, baseline)
    # By name, so that the order asked for changes the order of the pairs and no number.
    stored = cells.restrict_contenders(sorted(asked))
    given = None if contenders is None else np.array([stored.index(name) for name in asked], np.int64)
    terms = Terms(margin, confidence, correction, seed, draws, baseline, given, also_by)
    if by == "task":
        stored = stored.by_task()
    if also_by == "domain":
        stored = stored.also_by_domain()
    with single_thread():
        return _compute(stored, terms, missing)


def _check(asked: tuple[str, ...], margin: float, confidence: float, draws: int) -> None:
    if len(set(asked)) != len(asked):
        raise ValueError("a contender is named twice")
    if not 0 <= margin < 1:
        raise ValueError(f"margin must be at least 0 and below 1, not {margin:g}")
    if not 0.5 <= confidence < 1:
        raise ValueError(f"confidence must be at least 0.5 and below 1, not {confidence:g}")
    if draws < 100:
        raise ValueError(f"draws must be at least 100, not {draws}")


@dataclass(frozen=True)
class _Comparison:
    """Scores and corrected pairs under one rule for missing cells."""

    cells: Cells
    scores: tuple[Score, ...]
    table: PairTable
    corrected: Corrected
    pairs: tuple[PairDifference, ...]
    ranking: Ranking


def _compute(stored: Cells, terms: Terms, missing: Missing) -> Leaderboard:
    main = _compare(stored, terms, missing)
    cells = main.cells
    gaps = int((stored.scored == 0).sum()) if missing == "fail" else int((cells.scored == 0).sum())
    other = None
    if (stored.scored < stored.rows).any() or (stored.scored == 0).any():
        turned: Missing = "fail" if missing == "absent" else "absent"
        other = _compare(stored, terms, turned)
    picture = Picture(
        stored=stored,
        cells=cells,
        scores=main.scores,
        pairs=main.pairs,
        ranking=main.ranking,
        missing=missing,
        other_pairs=None if other is None else other.pairs,
        exceeded=main.corrected.exceeded,
        margin=terms.margin,
        confidence=terms.confidence,
        correction=terms.correction,
        also_by=terms.also_by,
        clipped=_clipped(main),
    )
    return Leaderboard(
        models=model_scores(main.scores, main.ranking),
        pairs=main.pairs,
        findings=ordered(findings(picture)),
        tasks=len(cells.tasks),
        clusters=len(cells.cluster_names),
        runs=int(np.max(cells.scored)) if cells.scored.size else 0,
        missing_cells=gaps,
        cells=cells.scored.size,
        binary=bool(cells.binary[cells.scored > 0].all()),
        by="task" if cells.one_cluster_a_task else "cluster",
        correction=terms.correction,
        missing=missing,
        confidence=terms.confidence,
        margin=terms.margin,
        family_size=main.corrected.size,
        baseline=terms.baseline,
        seed=terms.seed,
        draws=terms.draws,
        also_by=terms.also_by,
        groups=cells.groups,
    )


def _clipped(comparison: _Comparison) -> bool:
    """Whether any error over two groupings had to be kept from being negative."""
    return (
        comparison.corrected.clipped
        or bool(comparison.table.clipped.any())
        or any(score.clipped for score in comparison.scores)
    )


def _compare(stored: Cells, terms: Terms, missing: Missing) -> _Comparison:
    if missing == "fail":
        cells = stored.absent_as_failed()
    else:
        cells = stored.restrict_tasks(np.asarray((stored.scored > 0).any(axis=0)))
    scores = tuple(
        score(cells, row, stored, confidence=terms.confidence) for row in range(len(cells.contenders))
    )
    table = compare_pairs(cells, draws=terms.draws, seed=terms.seed)
    ranking = rank(cells, scores, table, confidence=terms.confidence, draws=terms.draws, seed=terms.seed)
    order = ranking.order if terms.order is None else terms.order
    baseline = None if terms.baseline is None else cells.index(terms.baseline)
    family = table.take(_family(table, order, baseline))
    corrected = correct(
        cells,
        family,
        correction=terms.correction,
        confidence=terms.confidence,
        draws=terms.draws,
        seed=terms.seed,
    )
    pairs = pair_differences(
        family,
        corrected,
        scores=scores,
        order=order,
        baseline=baseline,
        unit=cells.unit,
        margin=terms.margin,
        confidence=terms.confidence,
    )
    return _Comparison(cells, scores, table, corrected, pairs, ranking)


def _family(table: PairTable, order: Integers, baseline: int | None) -> Integers:
    """The pairs shown, in the order shown: by the first contender, then by the second."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    ours, theirs = place[table.first], place[table.second]
    chosen = np.lexsort((np.maximum(ours, theirs), np.minimum(ours, theirs)))
    if baseline is not None:
        chosen = chosen[(table.first[chosen] == baseline) | (table.second[chosen] == baseline)]
        rest = np.where(table.first[chosen] == baseline, table.second[chosen], table.first[chosen])
        chosen = chosen[np.argsort(place[rest], kind="stable")]
    return chosen.astype(np.int64)
