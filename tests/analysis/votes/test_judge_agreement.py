"""Agreement of repeated judgements: closed forms, a simulated judge, and nothing to measure."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.statistics.agreement import krippendorff_alpha
from analysis.votes.agreement import judge_agreement


def patterns(*rows):
    return pd.DataFrame(rows, columns=["a_wins", "b_wins", "ties", "units"])


def test_two_judgements_by_hand():
    # 6 units agree (4 won, 2 lost), 3 reverse, 1 is won and tied.
    result = judge_agreement(patterns((2, 0, 0, 4), (0, 2, 0, 2), (1, 1, 0, 3), (1, 0, 1, 1)))
    assert (result.units, result.judgements) == (10, 20)
    assert result.agreement == pytest.approx(0.6)
    assert result.unanimous == pytest.approx(0.6)
    assert result.reversal == pytest.approx(0.3)
    # s^2 is 0.5 at a reversal and 0.125 beside a tie; (x - 1/2)^2 is 1/4 six times and 1/16 once.
    noise = (3 * 0.5 + 0.125) / 10
    signal = (6 * 0.25 + 1 / 16) / 10 - noise / 2
    assert result.noise_share == pytest.approx(noise / (noise + signal))
    assert result.error_factor == pytest.approx(np.sqrt((noise + signal) / signal))
    assert result.variance_left(1) == 1
    assert result.variance_left(2) == pytest.approx((signal + noise / 2) / (signal + noise))
    labels = [[0, 0]] * 4 + [[1, 1]] * 2 + [[0, 1]] * 3 + [[0, 2]]
    assert result.alpha == pytest.approx(krippendorff_alpha(np.array(labels, dtype=float)))


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3, st.integers(1, 9)), max_size=8))
def test_it_does_not_matter_which_answer_is_called_first(rows):
    table = patterns(*rows)
    turned = table.rename(columns={"a_wins": "b_wins", "b_wins": "a_wins"})
    ours, theirs = judge_agreement(table), judge_agreement(turned)
    for name in ("agreement", "reversal", "unanimous", "noise_share", "error_factor"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), abs=1e-12)
    assert ours.alpha == pytest.approx(theirs.alpha)
    if ours.agreement is not None:
        assert 0 <= ours.agreement <= 1
        assert ours.agreement + ours.reversal <= 1 + 1e-12
        assert ours.unanimous <= ours.agreement + 1e-12


def test_a_judge_of_known_noise_is_measured():
    generator = np.random.default_rng(4)
    lean = generator.choice([0.9, 0.1], 20_000)
    won = generator.binomial(3, lean)
    table = pd.Series(won).value_counts().rename_axis("a_wins").reset_index(name="units")
    table = table.assign(b_wins=3 - table["a_wins"], ties=0)
    result = judge_agreement(table)
    # p (1 - p) is .09 of a whole spread of .25 around one half.
    assert result.noise_share == pytest.approx(0.36, abs=0.01)
    assert result.agreement == pytest.approx(0.82, abs=0.01)
    assert result.agreement_low < 0.82 < result.agreement_high
    assert result.alpha == pytest.approx(1 - 0.18 / 0.5, abs=0.01)
    assert result.error_factor == pytest.approx(np.sqrt(1 / 0.64), abs=0.01)


def test_a_coin_has_no_factor_and_no_reliability():
    result = judge_agreement(patterns((2, 0, 0, 25), (0, 2, 0, 25), (1, 1, 0, 50)))
    assert result.noise_share == 1
    assert result.error_factor is None
    assert result.alpha == pytest.approx(0, abs=0.02)
    assert result.findings[0].status == "caution"
    assert "as if by lot" in result.findings[1].text


def test_perfect_agreement_has_no_noise_and_an_interval_below_all():
    result = judge_agreement(patterns((2, 0, 0, 30), (0, 3, 0, 20)))
    assert (result.agreement, result.alpha, result.noise_share, result.error_factor) == (1, 1, 0, 1)
    assert result.agreement_low < 1
    assert [finding.status for finding in result.findings] == ["good"]


def test_nothing_judged_twice_is_unknown():
    for table in (patterns(), patterns((1, 0, 0, 40))):
        result = judge_agreement(table)
        assert (result.units, result.agreement, result.alpha, result.noise_share) == (0, None, None, None)
        assert result.variance_left(3) is None
        assert result.findings[0].status == "unknown"
    one = judge_agreement(patterns((1, 1, 0, 1)))
    assert one.agreement == 0
    assert one.agreement_low is None
    with pytest.raises(ValueError, match="units"):
        judge_agreement(pd.DataFrame({"a_wins": [2], "b_wins": [0], "ties": [0]}))
