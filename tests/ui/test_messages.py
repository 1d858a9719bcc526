"""Advice for the command line stays off the page; what happened stays on it."""

import pytest

from ui.messages import without_flags


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("a.csv: no rows to load", "a.csv: no rows to load"),
        ("say what you decide (--choice TEXT)", "say what you decide"),
        ("read a as b; say --map b=a to confirm", "read a as b"),
        ("it lacks x; and y; name it with --map x=COLUMN, or --set x=VALUE", "it lacks x; and y"),
        ("for eval results (--kind evals) it lacks a", "for eval results it lacks a"),
        ("--margin must be between 0 and 1", "--margin must be between 0 and 1"),
    ],
)
def test_only_the_advice_goes(message, words):
    assert without_flags(message) == words
