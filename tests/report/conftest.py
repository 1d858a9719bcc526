"""A store whose questions are answered by made leaderboards, so that data can change at will."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from made_boards import BoardParameters, board_answer

from answers import register
from answers.base import Question
from data.errors import InputError

NOON = datetime(2026, 11, 29, 12, 0, 0, tzinfo=UTC)


class Desk:
    """Answers by benchmark; what is not set cannot be asked. ``asks`` counts the full answers given."""

    def __init__(self):
        self.answers = {}
        self.asks = 0

    def put(self, benchmark="repo-tasks", **changes):
        self.answers[benchmark] = board_answer(benchmark=benchmark, **{"leading": 1, **changes})
        return self.answers[benchmark]

    def ask(self, _store, parameters):
        self.asks += 1
        return replace(self.find(parameters), parameters=parameters)

    def find(self, parameters):
        if parameters.benchmark not in self.answers:
            raise InputError(f"no eval results for benchmark {parameters.benchmark!r}; nothing is loaded yet")
        return self.answers[parameters.benchmark]


@pytest.fixture
def desk(monkeypatch):
    """The leaderboard's place in the register, taken by made answers."""
    made = Desk()
    question = Question(
        "leaderboard",
        "Made for tests.",
        BoardParameters,
        made.ask,
        fingerprint=lambda store, parameters: made.find(parameters).fingerprint,
    )
    monkeypatch.setitem(register.QUESTIONS, "leaderboard", question)
    return made


@pytest.fixture
def noon():
    return NOON
