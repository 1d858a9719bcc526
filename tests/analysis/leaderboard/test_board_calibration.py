"""Seeded simulations: intervals cover, families err seldom, rank sets hold the truth.

The quick size runs always, its bands widened by three Monte Carlo errors; the stated size runs with --full.
"""

import numpy as np
import pytest

from analysis.leaderboard import leaderboard
from analysis.statistics.intervals import mean_interval, wilson
from tests.analysis.evals import array_cells

LOW, HIGH = 0.935, 0.965
SIZES = [pytest.param(250, id="quick"), pytest.param(4000, id="stated", marks=pytest.mark.full)]

#: clusters, tasks in each, runs a task, spread of clusters, spread of tasks within (beta precisions; 0: none)
DESIGNS = {
    "200 tasks, 5 runs": (200, 1, 5, 0, 1.2),
    "8 clusters, 5 runs": (8, 20, 5, 6, 2),
    "20 clusters, 5 runs": (20, 10, 5, 6, 2),
    "60 clusters, 5 runs": (60, 5, 5, 6, 2),
    "8 clusters, 1 run": (8, 20, 1, 6, 0),
    "60 clusters, 1 run": (60, 5, 1, 6, 0),
}


def slack(share, repetitions):
    return 3 * np.sqrt(share * (1 - share) / repetitions)


def simulate(design, share, repetitions, seed):
    """Share of intervals that hold the truth, and their width over that of Wilson's on the effective size."""
    clusters, size, runs, between, within = DESIGNS[design]
    generator = np.random.default_rng(seed)
    p = np.full((repetitions, clusters, size), share)
    if between:
        drawn = generator.beta(share * between, (1 - share) * between, (repetitions, clusters, 1))
        p = np.clip(np.broadcast_to(drawn, p.shape), 1e-9, 1 - 1e-9)
    if within:
        p = np.nan_to_num(generator.beta(p * within, (1 - p) * within))
    scores = generator.binomial(runs, p) / runs
    tasks = clusters * size
    means = scores.mean(axis=(1, 2))
    sums = (scores - means[:, None, None]).sum(axis=2)
    errors = np.sqrt(clusters / (clusters - 1) * (sums**2).sum(axis=1)) / tasks
    held, width, plain = 0, 0.0, 0.0
    for mean, se in zip(means.tolist(), errors.tolist(), strict=True):
        interval = mean_interval(
            mean,
            se,
            tasks=tasks,
            clusters=clusters,
            rows=tasks * runs,
            single_binary=runs == 1 and size == 1,
            confidence=0.95,
        )
        held += interval.low <= share <= interval.high
        width += interval.high - interval.low
        trials = min(tasks * runs, mean * (1 - mean) / se**2) if se > 0 else clusters
        low, high = wilson(mean * trials, trials, 0.95)
        plain += high - low
    return held / repetitions, width / plain


@pytest.mark.parametrize("repetitions", SIZES)
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_in_the_middle(design, repetitions):
    covered = [simulate(design, share, repetitions, 7)[0] for share in (0.1, 0.3, 0.5, 0.9)]
    noise = slack(0.95, repetitions)
    # Each share within Monte Carlo error of the band, and their average too.
    assert LOW - noise <= min(covered), covered
    assert max(covered) <= HIGH + noise, covered
    assert LOW - noise / 2 <= np.mean(covered) <= HIGH + noise / 2


@pytest.mark.parametrize("repetitions", SIZES)
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_cover_near_the_ends(design, repetitions):
    shares = (0.002, 0.01, 0.03, 0.06, 0.1)
    results = [simulate(design, share, repetitions, 11) for share in shares]
    assert np.mean([held for held, _ in results]) >= LOW - slack(0.95, repetitions * len(shares))
    assert np.mean([width for _, width in results]) <= 1.3


def equal_field(generator, *, contenders=10, groups=40, size=5, runs=3):
    codes = np.repeat(np.arange(groups), size)
    share = 1 / (1 + np.exp(-generator.normal(0, 1, groups)[codes] - generator.normal(0, 0.7, groups * size)))
    return array_cells(generator.binomial(runs, share, (contenders, groups * size)), runs, codes)


FAMILIES = [pytest.param(40, id="quick"), pytest.param(400, id="stated", marks=pytest.mark.full)]


@pytest.mark.parametrize("repetitions", FAMILIES)
def test_a_family_of_equal_contenders_is_seldom_wrong(repetitions):
    generator = np.random.default_rng(2)
    wrong = {"max-t": 0, "none": 0}
    for _ in range(repetitions):
        cells = equal_field(generator)
        for correction in wrong:
            pairs = leaderboard(cells, correction=correction, draws=500).pairs
            wrong[correction] += any(pair.verdict in ("better", "worse") for pair in pairs)
    assert wrong["max-t"] / repetitions <= 0.06 + slack(0.06, repetitions)
    assert wrong["none"] / repetitions > 0.3, "without correction most such fields show a false verdict"


@pytest.mark.parametrize("repetitions", FAMILIES)
def test_small_binary_fields_are_seldom_wrong_either(repetitions):
    generator = np.random.default_rng(3)
    wrong = 0
    for _ in range(repetitions):
        share = generator.beta(0.8, 0.8, 60)
        cells = array_cells(generator.binomial(1, share, (8, 60)), 1)
        wrong += any(pair.verdict in ("better", "worse") for pair in leaderboard(cells, draws=500).pairs)
    assert wrong / repetitions <= 0.06 + slack(0.06, repetitions)


@pytest.mark.parametrize("repetitions", FAMILIES)
def test_rank_sets_hold_the_true_ranks(repetitions):
    generator = np.random.default_rng(5)
    gain = np.array([0.4, 0.4, 0.2, 0.0, 0.0, -0.5])[:, None]
    # A draw in truth leaves every rank of its group true.
    truth = [(1, 2), (1, 2), (3, 3), (4, 5), (4, 5), (6, 6)]
    held = 0
    for _ in range(repetitions):
        codes = np.repeat(np.arange(40), 5)
        base = generator.normal(0, 1, 40)[codes] + generator.normal(0, 0.7, 200)
        passed = generator.binomial(3, 1 / (1 + np.exp(-base - gain)))
        models = {m.model: m for m in leaderboard(array_cells(passed, 3, codes), draws=500).models}
        held += all(
            models[f"m{place:03}"].rank_low <= first and last <= models[f"m{place:03}"].rank_high
            for place, (first, last) in enumerate(truth)
        )
    assert held / repetitions >= LOW - slack(0.95, repetitions)


@pytest.mark.parametrize("repetitions", FAMILIES)
def test_few_clusters_err_seldom(repetitions):
    generator = np.random.default_rng(9)
    wrong = 0
    for _ in range(repetitions):
        cells = equal_field(generator, contenders=4, groups=7, size=20)
        wrong += any(p.verdict in ("better", "worse") for p in leaderboard(cells, draws=500).pairs)
    assert wrong / repetitions <= 0.06 + slack(0.06, repetitions)
