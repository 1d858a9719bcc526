"""Published scores in words and numbers, on files small enough to work out by hand."""

import math

import pytest

from answers.scores import ScoresParameters, ask
from data.errors import InputError
from tests.answers.loading import evals, load

NAMED = (("A", 0.664), ("B", 0.657), ("C", 0.582))


def put(store, tmp_path, rows=NAMED, **fields):
    load(store, tmp_path, "scores", [{"model": m, "score": s, **fields} for m, s in rows], "published.csv")


def answer(store, **parameters):
    return ask(store, ScoresParameters(benchmark="b", **parameters))


def test_without_error_or_task_count_nothing_is_called_noise(store, tmp_path):
    put(store, tmp_path)
    found = answer(store)
    assert (found.headline.status, found.headline.word) == ("unknown", "Error unknown")
    assert [row["stderr"] for row in found.payload["models"]] == [None, None, None]
    assert len([item for item in found.findings if "task count" in item.text]) == 1
    assert found.figures[0].rows[0].low is None


def test_a_task_count_given_makes_the_error_binomial(store, tmp_path):
    put(store, tmp_path)
    found = answer(store, tasks=500)
    assert found.payload["models"][0]["stderr"] == pytest.approx(math.sqrt(0.664 * 0.336 / 500))
    assert found.headline.sentence == "A leads at 66.4%; 1 other could be ahead."
    assert found.figures[0].rows[0].columns[2] == "500"


def test_a_gap_of_a_point_may_be_noise_and_one_of_eight_is_not(store, tmp_path):
    put(store, tmp_path, n_tasks=500)
    near = answer(store, a="A", b="B")
    assert near.headline.status == "undecided"
    assert near.headline.sentence == "A against B: +0.7 points, published."
    far = answer(store, a="A", b="C")
    assert far.headline.status == "good"


def test_a_correlation_narrows_the_interval(store, tmp_path):
    put(store, tmp_path, n_tasks=500)

    def width(correlation):
        pair = answer(store, a="A", b="B", correlation=correlation).payload["pairs"][0]
        return pair["high"] - pair["low"]

    assert width(0.75) == pytest.approx(width(0.0) / 2, rel=0.01)


def test_own_results_that_contradict_come_before_all(store, tmp_path):
    put(store, tmp_path, n_tasks=500)
    outcomes = {"A": {f"t{task:03}": [int(task < 20)] for task in range(200)}}
    load(store, tmp_path, "evals", evals(outcomes), "own.csv")
    found = answer(store)
    assert found.findings[0].status == "bad"
    assert found.findings[0].text == "A is published at 66.4% but scores 10.0% in your 200 tasks."
    assert found.headline.word == "Contradicted"
    pair = answer(store, a="A", b="C").headline
    assert (pair.status, pair.word, pair.explanation) == ("caution", "Contradicted", found.findings[0].text)
    assert answer(store, a="B", b="C").headline.word == "Better"


def test_names_that_are_not_there_are_named(store, tmp_path):
    put(store, tmp_path)
    with pytest.raises(InputError, match="nobody"):
        answer(store, a="nobody", b="B")
    with pytest.raises(InputError, match="both"):
        answer(store, a="A")
