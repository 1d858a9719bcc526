"""Who is ahead over uncertain mixes and scores."""

import numpy as np
import pytest
from scipy import stats

from analysis.leaderboard.winner_map import domain_turns, turning_shares, winner_map
from analysis.statistics.cells import Cells
from analysis.statistics.mixing import stratified_mean
from tests.analysis.evals import frame_of


def two(share_a=(0.8, 0.3), share_b=(0.5, 0.5), tasks=60):
    """Two contenders over two domains, solving the first of a shuffled share of tasks."""
    generator = np.random.default_rng(5)
    outcomes = {"a": {}, "b": {}}
    for domain in range(2):
        for name, shares in (("a", share_a), ("b", share_b)):
            for task, place in enumerate(generator.permutation(tasks)):
                outcomes[name][f"{domain}-{task:03}"] = [int(place < shares[domain] * tasks)]
    return by_domain(outcomes)


def by_domain(outcomes):
    """Cells whose domain is the first letter of the task."""
    frame = frame_of(outcomes)
    frame["domain"] = "d" + frame["task_id"].str[0]
    return Cells.from_frame(frame)


def test_a_firm_mix_agrees_with_the_normal_tail_of_the_paired_difference():
    cells = two()
    weights = np.array([0.45, 0.55])
    result = winner_map(cells, {"d0": 45, "d1": 55}, draws=40_000)
    gap = cells.cell_means[0] - cells.cell_means[1]
    codes = np.array([int(name[1]) for name in cells.domains])
    exact = stratified_mean(gap, codes, cells.cluster, weights)
    expected = stats.norm.cdf(exact.mean / exact.se)
    first = {row.model: row.ahead[0] / result.draws for row in result.rows}
    assert first["a"] == pytest.approx(expected, abs=0.01)
    assert sum(first.values()) == pytest.approx(1)


def test_a_looser_mix_is_less_sure():
    result = winner_map(two((0.9, 0.2), (0.6, 0.6), 400), {"d0": 0.7, "d1": 0.3}, draws=8000)
    firm, half, loose = next(row.ahead for row in result.rows if row.model == "a")
    assert firm > half > loose > 0
    assert result.give == (0.0, pytest.approx((0.21 / 51) ** 0.5), pytest.approx((0.21 / 11) ** 0.5))


def test_draws_repeat_and_rows_come_by_the_mix_as_given():
    once, again = (winner_map(two(), {"d0": 1, "d1": 1}) for _ in range(2))
    assert once == again
    assert once.rows[0].ahead[0] >= once.rows[1].ahead[0]


def test_contenders_with_one_record_are_never_ahead_of_each_other():
    outcomes = {f"0-{task:03}": [task % 2] for task in range(20)}
    cells = by_domain({"a": outcomes, "b": outcomes})
    assert [row.ahead for row in winner_map(cells, {"d0": 1}).rows] == [(0, 0, 0), (0, 0, 0)]


def test_too_few_shared_tasks_give_a_reason_and_no_rows():
    result = winner_map(two(tasks=4), {"d0": 1, "d1": 1})
    assert result.rows == ()
    assert result.reason == "d0 has too few tasks that every model has a score on"


def test_one_contender_has_no_map():
    assert "nobody" in winner_map(two().restrict_contenders(("a",)), {"d0": 1}).reason


def test_a_mix_of_nothing_is_refused():
    with pytest.raises(ValueError, match="above 0"):
        winner_map(two(), {"d0": 0.0})


def test_the_share_that_turns_the_order():
    # 0.5 * 0.1 + 0.5 * -0.2 < 0; x * 0.1 - (1 - x) * 0.2 = 0 at x = 2/3, and the other domain mirrors it.
    turned = turning_shares(np.array([0.5, 0.5]), np.array([0.1, -0.2]))
    assert turned == (pytest.approx(2 / 3), pytest.approx(1 / 3))


def test_nothing_turns_an_order_all_domains_agree_on():
    assert turning_shares(np.array([0.2, 0.8]), np.array([0.1, 0.3])) == (None, None)
    assert turning_shares(np.array([1.0]), np.array([0.1])) == (None,)


def test_each_domain_says_its_part_on_a_pair():
    first, second = domain_turns(two((0.8, 0.3), (0.5, 0.5), 10), "a", "b", {"d0": 1, "d1": 3, "none": 0})
    assert (first.domain, first.weight, first.tasks) == ("d0", 0.25, 10)
    assert (first.difference, second.difference) == (pytest.approx(0.3), pytest.approx(-0.2))
    # 0.3 x = 0.2 (1 - x)
    assert (first.turns_at, second.turns_at) == (pytest.approx(0.4), pytest.approx(0.6))


def test_a_domain_without_shared_tasks_says_nothing():
    assert domain_turns(two(), "a", "b", {"d0": 1, "d7": 1}) == ()
