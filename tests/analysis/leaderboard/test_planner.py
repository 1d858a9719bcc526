"""Planning against published sizes (section 7 of the vectors) and statsmodels."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower, TTestPower
from statsmodels.stats.proportion import proportion_effectsize

from analysis.leaderboard.planner import plan
from analysis.statistics import power
from tests.analysis import gpqa
from tests.analysis.evals import array_cells, cells_of, paired


def test_miller_section_five():
    needed = power.required_tasks(0.03, between=1 / 9)
    assert needed == pytest.approx(968.9975, abs=5e-5)
    exact = TTestPower().solve_power(effect_size=0.03 * 3, alpha=0.05, power=0.8)
    assert exact == pytest.approx(970.92, abs=5e-3)
    assert needed == pytest.approx(exact, rel=3e-3)


@pytest.mark.parametrize(("runs", "gap"), [(1, 0.132), (10, 0.075)])
def test_miller_detectable(runs, gap):
    found = power.detectable_difference(198, between=1 / 9, noise=2 / 6 / runs)
    assert found == pytest.approx(gap, abs=1e-3)


def test_twenty_tasks_and_two_points():
    assert round(power.required_tasks(0.02, between=1 / 9)) == 2180
    assert power.detectable_difference(20, between=1 / 9) == pytest.approx(0.209, abs=5e-4)


@pytest.mark.parametrize(
    ("discordance", "difference", "connor", "miller"),
    [(0.2, 0.05, 625.55, 620.06), (0.1, 0.03, 869.74, 864.25), (0.2, 0.03, 1741.84, 1736.35)],
)
def test_connor(discordance, difference, connor, miller):
    assert power.tasks_from_discordance(discordance, difference) == pytest.approx(connor, abs=5e-3)
    between = discordance - difference**2
    assert power.required_tasks(difference, between=between) == pytest.approx(miller, abs=5e-3)


def test_unpaired_by_arcsine():
    ours = power.tasks_unpaired(0.70, 0.75)
    assert ours == pytest.approx(1249.58, abs=0.01)
    effect = proportion_effectsize(0.75, 0.70)
    assert ours == pytest.approx(NormalIndPower().solve_power(effect, alpha=0.05, power=0.8), rel=1e-4)


def test_paired_from_a_correlation():
    between = power.difference_variance(0.75, 0.78, 0.5)
    assert math.ceil(power.required_tasks(0.03, between=between)) == 1568


@given(st.floats(0.01, 0.5), st.floats(0.01, 1), st.floats(0, 1), st.floats(1, 5))
def test_sizes_and_gaps_are_inverse(difference, between, noise, effect):
    terms = {"between": between, "noise": noise, "design_effect": effect}
    needed = power.required_tasks(difference, **terms)
    assert power.detectable_difference(needed, **terms) == pytest.approx(difference, rel=1e-9)


@given(st.floats(0.01, 1), st.floats(0.01, 1), st.floats(0.1, 100), st.floats(0.1, 100))
def test_best_runs_are_cheapest(between, noise, task, run):
    best = power.best_runs(between=between, noise_of_one_run=noise, cost_per_task=task, cost_per_run=run)

    def price(runs):
        return (task + runs * run) * (between + noise / runs)

    assert all(price(best) <= price(runs) * (1 + 1e-12) for runs in range(1, best + 20))


def test_best_runs_at_the_ends():
    terms = {"between": 0.1, "noise_of_one_run": 0.2}
    assert power.best_runs(**terms, cost_per_task=0, cost_per_run=1) == 1
    assert power.best_runs(**terms, cost_per_task=1, cost_per_run=0) is None
    assert power.best_runs(between=0.0, noise_of_one_run=0.2, cost_per_task=1, cost_per_run=1) is None
    assert power.best_runs(between=0.1, noise_of_one_run=0.0, cost_per_task=1, cost_per_run=0) == 1
    with pytest.raises(ValueError, match="costs"):
        power.best_runs(**terms, cost_per_task=-1, cost_per_run=1)


@pytest.fixture(scope="module")
def cells():
    return cells_of(gpqa.outcomes())


def test_gpqa_plan(cells):
    made = plan(cells, gpqa.NANO, gpqa.MINI, difference=0.06, runs=5)
    assert (made.within_a, made.within_b) == pytest.approx((0.0863636, 0.0792929), abs=5e-8)
    assert made.tasks_needed == 334
    assert made.detectable == pytest.approx(0.0779, abs=5e-5)
    curve = {runs: gap for runs, gap, _ in made.curve}
    assert [curve[runs] for runs in (1, 3, 5, 10)] == pytest.approx([0.106, 0.083, 0.078, 0.074], abs=5e-4)
    assert made.floor < curve[20] < curve[10]
    texts = [finding.text for finding in made.findings]
    assert "About 136 more tasks would show 6.0 points." in texts


def test_money_is_spent_on_tasks_or_runs(cells):
    made = plan(cells, gpqa.NANO, gpqa.MINI, difference=0.06, cost_per_task=20, cost_per_run=1)
    noise = made.within_a + made.within_b
    assert made.runs_best == pytest.approx(math.sqrt(20 * noise / made.omega2), abs=1)
    assert made.cost_best <= made.cost
    assert made.cost == made.tasks_needed * (20 + 5)
    cheap = plan(cells, gpqa.NANO, gpqa.MINI, difference=0.06, cost_per_task=0, cost_per_run=1)
    assert cheap.runs_best == 1


def test_more_comparisons_need_more_tasks(cells):
    one, ten = (plan(cells, gpqa.NANO, gpqa.MINI, difference=0.06, comparisons=n) for n in (1, 10))
    assert ten.tasks_needed > one.tasks_needed
    assert ten.detectable > one.detectable


def test_single_runs_leave_the_gain_of_runs_unknown():
    made = plan(cells_of(paired(60, 20, 15, 30)), "A", "B", difference=0.05)
    assert (made.omega2, made.floor, made.runs_best) == (None, None, None)
    assert made.detectable > 0
    assert made.tasks_needed > 125
    assert [runs for runs, _, _ in made.curve] == [1]
    assert any("Run noise is unknown" in finding.text for finding in made.findings)
    assert plan(cells_of(paired(60, 20, 15, 30)), "A", "B", runs=3).detectable is None


def test_clusters_enter_by_the_design_effect():
    generator = np.random.default_rng(2)
    codes = np.repeat(np.arange(30), 10)
    gain = np.stack([generator.normal(0, 1.5, 30)[codes], np.zeros(300)])
    grouped = array_cells(generator.binomial(4, 1 / (1 + np.exp(-gain))), 4, codes)
    made = plan(grouped, "m000", "m001")
    alone = plan(grouped.by_task(), "m000", "m001")
    assert made.design_effect > 1.5
    assert made.detectable == pytest.approx(alone.detectable * math.sqrt(made.design_effect))


def test_nothing_to_plan_from():
    made = plan(cells_of({"a": {"t": [1]}, "b": {"u": [0]}}), "a", "b", difference=0.1)
    assert (made.detectable, made.tasks_needed, made.tasks) == (None, None, 0)
    assert made.findings[0].text == "a and b share 0 tasks, too few to plan from."
    with pytest.raises(KeyError):
        plan(cells_of(paired(5, 5, 5, 5)), "A", "nobody")
    with pytest.raises(ValueError, match="cannot be planned"):
        plan(cells_of(paired(5, 5, 5, 5)), "A", "B", difference=0.0)
