"""The Overview: an empty start, what is loaded, each question's headline, what is missing and next."""

import pytest

from answers.base import Headline
from tests.pages.eval_rows import results
from ui import overview

TWO = {"Aster 5": 0.9, "Aster 4": 0.5}


def test_a_new_user_is_told_what_this_is_and_offered_the_sample(app):
    app.open().check()
    assert "which model to run" in app.html
    assert "load_sample" in app.keys("button")
    app.press("load_sample").check()
    assert "sw-card" in app.html
    assert "What is loaded" in app.html


def test_each_benchmark_has_a_card_with_its_interval(app, stored):
    stored(results(TWO, tasks=60), results({"X": 0.3, "Y": 0.6}, benchmark="other"))
    app.open().check()
    assert app.html.count('class="sw-figure"') == 2
    assert app.html.count('role="img"') == 2
    assert "mark: no change" in app.html
    assert "file0.csv" in app.html


def test_what_is_missing_follows_what_was_done(app, stored):
    stored(results(TWO, tasks=60))
    app.open().check()
    assert app.html.count("Done</p>") == 2
    assert "pin an answer" in app.html
    app.at.switch_page("pages/leaderboard.py").run()
    app.press("pin_leaderboard")
    app.at.switch_page("pages/overview.py").run()
    app.check()
    assert app.html.count("Done</p>") == 3
    assert "Recommended" in app.html


def test_one_model_alone_counts_as_not_compared(app, stored):
    stored(results({"Only": 0.5}))
    app.open().check()
    assert app.html.count("Done</p>") == 1


def test_more_benchmarks_than_cards_are_named(app, stored):
    stored(*[results(TWO, tasks=10, benchmark=f"b{number}") for number in range(7)])
    app.open().check()
    assert app.html.count('class="sw-figure"') == overview.MOST_CARDS
    assert "2 more benchmarks" in app.html


class Pin:
    def __init__(self, *, stale):
        self.stale = stale


class Asked:
    headline = Headline("good", "Better", "s", "", ())


@pytest.mark.parametrize(
    ("answers", "pins", "records", "step"),
    [
        ([], [], [], "load eval results"),
        ([Asked], [], [], "pin an answer"),
        ([Asked], [Pin(stale=True)], [], "ask the stale pins again"),
        ([Asked], [Pin(stale=False)], [], "record the decision"),
        ([Asked], [Pin(stale=False)], [object()], "export the record"),
    ],
)
def test_there_is_one_next_step(answers, pins, records, step):
    assert overview.next_step(answers, pins, records) == step
