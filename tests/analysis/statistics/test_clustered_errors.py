"""Clustered errors against published values (section 2 of the vectors) and statsmodels."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.sandwich_covariance import cov_cluster_2groups

from analysis.statistics import clusters
from analysis.statistics.cells import Cells
from analysis.statistics.intervals import t_interval
from analysis.statistics.two_way import two_way_covariance


def test_twenty_values_in_four_clusters():
    moments = clusters.clustered_mean(np.arange(20.0), np.arange(20) % 4)
    assert moments.se == pytest.approx(0.6454972, abs=1e-7)
    assert moments.se * np.sqrt(3 / 4) == pytest.approx(0.5590170, abs=1e-7)
    low, high = t_interval(moments.mean, moments.se, moments.clusters - 1, 0.95)
    assert (low, high) == pytest.approx((9.5 - 3.18245 * 0.6454972, 9.5 + 3.18245 * 0.6454972), abs=1e-5)


def test_one_cluster_has_no_error():
    moments = clusters.clustered_mean(np.array([1.0, 0.0, 1.0]), np.zeros(3, dtype=int))
    assert moments.se is None
    assert moments.design_effect is None
    with pytest.raises(ValueError, match="two clusters"):
        clusters.clustered_covariance(np.ones((3, 2)), np.zeros(3, dtype=int))


def test_no_value_is_an_error():
    with pytest.raises(ValueError, match="at least one task"):
        clusters.clustered_mean(np.empty(0), np.empty(0, dtype=int))


def test_a_task_without_cluster_id_never_joins_a_cluster_called_none():
    frame = pd.DataFrame(
        {
            "contender": "m",
            "task_id": ["a", "b", "c", "d"],
            "cluster_id": ["x", "x", None, np.nan],
            "rows": 1,
            "scored": 1,
            "passed": 1,
            "score_sum": 1.0,
            "score_sum_squares": 1.0,
            "binary": True,
        }
    )
    cells = Cells.from_frame(frame)
    assert cells.cluster_names == ("x", None, None)
    assert cells.unclustered == 2
    assert len(set(cells.cluster[2:])) == 2


@pytest.fixture(scope="module")
def grunfeld():
    data = sm.datasets.grunfeld.load_pandas().data.iloc[:200]
    design = sm.add_constant(data[["value", "capital"]].to_numpy(), prepend=False)
    return (
        design,
        data["invest"].to_numpy(),
        data["firm"].astype("category").cat.codes.to_numpy().astype(int),
        data["year"].astype(int).to_numpy(),
    )


def regression_error(design, scores, covariance):
    """Errors of OLS coefficients from the covariance of the mean of its N influence values."""
    rows, columns = design.shape
    bread = np.linalg.inv(design.T @ design)
    correction = (rows - 1) / (rows - columns)
    return np.sqrt(np.diag(rows**2 * bread @ covariance @ bread * correction))


def test_grunfeld_clustered_by_firm(grunfeld):
    design, response, firm, _ = grunfeld
    coefficient = np.linalg.lstsq(design, response, rcond=None)[0]
    assert coefficient == pytest.approx([0.11556216, 0.23067849, -42.714369], rel=1e-6)
    influence = design * (response - design @ coefficient)[:, None]
    covariance = clusters.clustered_covariance(influence, firm)
    error = regression_error(design, influence, covariance)
    assert error == pytest.approx([0.01589434, 0.08496711, 20.425203], rel=1e-6)
    p = 2 * stats.t.sf(np.abs(coefficient / error), 9)
    assert p == pytest.approx([0.0000471, 0.0238052, 0.0660484], rel=1e-3)
    plain = np.sqrt(9 / 10 * 197 / 199) * error
    assert plain == pytest.approx([0.0150028, 0.0802008, 19.279431], rel=1e-5)


def test_grunfeld_clustered_two_ways(grunfeld):
    design, response, firm, year = grunfeld
    coefficient = np.linalg.lstsq(design, response, rcond=None)[0]
    influence = design * (response - design @ coefficient)[:, None]
    two = two_way_covariance(influence, (firm, year))
    assert not two.clipped
    error = regression_error(design, influence, two.covariance)
    assert error == pytest.approx([0.0163951, 0.0795432, 19.716681], rel=1e-5)


def test_two_ways_agree_with_statsmodels():
    generator = np.random.default_rng(3)
    values = generator.random(120)
    first, second = generator.integers(0, 9, 120), generator.integers(0, 7, 120)
    fit = sm.OLS(values, np.ones(120)).fit()
    theirs = cov_cluster_2groups(fit, first, second, use_correction=True)[0].item()
    two = two_way_covariance(values[:, None], (first, second))
    assert two.covariance.item() == pytest.approx(theirs if theirs > 0 else 0.0, rel=1e-9)
    assert two.clipped == (theirs < 0)


def test_a_negative_two_way_covariance_is_clipped_and_says_so():
    # A checkerboard: rows and columns each cancel, so V1 + V2 - V12 is below 0.
    first, second = np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4)
    values = ((first + second) % 2).astype(float)[:, None]
    two = two_way_covariance(values, (first, second))
    assert two.clipped
    assert two.covariance.item() == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 60), st.integers(2, 8), st.integers(0, 10**6))
def test_covariance_agrees_with_statsmodels(tasks, groups, seed):
    generator = np.random.default_rng(seed)
    values = generator.random((tasks, 3))
    codes = np.concatenate([np.arange(groups) % groups, generator.integers(0, groups, tasks)])[:tasks]
    covariance = clusters.clustered_covariance(values, codes)
    for column in range(3):
        fit = sm.OLS(values[:, column], np.ones(tasks)).fit(
            cov_type="cluster", cov_kwds={"groups": codes}, use_t=True
        )
        assert covariance[column, column] == pytest.approx(fit.cov_params().item(), rel=1e-9)
        moments = clusters.clustered_mean(values[:, column], codes)
        assert moments.se**2 == pytest.approx(covariance[column, column], rel=1e-9)


def test_weights_of_a_covariance_are_those_of_the_mean():
    generator = np.random.default_rng(5)
    values, codes = generator.random((60, 2)), np.arange(60) % 12
    weights = generator.random(60)
    weights /= weights.sum()
    # Splitting a task of double weight into two in its cluster changes nothing.
    heavy = np.full(60, 1 / 61)
    heavy[0] = 2 / 61
    doubled = np.vstack([values, values[:1]])
    once = clusters.clustered_covariance(values, codes, heavy)
    twice = clusters.clustered_covariance(doubled, np.append(codes, codes[0]))
    assert once == pytest.approx(twice, rel=1e-12)
    uneven = clusters.clustered_covariance(values, codes, weights)
    assert uneven[0, 0] > 0
    assert uneven != pytest.approx(clusters.clustered_covariance(values, codes), rel=1e-3)


def test_intraclass_correlation_of_known_components():
    generator = np.random.default_rng(11)
    codes = np.repeat(np.arange(2000), 5)
    values = generator.normal(0, 0.5, 2000)[codes] + generator.normal(0, 1, 10_000)
    assert clusters.intraclass_correlation(values, codes) == pytest.approx(0.2, abs=0.02)
    assert clusters.intraclass_correlation(generator.random(50), np.arange(50)) is None
    assert clusters.intraclass_correlation(np.tile([0.0, 1.0], 20), np.repeat(np.arange(20), 2)) == 0


def test_the_design_effect_counts_what_clusters_cost():
    codes = np.repeat(np.arange(20), 10)
    values = (codes % 2).astype(float)
    moments = clusters.clustered_mean(values, codes)
    assert moments.design_effect == pytest.approx(199 / 200 * 10 * 20 / 19, rel=1e-9)
    assert moments.effective_tasks == pytest.approx(19, rel=0.01)
    assert moments.largest_share == 0.05


def test_sign_flips_of_few_clusters_are_counted_exactly():
    flips = clusters.sign_flip(np.array([[1.0, 1.0], [2.0, -1.0], [3.0, 1.0]]), draws=1000, seed=1)
    assert flips.exact
    assert flips.smallest == 0.25
    assert flips.p.tolist() == [0.25, 1.0]
    # Flipping the second cluster lifts the second column above what the first one shows.
    assert flips.p_adjusted.tolist() == [0.5, 1.0]


def test_sign_flips_agree_with_scipy():
    sums = np.random.default_rng(2).normal(0.4, 1, 10)
    theirs = stats.permutation_test(
        (sums,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    ours = clusters.sign_flip(sums[:, None], draws=1000, seed=1)
    assert ours.p[0] == pytest.approx(theirs.pvalue, abs=1e-12)


def test_drawn_sign_flips_come_near_the_exact_ones_and_are_never_zero():
    sums = np.random.default_rng(8).normal(0.8, 1, (13, 3))
    exact = clusters.sign_flip(sums, draws=10_000, seed=1)
    drawn = clusters.sign_flip(sums, draws=3000, seed=1)
    assert exact.exact
    assert not drawn.exact
    assert drawn.p == pytest.approx(exact.p, abs=0.02)
    assert clusters.sign_flip(np.ones((40, 1)), draws=500, seed=1).p[0] == pytest.approx(1 / 501)


def test_the_joint_p_is_never_below_its_own():
    sums = np.random.default_rng(4).normal(0.3, 1, (9, 6))
    flips = clusters.sign_flip(sums, draws=10_000, seed=1)
    assert (flips.p_adjusted >= flips.p).all()
    assert (clusters.sign_flip(sums[:, :1], draws=10_000, seed=1).p_adjusted == flips.p[:1]).all()
