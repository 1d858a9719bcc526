"""One command a question of the register; its flags are the question's parameters."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from answers.base import Answer, Question
from answers.parameters import as_dict, build, specifications
from answers.register import QUESTIONS
from answers.tables import text_rows
from commands.parsing import Output, add_command, add_parameters, open_store
from data.store import Store


def add(commands: Any) -> None:
    """Add every question."""
    for entry in QUESTIONS.values():
        add_parameters(add_command(commands, entry.name, entry.title, _ask), entry.parameters)


def _ask(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        answer = answer_to(store, QUESTIONS[options.command], vars(options))
    return {**answer.payload, **said(answer), "_text": list(_answer_lines(answer))}


def answer_to(store: Store, entry: Question, given: Mapping[str, Any]) -> Answer:
    """Ask a question with parameters given as texts, by name."""
    names = [spec.name for spec in specifications(entry.parameters)]
    return entry.ask(store, build(entry.parameters, {name: given.get(name) for name in names}))


def said(answer: Answer) -> Output:
    """What every answer prints beside its payload."""
    return {
        "findings": [asdict(finding) for finding in answer.findings],
        "parameters": as_dict(answer.parameters),
    }


def _answer_lines(answer: Answer) -> Iterator[str]:
    card = answer.headline
    yield f"{card.word}: {card.sentence}"
    if card.explanation:
        yield card.explanation
    yield from (f"{fact.label}: {fact.value}" for fact in card.facts)
    for table in answer.tables:
        yield ""
        yield table.title
        yield from text_rows(table)
    if answer.findings:
        yield ""
    yield from (f"{finding.status}: {finding.text}" for finding in answer.findings)
