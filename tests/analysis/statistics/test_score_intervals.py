"""Intervals of one score against published values (section 1 of the vectors) and statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from analysis.statistics import intervals


def test_standard_error_of_scores_nought_to_nine():
    from analysis.statistics.clusters import clustered_mean

    scores = np.arange(10.0)
    moments = clustered_mean(scores, np.arange(10))
    assert np.var(scores, ddof=1) == pytest.approx(9.167, abs=5e-4)
    assert moments.se == pytest.approx(0.9574271, abs=1e-7)
    assert moments.naive_se == pytest.approx(moments.se, abs=1e-15)


def test_t_margin_over_three_run_means():
    means = np.array([0.80, 0.90, 0.85])
    low, high = intervals.t_interval(means.mean(), np.std(means, ddof=1) / math.sqrt(3), 2, 0.95)
    assert (high - low) / 2 == pytest.approx(0.1242, abs=5e-5)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(successes, trials, low, high):
    assert intervals.wilson(successes, trials, 0.95) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2527, 0.3676),
        (15, 148, 0.0578, 0.1617),
        (0, 20, 0, 0.1684),
        (1, 29, 0.0009, 0.1776),
    ],
)
def test_clopper_pearson(successes, trials, low, high):
    assert intervals.exact(successes, trials, 0.95) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("successes", "low", "high"),
    [
        (20, 0.838902, 0.998795),
        (12, 0.384354, 0.781803),
        (1, 0.011749, 0.238160),
        (10, 0.297807, 0.702193),
        (5, 0.112809, 0.471660),
        (8, 0.218197, 0.615646),
        (18, 0.696226, 0.969511),
        (0, 0.001205, 0.161098),
        (2, 0.030489, 0.303774),
    ],
)
def test_uniform_beta(successes, low, high):
    assert intervals.beta_interval(successes, 20, 0.95) == pytest.approx((low, high), abs=5e-7)


@pytest.mark.parametrize(
    ("trials", "limit"), [(3, 0.6316), (5, 0.4507), (15, 0.1810), (50, 0.0582), (100, 0.0295)]
)
def test_upper_limit_without_success(trials, limit):
    assert intervals.upper_without_success(trials, 0.95) == pytest.approx(limit, abs=5e-5)


def test_exact_interval_on_the_effective_size():
    size = intervals.effective_size(0.95, 0.03, tasks=200, clusters=20, confidence=0.95)
    assert size == pytest.approx(46.8487, abs=5e-5)
    limits = intervals.effective_exact(0.95, 0.03, tasks=200, clusters=20, confidence=0.95)
    assert limits == pytest.approx((0.84363, 0.99229), abs=5e-6)


@given(st.integers(1, 400), st.data(), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_closed_forms_agree_with_statsmodels(trials, data, confidence):
    successes = data.draw(st.integers(0, trials))
    for ours, method in ((intervals.wilson, "wilson"), (intervals.exact, "beta")):
        theirs = proportion_confint(successes, trials, 1 - confidence, method)
        assert ours(successes, trials, confidence) == pytest.approx(theirs, abs=1e-9)
    if 0 < successes < trials:
        theirs = proportion_confint(successes, trials, 1 - confidence, "jeffreys")
        assert intervals.jeffreys(successes, trials, confidence) == pytest.approx(theirs, abs=1e-9)


def test_jeffreys_reaches_the_ends():
    assert intervals.jeffreys(0, 20, 0.95)[0] == 0
    assert intervals.jeffreys(20, 20, 0.95)[1] == 1


def mean_interval(mean, se, *, tasks=200, clusters=200, rows=1000, single_binary=False):
    return intervals.mean_interval(
        mean, se, tasks=tasks, clusters=clusters, rows=rows, single_binary=single_binary, confidence=0.95
    )


def test_one_binary_run_a_task_is_wilson():
    interval = mean_interval(0.744, 0.0195, tasks=500, clusters=500, rows=500, single_binary=True)
    assert interval.method == "Wilson"
    assert (interval.low, interval.high) == pytest.approx((0.70398703, 0.780292292), abs=1e-8)


def test_the_middle_is_t_and_the_edge_is_exact():
    assert mean_interval(0.5, 0.03).method == "t over 200 tasks"
    assert mean_interval(0.5, 0.03, clusters=20).method == "t over 20 clusters"
    edge = mean_interval(0.98, 0.008)
    assert edge.method.startswith("exact on an effective size of")
    assert 0 < edge.low < 0.98 < edge.high < 1


@pytest.mark.parametrize("mean", [0.0, 1.0])
@pytest.mark.parametrize(("tasks", "clusters"), [(20, 20), (200, 8), (2, 2)])
def test_no_interval_at_an_end_has_zero_width(mean, tasks, clusters):
    interval = mean_interval(mean, 0.0, tasks=tasks, clusters=clusters, rows=5 * tasks)
    assert (interval.low, interval.high) == intervals.exact(mean * clusters, clusters, 0.95)
    assert interval.high - interval.low > 0.01


def test_constant_fractional_scores_have_no_zero_width_either():
    interval = mean_interval(0.4, 0.0, tasks=30, clusters=30, rows=30)
    assert interval.low < 0.3
    assert interval.high > 0.5
    assert interval.method == "exact on 30 tasks"


def test_too_little_for_an_interval_says_so():
    assert mean_interval(1.0, None, tasks=1, clusters=1) == intervals.Interval(
        None, None, "no interval: one task"
    )
    assert mean_interval(0.5, None, tasks=40, clusters=1) == intervals.Interval(
        None, None, "no interval: one cluster"
    )


@given(
    st.integers(0, 1000).map(lambda thousandths: thousandths / 1000),
    st.floats(0, 0.5),
    st.integers(2, 300),
    st.integers(2, 300),
    st.integers(1, 6),
)
def test_every_interval_is_wide_ordered_and_inside_the_unit(mean, se, tasks, clusters, runs):
    interval = mean_interval(mean, se, tasks=tasks, clusters=min(clusters, tasks), rows=runs * tasks)
    assert 0 <= interval.low <= mean + 1e-12
    assert mean - 1e-12 <= interval.high <= 1
    assert interval.high > interval.low
