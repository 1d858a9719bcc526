"""The leaderboard's result. Shares are 0..1; unknown is None, never 0."""

from dataclasses import dataclass
from typing import Literal

from analysis.results import Finding

Verdict = Literal["better", "worse", "equivalent", "undecided"]
Unit = Literal["task", "cluster"]
Correction = Literal["max-t", "holm", "none"]
Missing = Literal["absent", "fail"]
AlsoBy = Literal["none", "domain"]


@dataclass(frozen=True)
class ModelScore:
    """One contender on one benchmark.

    ``mean`` is the mean over tasks of the mean over runs; ``mean_rows`` pools rows. ``se`` answers "new
    tasks like these" (the spread over tasks or clusters), ``se_rerun`` "these exact tasks, run again" (None
    with one run a task). ``low``/``high`` belong to ``mean`` alone, at the stated confidence.
    """

    model: str
    mean: float | None
    se: float | None
    low: float | None
    high: float | None
    interval_method: str
    se_rerun: float | None
    tasks: int
    clusters: int
    rows: int
    unscored_rows: int
    runs_per_task: float | None
    within: float | None
    between: float | None
    flip_share: float | None
    design_effect: float | None
    effective_tasks: float | None
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    tier: str | None
    possible_best: bool | None
    shrunk: float | None
    mean_rows: float | None
    complete: bool  # has a score on every task that any contender compared here has
    cost_per_task: float | None
    currency: str | None
    unknown_cost_rows: int
    output_tokens_per_success: float | None
    latency_ms: float | None  # mean of known latencies
    best_share: float | None = None  # cluster bootstrap samples in which it scores highest; not a probability


@dataclass(frozen=True)
class PairDifference:
    """Contender ``a`` minus contender ``b`` on the tasks both have.

    ``low``/``high`` are simultaneous over the family unless the correction is ``none``; ``both``, ``only_a``,
    ``only_b``, ``neither`` count tasks solved (in the majority of runs) by each; ``detectable`` is the gap
    this file could have seen with 80 % power at the corrected level; ``tasks_to_settle`` how many tasks in
    all would make a true gap of the observed size detectable (None when it is 0 or already decided).
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
    both: int
    only_a: int
    only_b: int
    neither: int
    correlation: float | None
    se_unpaired: float | None
    detectable: float | None
    tasks_to_settle: int | None
    verdict: Verdict
    material: bool
    method: str  # "exact McNemar, Tango interval" or "paired t over 84 clusters"
    reason: str  # why undecided or what limits the verdict; empty otherwise


@dataclass(frozen=True)
class Leaderboard:
    """Everything the leaderboard page, command and record show, computed once.

    ``models`` best first; ``pairs`` once each: in the order of the contenders asked for, else by rank; with a
    baseline only the pairs against it, ``b`` being the baseline. ``also_by`` is the second grouping of tasks
    that errors allow for; the ``clusters`` of scores and pairs are then the groups of the coarser grouping.
    """

    models: tuple[ModelScore, ...]
    pairs: tuple[PairDifference, ...]
    findings: tuple[Finding, ...]
    tasks: int
    clusters: int
    runs: int
    missing_cells: int
    cells: int
    binary: bool
    by: Unit
    correction: Correction
    missing: Missing
    confidence: float
    margin: float
    family_size: int
    baseline: str | None
    seed: int
    draws: int
    also_by: AlsoBy = "none"
    groups: int = 0  # of the coarsest grouping that errors are taken over


@dataclass(frozen=True)
class Reliability:
    """Run noise of one contender: pass^k and pass@k by k with the tasks each rests on."""

    model: str
    pass_hat_k: dict[int, float | None]
    pass_at_k: dict[int, float | None]
    pass_hat_k_se: dict[int, float | None]
    pass_at_k_se: dict[int, float | None]
    tasks_with_k_runs: dict[int, int]
    within: float | None
    between: float | None
    flip_share: float | None
    tasks: int
    runs_per_task: float | None
    run_means: tuple[tuple[str, float, int], ...]  # (run, mean over its tasks, tasks), where runs are shared
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Consistency:
    """Run-to-run variance of ``a`` minus that of ``b`` on tasks both ran at least twice.

    Positive: ``a`` is less consistent. Limits and p are None with fewer than two clusters or no spread.
    """

    a: str
    b: str
    difference: float | None
    se: float | None
    low: float | None
    high: float | None
    p: float | None
    tasks: int
    clusters: int
