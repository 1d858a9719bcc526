"""Run noise, pass^k and pass@k (sections 3 and 6 of the vectors)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.statistics import reliability as run

AIRLINE = [int(c) for c in "01100111000142021140430040220122003443413241222144"]


def values_of(counts, runs):
    passed, many = np.array(counts), np.full(len(counts), runs)
    means = passed / many
    within = means * (1 - means) * many / np.maximum(many - 1, 1)
    return run.run_noise(means, np.where(many > 1, within, np.nan), many, passed)


def test_airline_pass_hat_k():
    passed, runs = np.array(AIRLINE), np.full(50, 4)
    means = [run.pass_hat_k(passed, runs, k).mean() for k in (1, 2, 3, 4)]
    assert means == pytest.approx([0.42, 0.273333, 0.22, 0.20], abs=5e-7)
    assert values_of(AIRLINE, 4).flip_share == 0.52


def test_three_of_five():
    passed, runs = np.array([3]), np.array([5])
    assert run.pass_at_k(passed, runs, 2)[0] == pytest.approx(0.9)
    assert run.pass_hat_k(passed, runs, 2)[0] == pytest.approx(0.3)


def test_k_above_the_runs_is_undefined():
    assert np.isnan(run.pass_hat_k(np.array([3]), np.array([3]), 4)).all()
    assert np.isnan(run.pass_at_k(np.array([3]), np.array([3]), 4)).all()


@given(st.integers(1, 12), st.integers(1, 12))
def test_all_and_none(runs, k):
    if k <= runs:
        many = np.array([runs, runs])
        assert run.pass_hat_k(np.array([runs, 0]), many, k).tolist() == [1, 0]
        assert run.pass_at_k(np.array([runs, 0]), many, k).tolist() == [1, 0]


@given(st.integers(1, 10), st.data())
def test_pass_k_is_the_chance_of_a_sample(runs, data):
    passed = data.draw(st.integers(0, runs))
    k = data.draw(st.integers(1, runs))
    hat = run.pass_hat_k(np.array([passed]), np.array([runs]), k)[0]
    at = run.pass_at_k(np.array([passed]), np.array([runs]), k)[0]
    assert hat == pytest.approx(stats.hypergeom.pmf(k, runs, passed, k), abs=1e-9)
    assert at == pytest.approx(1 - stats.hypergeom.pmf(0, runs, passed, k), abs=1e-9)
    assert hat <= passed / runs + 1e-12
    assert passed / runs <= at + 1e-12


@pytest.mark.parametrize(("runs", "cut"), [(2, 1 / 3), (4, 1 / 2), (6, 5 / 9), (1e12, 2 / 3)])
def test_more_runs_cut_the_variance_of_uniform_tasks(runs, cut):
    # p uniform on 0..1: variance of p is 1/12, mean of p(1-p) is 1/6.
    once = run.miller_variance(1 / 12, 1 / 6, 1)
    assert 1 - run.miller_variance(1 / 12, 1 / 6, runs) / once == pytest.approx(cut, abs=1e-9)


def test_one_run_tells_nothing_about_noise():
    noise = values_of([1, 0, 1, 1], 1)
    assert noise == run.RunNoise(None, None, None, None, 0)
    assert noise.noise_share is None


def test_constant_runs_have_no_noise_rather_than_an_unknown_one():
    noise = values_of([5, 0, 5, 0], 5)
    assert (noise.within, noise.rerun_se, noise.flip_share) == (0.0, 0.0, 0.0)
    assert noise.noise_share == 0


def test_between_never_falls_below_nothing():
    assert values_of([2, 3, 2, 3], 5).between == 0


def test_a_task_with_one_run_takes_the_noise_of_the_others():
    means, runs, passed = np.array([0.5, 0.5, 1.0]), np.array([2, 2, 1]), np.array([1, 1, 1])
    noise = run.run_noise(means, np.array([0.5, 0.5, np.nan]), runs, passed)
    assert noise.within == 0.5
    assert noise.repeated_tasks == 2
    assert noise.flip_share == 1
    assert noise.rerun_se == pytest.approx(np.sqrt(0.25 + 0.25 + 0.5) / 3)


def test_the_split_recovers_planted_components():
    generator = np.random.default_rng(1)
    p = generator.beta(2, 2, 20_000)
    counts = generator.binomial(4, p)
    noise = values_of(counts, 4)
    assert noise.between == pytest.approx(0.05, abs=0.002)
    assert noise.within == pytest.approx(0.2, abs=0.002)
