"""Errors over clusters and domains at once: against statsmodels, and what must never change."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

from analysis.leaderboard import leaderboard
from analysis.leaderboard.pairs import compare_pairs
from analysis.statistics.cells import Cells


def grouped_cells(scores, clusters, domains, *, runs=4):
    """Cells of ``scores`` (contenders x tasks, successes of ``runs``, NaN absent) with both groupings."""
    contenders, tasks = scores.shape
    frame = pd.DataFrame(
        {
            "contender": np.repeat([f"m{row}" for row in range(contenders)], tasks),
            "task_id": np.tile([f"t{place:04}" for place in range(tasks)], contenders),
            "cluster_id": np.tile(np.array([f"c{code:03}" for code in clusters], dtype=object), contenders),
            "domain": np.tile(np.array(domains, dtype=object), contenders),
            "rows": runs,
            "scored": runs,
            "passed": scores.ravel(),
            "score_sum": scores.ravel(),
            "score_sum_squares": scores.ravel(),
            "binary": True,
        }
    )
    return Cells.from_frame(frame[~np.isnan(scores.ravel())].reset_index(drop=True))


def names(codes):
    return [f"d{code:03}" for code in codes]


@pytest.fixture(scope="module")
def crossing():
    """Three contenders on 240 tasks in 30 clusters and 8 domains that cross; the last lacks 40 tasks."""
    generator = np.random.default_rng(12)
    clusters, domains = np.arange(240) % 30, generator.integers(0, 8, 240)
    easy = generator.normal(0, 0.4, (3, 8))[:, domains] + generator.normal(0, 0.6, (3, 30))[:, clusters]
    scores = generator.binomial(4, 1 / (1 + np.exp(-easy - np.array([[0.6], [0], [-0.2]])))).astype(float)
    scores[2, :40] = np.nan
    return scores, clusters, domains


def by_statsmodels(values, first, second):
    fit = sm.OLS(values, np.ones(len(values))).fit()
    return float(np.sqrt(cov_cluster_2groups(fit, first, second, use_correction=True)[0].item()))


def test_scores_and_pairs_agree_with_statsmodels(crossing):
    scores, clusters, domains = crossing
    result = leaderboard(
        grouped_cells(scores, clusters, names(domains)), also_by="domain", correction="none", draws=200
    )
    for score in result.models:
        row = int(score.model[1])
        known = ~np.isnan(scores[row])
        se = by_statsmodels(scores[row][known] / 4, clusters[known], domains[known])
        assert score.se == pytest.approx(se, rel=1e-9)
        assert score.interval_method == "t over 8 domains"
        assert score.high - score.mean == pytest.approx(stats.t.isf(0.025, 7) * se, rel=1e-9)
        assert score.clusters == 8
    for pair in result.pairs:
        gap = (scores[int(pair.a[1])] - scores[int(pair.b[1])]) / 4
        known = ~np.isnan(gap)
        se = by_statsmodels(gap[known], clusters[known], domains[known])
        assert pair.se == pytest.approx(se, rel=1e-9)
        assert pair.clusters == 8
        assert pair.method == "paired t over 8 domains, domain sign-flip"
        assert pair.high - pair.difference == pytest.approx(stats.t.isf(0.025, 7) * se, rel=1e-9)
        assert pair.p >= 2 * stats.t.sf(abs(pair.difference) / se, 7) - 1e-12


def test_the_joint_critical_value_allows_for_few_domains(crossing):
    scores, clusters, domains = crossing
    cells = grouped_cells(scores, clusters, names(domains))
    one, two = (leaderboard(cells, also_by=also_by).pairs[0] for also_by in ("none", "domain"))
    both = [(pair.high - pair.low) / 2 / pair.se for pair in (one, two)]
    assert stats.t.isf(0.025, 29) < both[0] < stats.t.isf(0.025 / 3, 29)
    assert stats.t.isf(0.025, 7) < both[1] < stats.t.isf(0.025 / 3, 7)


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from(["cluster", "task"]))
def test_the_clusters_once_more_change_nothing(seed, by):
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 9, 60) if by == "cluster" else np.arange(60)
    scores = generator.integers(0, 5, (3, 60)).astype(float)
    cells = grouped_cells(scores, codes, names((codes * 7) % 61))
    once = leaderboard(cells, by=by, draws=300)
    again = leaderboard(cells, by=by, also_by="domain", draws=300)
    assert again.models == once.models
    assert again.pairs == once.pairs
    assert again.groups == once.groups


def test_clusters_inside_domains_are_domains_alone():
    generator = np.random.default_rng(5)
    clusters = np.arange(120) // 3
    domains = clusters // 4
    scores = generator.integers(0, 5, (3, 120)).astype(float)
    nested = leaderboard(grouped_cells(scores, clusters, names(domains)), also_by="domain")
    plain = leaderboard(grouped_cells(scores, domains, names(domains)))
    assert nested.pairs[0].method == "paired t over 10 domains, domain sign-flip"
    for ours, theirs in zip(nested.pairs, plain.pairs, strict=True):
        assert dataclasses.replace(ours, method="", reason="") == dataclasses.replace(
            theirs, method="", reason=""
        )
    assert any("every cluster lies in one domain" in finding.text for finding in nested.findings)


def test_fewer_than_six_domains_decide_nothing():
    clusters, domains = np.arange(200) % 40, np.arange(200) % 5
    domains[0] = 3  # or every cluster would lie in one domain
    scores = np.stack([np.full(200, 4.0), np.zeros(200)])
    scores[:, ::9] = 2
    cells = grouped_cells(scores, clusters, names(domains))
    assert leaderboard(cells).pairs[0].verdict == "better"
    result = leaderboard(cells, also_by="domain")
    assert result.pairs[0].verdict == "undecided"
    assert result.pairs[0].reason.startswith("only 5 domains")
    assert any("5 domains can never reach p 0.05" in finding.text for finding in result.findings)


def test_without_domains_nothing_changes_but_a_finding():
    generator = np.random.default_rng(2)
    cells = grouped_cells(generator.integers(0, 5, (2, 60)).astype(float), np.arange(60) % 20, [None] * 60)
    once, again = leaderboard(cells), leaderboard(cells, also_by="domain")
    assert again.pairs == once.pairs
    assert set(again.findings) - set(once.findings) == {
        finding for finding in again.findings if "No task names a domain" in finding.text
    }
    assert again.findings != once.findings


def test_a_task_without_domain_is_a_domain_of_its_own():
    generator = np.random.default_rng(6)
    domains = names(np.arange(60) % 12)
    domains[:4] = [None] * 4
    cells = grouped_cells(generator.integers(0, 5, (2, 60)).astype(float), np.arange(60) % 25, domains)
    result = leaderboard(cells, also_by="domain")
    assert result.groups == 16
    assert any(finding.text.startswith("4 of 60 tasks have no domain") for finding in result.findings)


def test_one_domain_leaves_no_interval():
    cells = grouped_cells(
        np.random.default_rng(1).integers(0, 5, (2, 40)).astype(float), range(40), ["d"] * 40
    )
    result = leaderboard(cells, also_by="domain")
    assert result.pairs[0].low is None
    assert result.pairs[0].verdict == "undecided"
    assert any("All tasks belong to one domain" in finding.text for finding in result.findings)


def test_a_negative_variance_is_raised_to_the_larger_error_and_said():
    # A checkerboard of differences: clusters and domains each cancel, so V1 + V2 - V12 is below 0.
    clusters, domains = np.repeat(np.arange(8), 8), np.tile(np.arange(8), 8)
    board = ((clusters + domains) % 2).astype(float)
    board[0] = 1 - board[0]
    scores = np.stack([4 * board, np.full(64, 2.0)])
    cells = grouped_cells(scores, clusters, names(domains))
    result = leaderboard(cells, also_by="domain")
    one, other = leaderboard(cells), leaderboard(grouped_cells(scores, domains, names(domains)))
    assert result.pairs[0].se == pytest.approx(max(one.pairs[0].se, other.pairs[0].se), rel=1e-9)
    assert result.pairs[0].se > 0
    assert any("do not fit together" in finding.text for finding in result.findings)
    assert not any("do not fit together" in finding.text for finding in one.findings)


def test_domains_that_move_together_fool_one_way_errors_only():
    wrong = {"clusters": 0, "both": 0}
    for seed in range(80):
        generator = np.random.default_rng(seed)
        clusters, domains = np.arange(150) % 50, generator.integers(0, 12, 150)
        gap = generator.normal(0, 1.2, 12)[domains]
        chance = 1 / (1 + np.exp(-np.stack([gap, -gap]) / 2))
        cells = grouped_cells(generator.binomial(4, chance).astype(float), clusters, names(domains))
        wrong["clusters"] += compare_pairs(cells, draws=100, seed=1).p[0] < 0.05
        wrong["both"] += compare_pairs(cells.also_by_domain(), draws=100, seed=1).p[0] < 0.05
    # 5 % of 80 are 4; three Monte Carlo errors more are 9.
    assert wrong["both"] <= 9
    assert wrong["clusters"] > 25
