"""From arrays to the rows that screen, command and document read."""

import math

import numpy as np

from analysis.leaderboard.family import LEAST_DIFFERING, Corrected
from analysis.leaderboard.pairs import PairTable
from analysis.leaderboard.ranking import Ranking
from analysis.leaderboard.result import ModelScore, PairDifference
from analysis.leaderboard.scores import Score
from analysis.leaderboard.verdicts import judge, shortage, tasks_to_settle
from analysis.statistics.arrays import Floats, Integers
from analysis.statistics.clusters import FEW_CLUSTERS
from analysis.statistics.paired import detectable_gap


def model_scores(scores: tuple[Score, ...], ranking: Ranking) -> tuple[ModelScore, ...]:
    """One row a contender, best first; those without full coverage last, without a rank."""
    return tuple(_model(scores[row], ranking, int(row)) for row in ranking.order)


def _model(score: Score, ranking: Ranking, row: int) -> ModelScore:
    moments, noise, usage = score.moments, score.noise, score.usage
    low = ranking.low[row]
    tier = ranking.tier[row]
    return ModelScore(
        model=score.contender,
        mean=score.mean,
        se=None if moments is None else moments.se,
        low=score.interval.low,
        high=score.interval.high,
        interval_method=score.interval.method,
        se_rerun=noise.rerun_se,
        tasks=0 if moments is None else moments.tasks,
        clusters=0 if moments is None else moments.clusters,
        rows=score.rows,
        unscored_rows=score.unscored_rows,
        runs_per_task=score.runs_per_task,
        within=noise.within,
        between=noise.between,
        flip_share=noise.flip_share,
        design_effect=None if moments is None else moments.design_effect,
        effective_tasks=None if moments is None else moments.effective_tasks,
        rank=ranking.rank[row],
        rank_low=low,
        rank_high=ranking.high[row],
        tier=None if tier is None else str(tier),
        possible_best=None if low is None else low == 1,
        shrunk=ranking.shrunk[row],
        mean_rows=score.mean_rows,
        complete=score.complete,
        cost_per_task=usage.cost_per_task,
        currency=usage.currency,
        unknown_cost_rows=usage.unknown_cost_rows,
        output_tokens_per_success=usage.output_tokens_per_success,
        latency_ms=usage.latency_ms,
        best_share=ranking.best_share[row],
    )


def pair_differences(
    table: PairTable,
    corrected: Corrected,
    *,
    scores: tuple[Score, ...],
    order: Integers,
    baseline: int | None,
    unit: str,
    margin: float,
    confidence: float,
) -> tuple[PairDifference, ...]:
    """The pairs of ``table`` in its order, the earlier contender of ``order`` as ``a``; ``b`` a baseline.

    ``unit`` is what one independent observation is called.
    """
    place = {int(row): position for position, row in enumerate(order)}
    gaps = _detectable(table, corrected)
    rows = []
    for index in range(len(table.p)):
        first, second = int(table.first[index]), int(table.second[index])
        turned = place[first] > place[second] if baseline is None else first == baseline
        rows.append(
            _pair(
                table,
                corrected,
                index,
                gap=float(gaps[index]),
                names=(scores[first].contender, scores[second].contender),
                turned=turned,
                unit=unit,
                margin=margin,
                confidence=confidence,
            )
        )
    return tuple(rows)


def _pair(
    table: PairTable,
    corrected: Corrected,
    index: int,
    *,
    gap: float,
    names: tuple[str, str],
    turned: bool,
    unit: str,
    margin: float,
    confidence: float,
) -> PairDifference:
    sign = -1.0 if turned else 1.0
    tasks, units = int(table.tasks[index]), int(table.units[index])
    differing = int(table.differing[index])
    difference = sign * float(table.difference[index])
    low, high = float(corrected.low[index]), float(corrected.high[index])
    if turned:
        low, high = -high, -low
    adjusted = float(corrected.p_adjusted[index])
    lack = shortage(tasks=tasks, units=units, differing=differing, unit=unit)
    ruling = judge(
        difference=difference,
        low=low,
        high=high,
        p_adjusted=adjusted,
        margin=margin,
        confidence=confidence,
        shortage=lack,
        detectable=min(gap, 1.0),
        tasks=tasks,
    )
    undecided = ruling.verdict == "undecided"
    ours, theirs = int(table.only_first[index]), int(table.only_second[index])
    return PairDifference(
        a=names[1] if turned else names[0],
        b=names[0] if turned else names[1],
        difference=_known(difference),
        se=_known(float(table.se[index])),
        low=_known(low),
        high=_known(high),
        p=_known(float(table.p[index])),
        p_adjusted=_known(adjusted),
        tasks=tasks,
        clusters=units,
        both=int(table.both[index]),
        only_a=theirs if turned else ours,
        only_b=ours if turned else theirs,
        neither=int(table.neither[index]),
        correlation=_known(float(table.correlation[index])),
        se_unpaired=_known(float(table.se_unpaired[index])),
        detectable=_known(min(gap, 1.0)),
        tasks_to_settle=(
            tasks_to_settle(tasks=tasks, difference=difference, detectable=gap)
            if undecided and tasks
            else None
        ),
        verdict=ruling.verdict,
        material=ruling.material,
        method=_method(table, index, units, unit=unit),
        reason=ruling.reason,
    )


def _known(value: float) -> float | None:
    # -0.0 would print as a negative number.
    return value + 0.0 if math.isfinite(value) else None


def _detectable(table: PairTable, corrected: Corrected) -> Floats:
    """The gaps with 80 % power; from the interval's width where the error itself cannot be trusted."""
    half = (corrected.high - corrected.low) / 2 / corrected.critical
    rare = (table.differing < LEAST_DIFFERING) | (table.se == 0)
    return detectable_gap(np.where(rare, np.fmax(table.se, half), table.se), corrected.critical)


def _method(table: PairTable, index: int, units: int, *, unit: str) -> str:
    if units < 2:
        return "none"
    if table.single[index]:
        return "exact McNemar, Tango interval"
    method = f"paired t over {units} {unit}s"
    return f"{method}, {unit} sign-flip" if units < FEW_CLUSTERS else method
