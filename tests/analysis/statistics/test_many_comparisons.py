"""Corrections for many comparisons (section 8 of the vectors), statsmodels, and the joint distribution."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from analysis.statistics import multiplicity
from analysis.statistics.ranks import pair_index

HOCHBERG = np.fromstring(
    "0.0001 0.0004 0.0019 0.0095 0.0201 0.0278 0.0298 0.0344 0.0459 0.324 0.4262 0.5719 0.6528 0.759 1",
    sep=" ",
)


def test_benjamini_hochberg_1995():
    expected = [0.0015, 0.003, 0.0095, 0.035625, 0.0603, 0.06385714, 0.06385714, 0.0645, 0.0765, 0.486]
    expected += [0.58118182, 0.714875, 0.75323077, 0.81321429, 1]
    assert multiplicity.benjamini_hochberg(HOCHBERG) == pytest.approx(expected, abs=5e-9)


def test_holm_of_the_same_data():
    expected = [0.0015, 0.0056, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.278, 0.3213] + [1] * 6
    assert multiplicity.holm(HOCHBERG) == pytest.approx(expected, abs=5e-9)


def test_an_empty_family_gives_an_empty_result():
    assert len(multiplicity.holm(np.empty(0))) == 0
    assert len(multiplicity.benjamini_hochberg(np.empty(0))) == 0
    empty = multiplicity.bonferroni(0, 10)
    assert len(empty.tail(np.empty(0))) == 0
    assert empty.critical(0.95) == pytest.approx(stats.t.ppf(0.975, 10))


@settings(max_examples=8, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_corrections_agree_with_statsmodels(p):
    p = np.array(p)
    assert multiplicity.holm(p) == pytest.approx(multipletests(p, method="holm")[1], abs=1e-12)
    assert multiplicity.benjamini_hochberg(p) == pytest.approx(
        multipletests(p, method="fdr_bh")[1], abs=1e-12
    )


def independent(count, *, freedom=np.inf, draws=40_000):
    first, second = pair_index(count)
    return multiplicity.joint_draws(
        np.eye(count), freedom=freedom, draws=draws, seed=1, first=first, second=second
    )


@pytest.mark.parametrize("count", [3, 5, 8])
@pytest.mark.parametrize("freedom", [np.inf, 12.0])
def test_equal_independent_errors_give_the_studentised_range(count, freedom):
    family = multiplicity.max_t(independent(count, freedom=freedom))
    exact = stats.studentized_range.ppf(0.95, count, min(freedom, 1e5)) / np.sqrt(2)
    assert family.critical(0.95) == pytest.approx(exact, rel=0.02)


def test_one_comparison_is_plain_t():
    family = multiplicity.max_t(independent(2, freedom=9.0, draws=500))
    assert family.critical(0.95) == pytest.approx(stats.t.ppf(0.975, 9), abs=1e-12)
    assert family.tail(np.array([2.5])) == pytest.approx(2 * stats.t.sf(2.5, 9), abs=1e-15)


def test_an_adjusted_p_lies_between_its_own_and_bonferroni():
    family = multiplicity.max_t(independent(6, freedom=30.0, draws=4000))
    size = np.linspace(0, 12, 60)
    own = 2 * stats.t.sf(size, 30)
    adjusted = family.tail(size)
    assert (adjusted >= own).all()
    assert (adjusted <= np.minimum(1, 15 * own) + 1e-15).all()
    assert (np.diff(adjusted) <= 1e-15).all()
    assert adjusted[-1] < 1e-6, "beyond the draws Bonferroni takes over"


def test_limits_and_p_of_a_family_agree():
    family = multiplicity.max_t(independent(6, freedom=30.0, draws=4000))
    critical = family.critical(0.95)
    assert family.tail(np.array([critical + 1e-9]))[0] <= 0.05
    assert family.tail(np.array([critical - 1e-6]))[0] > 0.05 - 2 / 4000


def test_correlated_pairs_cost_less_than_bonferroni():
    generator = np.random.default_rng(1)
    common = generator.normal(size=(400, 1)) + 0.3 * generator.normal(size=(400, 10))
    first, second = pair_index(10)
    root = (common - common.mean(axis=0)) / 400
    draws = multiplicity.joint_draws(root, freedom=399, draws=10_000, seed=2, first=first, second=second)
    assert multiplicity.max_t(draws).critical(0.95) < multiplicity.bonferroni(45, 399).critical(0.95)


def test_pairs_drawn_directly_or_through_contenders_have_one_distribution():
    root = np.random.default_rng(6).normal(size=(30, 5))
    first, second = pair_index(5)
    through = multiplicity.joint_draws(root, freedom=29, draws=20_000, seed=3, first=first, second=second)
    direct = multiplicity.joint_draws(root[:, first] - root[:, second], freedom=29, draws=20_000, seed=4)
    assert direct.scale == pytest.approx(through.scale, rel=1e-12)
    assert multiplicity.max_t(direct).critical(0.95) == pytest.approx(
        multiplicity.max_t(through).critical(0.95), rel=0.02
    )


def test_a_pair_without_spread_is_bounded_apart():
    root = np.eye(4)
    root[:, 3] = root[:, 2]
    first, second = pair_index(4)
    draws = multiplicity.joint_draws(root, freedom=50, draws=5000, seed=1, first=first, second=second)
    assert draws.scale[5] == 0
    without = multiplicity.max_t(draws)
    with_it = multiplicity.max_t(draws, apart=np.ones(6, dtype=bool))
    assert with_it.apart == 1
    assert with_it.critical(0.95) > without.critical(0.95)


def test_a_test_enters_by_the_t_of_its_p():
    assert multiplicity.equivalent_t(np.array([0.05, 1.0]), 20) == pytest.approx(
        [stats.t.ppf(0.975, 20), 0.0]
    )


def test_draws_repeat_with_their_seed():
    assert (independent(5).base == independent(5).base).all()
