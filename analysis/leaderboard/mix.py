"""The leaderboard under one's own mix of domains."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from analysis import wording
from analysis.leaderboard.result import Verdict
from analysis.leaderboard.verdicts import judge, shortage
from analysis.results import Finding, ordered
from analysis.statistics.arrays import Booleans, Floats, Integers
from analysis.statistics.cells import Cells
from analysis.statistics.intervals import RARE_OUTCOMES, exact, t_quantile
from analysis.statistics.mixing import Stratified, break_even, stratified_mean
from analysis.statistics.multiplicity import holm
from analysis.statistics.paired import detectable_gap, t_p_value
from analysis.statistics.threads import single_thread


@dataclass(frozen=True)
class MixScore:
    """A contender under the mix. ``mean`` is None while a part of the mix has no task; bounds hold it then.

    ``n_effective`` is Kish's number of tasks that the weights leave.
    """

    model: str
    mean: float | None
    se: float | None
    low: float | None
    high: float | None
    n_effective: float | None
    least: float | None
    most: float | None


@dataclass(frozen=True)
class MixPair:
    """``a`` minus ``b`` under the mix, on shared tasks; limits simultaneous (Bonferroni), p by Holm.

    ``break_even`` is the nearest mix under which the two are level, None when no mix is.
    """

    a: str
    b: str
    difference: float | None
    se: float | None
    low: float | None
    high: float | None
    p: float | None
    p_adjusted: float | None
    tasks: int
    clusters: int
    detectable: float | None
    verdict: Verdict
    material: bool
    reason: str
    break_even: dict[str, float] | None


@dataclass(frozen=True)
class Mix:
    """Scores and pairs under ``weights`` (normalised); ``uncovered``: share of the mix without tasks."""

    models: tuple[MixScore, ...]
    pairs: tuple[MixPair, ...]
    weights: dict[str, float]
    uncovered: float
    uncovered_domains: tuple[str, ...]
    confidence: float
    margin: float
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class _Setting:
    """Cells with the mix: ``codes`` (tasks) into ``names``, -1 outside; ``share`` (domains) sums to 1."""

    cells: Cells
    names: tuple[str, ...]
    codes: Integers
    share: Floats
    margin: float
    confidence: float


def mix(
    cells: Cells,
    weights: Mapping[str, float],
    *,
    margin: float = 0.02,
    confidence: float = 0.95,
) -> Mix:
    """Score contenders under a mix of domains (significance.md T12).

    Args:
        cells: of the benchmark.
        weights: by domain, in any unit (shares, percent, counts); normalised here.
        margin: gap that matters.
        confidence: of intervals, jointly over pairs.

    Raises:
        ValueError: no weight is above 0, or one is negative or not finite.
    """
    given = np.array(list(weights.values()), dtype=np.float64)
    if not np.isfinite(given).all() or (given < 0).any() or given.sum() == 0:
        raise ValueError("weights must be at least 0 and one of them above 0")
    names = tuple(weights)
    share = given / given.sum()
    codes = np.array([names.index(d) if d in names else -1 for d in cells.domains], dtype=np.int64)
    scored = (cells.scored > 0).any(axis=0)
    covered = np.array([bool(((codes == i) & scored).any()) for i in range(len(names))]) | (share == 0)
    uncovered = float(share[~covered].sum())
    setting = _Setting(cells, names, codes, share, margin, confidence)
    with single_thread():
        models = tuple(_score(setting, row) for row in range(len(cells.contenders)))
        order = sorted(range(len(models)), key=lambda row: (-_rank(models[row]), models[row].model))
        pairs = _pairs(setting, order) if uncovered == 0 else ()
    missing = tuple(name for name, there in zip(names, covered, strict=True) if not there)
    return Mix(
        models=tuple(models[row] for row in order),
        pairs=pairs,
        weights=dict(zip(names, share.tolist(), strict=True)),
        uncovered=uncovered,
        uncovered_domains=missing,
        confidence=confidence,
        margin=margin,
        findings=ordered(tuple(_findings(setting, order, missing, uncovered))),
    )


def _rank(score: MixScore) -> float:
    return next((x for x in (score.mean, score.least) if x is not None), -1.0)


def _score(setting: _Setting, row: int) -> MixScore:
    cells, codes, share = setting.cells, setting.codes, setting.share
    name = cells.contenders[row]
    used = (cells.scored[row] > 0) & (codes >= 0)
    values = cells.cell_means[row, used]
    sizes = np.bincount(codes[used], minlength=len(share))
    lost = float(share[sizes == 0].sum())
    if lost > 0:
        means = np.bincount(codes[used], values, len(share)) / np.maximum(sizes, 1)
        least = float(np.sum(share * means))
        return MixScore(name, None, None, None, None, None, least, least + lost)
    result = stratified_mean(values, codes[used], cells.cluster[used], share)
    low, high = _limits(result, setting.confidence)
    return MixScore(name, result.mean, result.se, low, high, result.effective, result.mean, result.mean)


def _limits(result: Stratified, confidence: float) -> tuple[float | None, float | None]:
    """Limits by t; exact ones on the effective size where the rarer outcome is seldom or absent."""
    mean, se = result.mean, result.se
    if se is None or result.freedom is None:
        return None, None
    spread = mean * (1 - mean)
    if spread * min(mean, 1 - mean) < RARE_OUTCOMES * se**2 or se == 0:
        size = result.effective if se == 0 else min(result.effective, spread / se**2)
        return exact(mean * size, size, confidence)
    half = t_quantile(confidence, result.freedom) * se
    return max(0.0, mean - half), min(1.0, mean + half)


def _pairs(setting: _Setting, order: list[int]) -> tuple[MixPair, ...]:
    chosen = [(i, j) for place, i in enumerate(order) for j in order[place + 1 :]]
    results = [_difference(setting, i, j) for i, j in chosen]
    p = [float(t_p_value(r.mean, r.se, r.freedom)) for r, _ in results if r and r.se and r.freedom]
    tested = iter(zip(p, holm(np.array(p)).tolist(), strict=True))
    level = 1 - (1 - setting.confidence) / max(1, len(p))
    return tuple(
        _pair(setting, i, j, result, used, level=level, tested=tested)
        for (i, j), (result, used) in zip(chosen, results, strict=True)
    )


def _pair(
    setting: _Setting,
    i: int,
    j: int,
    result: Stratified | None,
    used: Booleans,
    *,
    level: float,
    tested: Iterator[tuple[float, float]],
) -> MixPair:
    cells = setting.cells
    blank = MixPair(
        a=cells.contenders[i],
        b=cells.contenders[j],
        difference=None if result is None else result.mean,
        se=None,
        low=None,
        high=None,
        p=None,
        p_adjusted=None,
        tasks=int(used.sum()),
        clusters=len(np.unique(cells.cluster[used])),
        detectable=None,
        verdict="undecided",
        material=True,
        reason="a domain of the mix has too few shared tasks for an error",
        break_even=None,
    )
    if result is None or not result.se or not result.freedom:
        return blank
    own, corrected = next(tested)
    critical = t_quantile(level, result.freedom)
    low, high = result.mean - critical * result.se, result.mean + critical * result.se
    gap = float(detectable_gap(result.se, critical))
    differ = np.abs(cells.cell_means[i, used] - cells.cell_means[j, used]) > 1e-12
    ruling = judge(
        difference=result.mean,
        low=low,
        high=high,
        p_adjusted=corrected,
        margin=setting.margin,
        confidence=setting.confidence,
        shortage=shortage(
            tasks=blank.tasks,
            units=blank.clusters,
            differing=len(np.unique(cells.cluster[used][differ])),
            unit="task" if cells.one_cluster_a_task else "cluster",
        ),
        detectable=gap,
        tasks=blank.tasks,
    )
    return replace(
        blank,
        se=result.se,
        low=low,
        high=high,
        p=own,
        p_adjusted=corrected,
        detectable=gap,
        verdict=ruling.verdict,
        material=ruling.material,
        reason=ruling.reason,
        break_even=_level_mix(setting, i, j, used),
    )


def _difference(setting: _Setting, i: int, j: int) -> tuple[Stratified | None, Booleans]:
    cells, codes, share = setting.cells, setting.codes, setting.share
    weighty = np.append(share > 0, False)[codes]
    used = np.asarray((cells.scored[i] > 0) & (cells.scored[j] > 0) & weighty)
    sizes = np.bincount(codes[used], minlength=len(share))
    if ((sizes == 0) & (share > 0)).any():
        return None, used
    gap = cells.cell_means[i, used] - cells.cell_means[j, used]
    return stratified_mean(gap, codes[used], cells.cluster[used], share), used


def _level_mix(setting: _Setting, i: int, j: int, used: Booleans) -> dict[str, float] | None:
    cells, codes, share = setting.cells, setting.codes[used], setting.share
    gap = cells.cell_means[i, used] - cells.cell_means[j, used]
    sizes = np.bincount(codes, minlength=len(share))
    known = share > 0
    differences = (np.bincount(codes, gap, len(share)) / np.maximum(sizes, 1))[known]
    found = break_even(share[known], differences)
    if found is None:
        return None
    kept = [name for name, there in zip(setting.names, known, strict=True) if there]
    return dict(zip(kept, found.tolist(), strict=True))


def _findings(
    setting: _Setting, order: list[int], missing: tuple[str, ...], uncovered: float
) -> list[Finding]:
    cells, codes, share = setting.cells, setting.codes, setting.share
    found = []
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        found.append(
            Finding(
                "unknown",
                f"{wording.sentence_list(missing, 4)} {verb} no task, so {wording.share(uncovered)} of the "
                "mix is unknown and scores are bounds.",
                "A domain without tasks could score anything from 0% to 100%.",
            )
        )
    for row in order[:1]:
        used = (cells.scored[row] > 0) & (codes >= 0)
        sizes = np.bincount(codes[used], minlength=len(share))
        if ((sizes == 0) & (share > 0)).any():
            continue
        result = stratified_mean(cells.cell_means[row, used], codes[used], cells.cluster[used], share)
        top = int(np.argmax(np.nan_to_num(result.shares)))
        part = float(result.shares[top])
        if result.se and part > 0.5 and np.count_nonzero(share) > 1:
            found.append(
                Finding(
                    "caution",
                    f"{setting.names[top]} contributes {wording.share(part)} of the variance of "
                    f"{cells.contenders[row]} with {wording.plural(int(sizes[top]), 'task')}; more tasks "
                    "there narrow it most.",
                    "A heavy domain with few tasks decides the interval.",
                )
            )
    return found
