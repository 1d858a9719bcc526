"""The questions by name, for the command line, pins and verify."""

from answers import consistency, contamination, leaderboard, mix, plan, reliability, scores, votes
from answers.base import Question
from data.errors import InputError

QUESTIONS: dict[str, Question] = {
    entry.name: entry
    for entry in (
        leaderboard.QUESTION,
        reliability.QUESTION,
        consistency.QUESTION,
        plan.QUESTION,
        mix.QUESTION,
        contamination.QUESTION,
        votes.QUESTION,
        scores.QUESTION,
    )
}


def question(name: str) -> Question:
    """The register's entry.

    Raises:
        InputError: no question has that name.
    """
    if name not in QUESTIONS:
        raise InputError(f"no question named {name!r}; choose one of {', '.join(QUESTIONS)}")
    return QUESTIONS[name]
