"""Paired binary data against published values (section 4 of the vectors), statsmodels and scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar

from analysis.statistics import paired

Z = 1.959963984540054


@pytest.mark.parametrize(
    ("b", "c", "p"),
    [
        (121, 59, 0.000004),
        (70, 59, 0.378688),
        (80, 59, 0.089452),
        (30, 60, 0.00206),
        (10, 30, 0.002221),
        (10, 10, 1.0),
        (4, 3, 1.0),
        (28, 19, 0.24296),
        (12, 2, 0.012939),
        (5, 0, 0.0625),
        (20, 0, 1.9073e-6),
        (0, 0, 1.0),
    ],
)
def test_exact_mcnemar(b, c, p):
    assert paired.mcnemar_exact(b, c) == pytest.approx(p, abs=5e-7, rel=5e-5)


@pytest.mark.parametrize(("b", "c", "p"), [(30, 23, 0.410), (29, 27, 0.894), (39, 26, 0.136)])
def test_exact_mcnemar_of_reward_bench(b, c, p):
    assert paired.mcnemar_exact(b, c) == pytest.approx(p, abs=5e-4)


def test_exact_mcnemar_of_two_coders():
    assert paired.mcnemar_exact(15, 19) == pytest.approx(0.60759136, abs=5e-9)
    # One-sided 8 against 2 is half of the two-sided p.
    assert paired.mcnemar_exact(8, 2) / 2 == pytest.approx(0.0546875, abs=1e-9)


@pytest.mark.parametrize(
    ("b", "c", "value", "p"),
    [
        (121, 59, 20.67222, 5.450095e-6),
        (70, 59, 0.7751938, 0.3786151),
        (80, 59, 2.87769784, 0.08981434),
        (40, 10, None, 4.1e-5),
        (15, 10, None, 0.423711),
        (15, 19, None, 0.60690543),
    ],
)
def test_corrected_chi_square(b, c, value, p):
    ours, level = paired.mcnemar_chi_square(b, c, corrected=True)
    assert level == pytest.approx(p, rel=1e-2 if p < 1e-4 else 2e-6)
    if value is not None:
        assert ours == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize(
    ("b", "c", "value", "p"),
    [
        (121, 59, 21.35556, 3.815136e-6),
        (70, 59, 0.9379845, 0.3327967),
        (80, 59, 3.17266187, 0.07488031),
        (15, 19, 0.47058824, 0.49271668),
    ],
)
def test_plain_chi_square(b, c, value, p):
    ours, level = paired.mcnemar_chi_square(b, c, corrected=False)
    assert (ours.item(), level.item()) == pytest.approx((value, p), rel=1e-6)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_agrees_with_statsmodels(b, c):
    theirs = mcnemar([[7, b], [c, 5]], exact=True).pvalue
    assert paired.mcnemar_exact(b, c) == pytest.approx(theirs, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(("b", "c", "p"), [(1, 7, 0.0390625), (6, 16, 0.0346897), (0, 0, 1.0)])
def test_mid_p(b, c, p):
    assert paired.mcnemar_mid_p(b, c) == pytest.approx(p, abs=5e-8)


def test_mid_p_of_a_draw():
    assert paired.mcnemar_mid_p(2, 2) == pytest.approx(1 - 0.375 / 2)


def test_tango_published():
    low, high = paired.tango(28, 25, 618, 1.6448536)
    assert (low.item(), high.item()) == pytest.approx((-0.0148, 0.0247), abs=5e-5)
    low, high = paired.tango(1, 7, 21, Z)
    assert (low.item(), high.item()) == pytest.approx((-0.51723, -0.02600), abs=5e-6)


def test_tango_never_collapses():
    low, high = paired.tango(0, 0, 30, Z)
    assert high == pytest.approx(0.113513, abs=5e-7)
    assert high == pytest.approx(Z**2 / (30 + Z**2), abs=1e-12)
    assert low == -high
    low, high = paired.tango(20, 0, 20, Z)
    assert (low.item(), high.item()) == pytest.approx((0.67775, 1.0), abs=5e-6)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 80), st.floats(1.0, 4.0))
def test_tango_limits_solve_the_score_equation(b, c, concordant, critical):
    n = b + c + concordant
    for limit, sign in zip(paired.tango(b, c, n, critical), (1, -1), strict=True):
        delta = float(limit)
        assert abs(delta) < 1
        linear = -(b + c) + (2 * n - b + c) * delta
        share = (np.sqrt(linear**2 + 8 * n * c * delta * (1 - delta)) - linear) / (4 * n)
        score = (b - c - n * delta) / np.sqrt(n * (2 * share + delta * (1 - delta)))
        assert score == pytest.approx(sign * critical, rel=1e-5)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 40))
def test_exchanging_the_contenders_mirrors_tango(b, c, concordant):
    low, high = paired.tango(b, c, b + c + concordant, Z)
    mirrored = paired.tango(c, b, b + c + concordant, Z)
    assert (low, high) == (-mirrored[1], -mirrored[0])


def test_newcombe_published():
    assert paired.newcombe(59, 6, 16, 80, 0.95) == pytest.approx((-0.1186, -0.0046), abs=5e-5)
    assert paired.newcombe(0, 20, 0, 0, 0.95) == pytest.approx((0.77213, 1), abs=5e-6)


def test_agresti_min_published():
    assert paired.agresti_min(20, 40, 160, 0.95) == pytest.approx((-0.216017, -0.030896), abs=5e-7)


def test_t_p_value_of_no_spread():
    assert paired.t_p_value([0.0, 0.1, 0.1], [0.0, 0.0, 0.05], [9, 9, 9]).tolist() == pytest.approx(
        [1.0, 0.0, 0.0766], abs=5e-5
    )


def test_detectable_gap_adds_the_power():
    assert paired.detectable_gap(0.02778847, 1.97208) == pytest.approx(0.0782, abs=5e-5)
