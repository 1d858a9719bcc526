"""Run noise: of one contender by k, and of two compared."""

import pytest

from answers.consistency import ConsistencyParameters, ask
from answers.reliability import ReliabilityParameters
from answers.reliability import ask as ask_reliability
from data.errors import InputError
from tests.answers.loading import evals, load


def answer(store, a="A", b="B"):
    return ask(store, ConsistencyParameters(benchmark="b", a=a, b=b))


def test_the_steadier_of_two_is_named_with_its_interval(store, tmp_path):
    # A flips on 20 of 40 tasks (variance 1/2 there), B on none.
    outcomes = {
        "A": {f"t{task:02}": [1, task % 2] for task in range(40)},
        "B": {f"t{task:02}": [1, 1] for task in range(40)},
    }
    load(store, tmp_path, "evals", evals(outcomes))
    found = answer(store)
    assert found.payload["difference"] == pytest.approx(0.25)
    assert found.payload["se"] == pytest.approx(0.25 / 39**0.5)
    assert found.payload["steadier"] == "B"
    assert found.headline.sentence == "B varies less from run to run than A."
    assert answer(store, "B", "A").payload["steadier"] == "B"


def test_little_difference_is_undecided(store, tmp_path):
    outcomes = {
        "A": {f"t{task:02}": [1, int(task < 20)] for task in range(40)},
        "B": {f"t{task:02}": [1, int(task >= 22)] for task in range(40)},
    }
    load(store, tmp_path, "evals", evals(outcomes))
    found = answer(store)
    assert found.headline.status == "undecided"
    assert found.payload["steadier"] is None


def test_one_run_a_task_is_unknown(store, tmp_path):
    load(store, tmp_path, "evals", evals({name: {f"t{task}": [1] for task in range(9)} for name in "AB"}))
    found = answer(store)
    assert found.headline.status == "unknown"
    assert found.payload["difference"] is None


def test_a_contender_is_not_compared_with_itself(store, tmp_path):
    load(store, tmp_path, "evals", evals({"A": {"t": [1, 0]}}))
    with pytest.raises(InputError, match="two contenders"):
        answer(store, "A", "A")


def test_the_curve_stops_where_other_tasks_would_be_compared(store, tmp_path):
    # 10 tasks with 2 runs, of which 2 have 6.
    outcomes = {"A": {f"t{task}": [1, 0] * (3 if task < 2 else 1) for task in range(10)}}
    load(store, tmp_path, "evals", evals(outcomes))
    found = ask_reliability(store, ReliabilityParameters(benchmark="b", model="A"))
    assert found.payload["pass_hat_k"]["6"] == 0
    figure = found.figures[0]
    # Of the 2 tasks with 3 of 6 runs solved a pair of runs both solve C(3, 2) / C(6, 2) = 1/5.
    assert figure.title == "All of 2 runs solve 4.0% of tasks, a single run 50.0%"
    assert [line.x for line in figure.lines] == [(1.0, 2.0), (1.0, 2.0)]
    assert "Solved 2 times of 2" in [fact.label for fact in found.headline.facts]
