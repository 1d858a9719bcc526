"""The planner in words and money, on files small enough to work out by hand."""

import pytest

from answers.plan import PlanParameters, ask
from data.errors import InputError
from tests.answers.loading import evals, load


def both(a, b):
    """One run a task: outcomes of A and of B."""
    return {
        name: {f"t{place:03}": [score] for place, score in enumerate(scores)}
        for name, scores in (("A", a), ("B", b))
    }


def answer(store, **parameters):
    return ask(store, PlanParameters(benchmark="b", a="A", b="B", **parameters))


@pytest.fixture
def once(store, tmp_path):
    """100 tasks, one run each: 10 only A solves, 10 only B, so the difference has variance 20 / 99."""
    load(store, tmp_path, "evals", evals(both([1] * 10 + [0] * 90, [0] * 10 + [1] * 10 + [0] * 80)))


@pytest.fixture
def twice(store, tmp_path):
    """40 tasks, two runs each, half of which differ between the runs of A; B never varies."""
    outcomes = {
        "A": {f"t{place:02}": [1, place % 2] for place in range(40)},
        "B": {f"t{place:02}": [int(place < 30)] * 2 for place in range(40)},
    }
    load(store, tmp_path, "evals", evals(outcomes))


def test_tasks_needed_follow_from_the_variance_of_the_difference(store, once):
    found = answer(store, difference=0.05)
    # (1.96 + 0.8416)^2 * (20 / 99) / 0.05^2 = 634.3
    assert found.payload["tasks_needed"] == 635
    assert found.headline.sentence == "635 tasks, 1 run each, show a gap of 5 points."
    assert "That is 535 tasks more than today." in found.headline.explanation
    assert "unknown: run noise has not been measured" in found.headline.explanation
    assert found.headline.status == "undecided"


def test_what_today_shows_is_the_same_formula_turned_round(store, once):
    found = answer(store)
    # 2.8016 * sqrt(20 / 99 / 100)
    assert found.payload["detectable"] == pytest.approx(0.12592, abs=5e-5)
    assert found.headline.sentence == "100 tasks, 1 run each, show gaps above 12.6 points."
    assert found.payload["floor"] is None
    assert found.payload["run_gain"] is None


def test_a_gap_today_can_show_is_enough_tasks(store, once):
    found = answer(store, difference=0.2)
    assert (found.headline.status, found.headline.word) == ("good", "Enough tasks")
    assert "Today's tasks are enough." in found.headline.explanation


def test_all_money_or_the_runs_alone_or_none(store, once):
    def sentence(**costs):
        return answer(store, difference=0.05, **costs).headline.sentence

    assert sentence(cost_per_task=2.0, cost_per_run=0.1).endswith(", about $1,330.")
    assert sentence(cost_per_run=0.1).endswith(", about $64 for the runs.") or sentence(
        cost_per_run=0.1
    ).endswith(", about $63.50 for the runs.")
    assert "about" not in sentence()


def test_the_cost_of_a_run_comes_from_the_results_where_all_are_known(store, tmp_path):
    rows = evals(both([1] * 10 + [0] * 20, [0] * 10 + [1] * 10 + [0] * 10))
    priced = [row | {"cost": {"A": 0.3, "B": 0.2}[row["model"]], "currency": "USD"} for row in rows]
    load(store, tmp_path, "evals", priced)
    assert answer(store, difference=0.05).payload["cost_per_run"] == pytest.approx(0.5)


def test_one_unknown_cost_leaves_the_cost_of_a_run_unknown(store, tmp_path):
    rows = evals(both([1] * 10 + [0] * 20, [0] * 10 + [1] * 10 + [0] * 10))
    priced = [
        row | {"cost": None if (row["model"], row["task_id"]) == ("A", "t000") else 0.3, "currency": "USD"}
        for row in rows
    ]
    load(store, tmp_path, "evals", priced)
    assert answer(store, difference=0.05).payload["cost_per_run"] is None


def test_repeated_runs_tell_what_one_more_run_would_add(store, twice):
    found = answer(store, runs=1)
    within = found.payload["within_a"] + found.payload["within_b"]
    assert within == pytest.approx(0.25), "half of the tasks of A have runs 1 and 0, variance 1/2"
    omega2 = found.payload["omega2"]
    gain = 1 - ((omega2 + within / 2) / (omega2 + within)) ** 0.5
    assert found.payload["run_gain"] == pytest.approx(gain)
    assert found.payload["floor"] < found.payload["detectable"]
    assert "One more run of each task narrows what can be seen by" in found.headline.explanation


def test_the_figure_has_a_line_for_one_run_and_for_those_asked(store, twice):
    figure = answer(store, runs=4).figures[0]
    assert [(line.label, line.main) for line in figure.lines] == [("1 run", False), ("4 runs", True)]
    assert figure.marker == 40
    assert figure.takeaway


def test_more_verdicts_need_more_tasks(store, once):
    alone = answer(store, difference=0.05).payload["tasks_needed"]
    assert answer(store, difference=0.05, comparisons=10).payload["tasks_needed"] > alone


@pytest.mark.parametrize("b", [[1] * 30, [0] * 30], ids=["alike", "always apart"])
def test_no_spread_is_no_promise(store, tmp_path, b):
    load(store, tmp_path, "evals", evals(both([1] * 30, b)))
    found = answer(store, difference=0.05)
    assert found.headline.status == "unknown"
    assert found.payload["detectable"] is None
    assert found.payload["tasks_needed"] is None
    assert found.figures == ()


def test_a_contender_against_itself_and_a_gap_of_nothing_are_refused(store, once):
    with pytest.raises(InputError, match="two contenders"):
        ask(store, PlanParameters(benchmark="b", a="A", b="A"))
    with pytest.raises(InputError, match="must not be 0"):
        answer(store, difference=0.0)
