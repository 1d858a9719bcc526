"""Tests of several contenders at once and probabilities of being ahead (sections 5 and 9 of the vectors)."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from analysis.statistics import omnibus
from analysis.statistics.superiority import independent_superiority
from tests.analysis.leaderboard.test_board_vectors import TOOL_USERS, TOOLS

PASSES = np.array([[int(c) for c in row] for row in TOOLS], dtype=float)


def digits(text):
    return np.array([[int(c) for c in row] for row in text.split()], dtype=float)


def test_cochran_q_of_tool_use():
    q = omnibus.cochran_q(PASSES)
    assert q.statistic == pytest.approx(82.6667, abs=5e-5)
    assert q.freedom == (8,)
    assert q.p == pytest.approx(1.418e-14, rel=5e-4)
    assert q.statistic == pytest.approx(cochrans_q(PASSES).statistic)
    assert q.statistic == pytest.approx(stats.friedmanchisquare(*PASSES.T).statistic)


@pytest.mark.parametrize(
    ("table", "value", "freedom"),
    [
        ("1011 0111 1110 0100 0100 1010 0100 1111 0100", 4.2, 3),
        ("00110 01010 01101 10001 11000 10100 01000 00110 00000", 1.2174, 4),
    ],
)
def test_cochran_q_published(table, value, freedom):
    q = omnibus.cochran_q(digits(table))
    assert q.statistic == pytest.approx(value, abs=5e-5)
    assert q.freedom == (freedom,)


def test_cochran_q_without_discordance_is_undefined():
    assert omnibus.cochran_q(np.ones((10, 3))) is None
    assert omnibus.cochran_q(PASSES[:, :1]) is None


def column(name):
    return PASSES[:, TOOL_USERS.index(name)].astype(int)


@pytest.mark.parametrize(
    ("ahead", "behind", "published"),
    [
        ("mixtral-8x7b-instruct", "gpt-3.5-turbo-0613", 0.7298),
        ("claude-2.1", "gpt-4-1106-preview", 1 - 0.1176),
        ("mistral-7b-instruct", "llama-v2-70b-chat", 1 - 0.6977),
    ],
)
def test_probability_of_being_ahead(ahead, behind, published):
    ours = independent_superiority(column(ahead).sum(), 20, column(behind).sum(), 20)
    assert ours == pytest.approx(published, abs=0.01), "published from 10,000 draws"


def test_probabilities_of_both_orders_add_up():
    there, back = independent_superiority(12, 20, 9, 30), independent_superiority(9, 30, 12, 20)
    assert there + back == pytest.approx(1, abs=1e-9)


def test_nemenyi_critical_values():
    five = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]
    for count in range(2, 11):
        assert omnibus.nemenyi_critical(count, 0.95) == pytest.approx(five[count - 2], abs=1e-3)
        assert omnibus.nemenyi_critical(count, 0.90) == pytest.approx(ten[count - 2], abs=1e-3)


def test_demsar_example():
    result = omnibus.friedman(np.array([3.143, 2.000, 2.893, 1.964]), 14)
    assert result.chi_square.statistic == pytest.approx(9.28, abs=0.01)
    assert result.f.statistic == pytest.approx(3.69, abs=0.01)
    assert result.f.freedom == (3, 39)
    assert stats.f.ppf(0.95, 3, 39) == pytest.approx(2.85, abs=5e-3)
    assert omnibus.critical_difference(4, 14, 0.95) == pytest.approx(1.25, abs=5e-3)
    assert omnibus.critical_difference(4, 14, 0.90) == pytest.approx(1.12, abs=5e-3)


def test_critical_difference_of_fifty_blocks():
    assert omnibus.critical_difference(6, 50, 0.95) == pytest.approx(1.06625, abs=5e-5)
