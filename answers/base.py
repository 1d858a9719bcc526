"""What every answer hands to screen, command line and document."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from analysis.figures import Forest, Lines, PairMatrix
from analysis.results import Finding, Status
from answers.parameters import Parameters
from data.sources import SourceFile
from data.store import Store

Figure = Forest | Lines | PairMatrix
Unit = Literal["text", "share", "points", "spread", "money", "count", "p", "number", "milliseconds"]


@dataclass(frozen=True)
class Fact:
    """A label and a value under a verdict, such as ``Interval`` and ``2.4 to 9.4 points``."""

    label: str
    value: str


@dataclass(frozen=True)
class Strip:
    """The number of a card drawn as an estimate with its interval beside a mark, all in one unit."""

    estimate: float
    low: float
    high: float
    mark: float
    mark_words: str  # "no change"


@dataclass(frozen=True)
class Headline:
    """The verdict card: a word, one sentence with the number, one sentence of why, three or four facts."""

    status: Status
    word: str
    sentence: str
    explanation: str
    facts: tuple[Fact, ...]
    number: str = ""  # the figure of a card on Overview, such as "+5.9"
    number_unit: str = ""  # "points, 2.4 to 9.4"
    strip: Strip | None = None  # the number's interval on a card


@dataclass(frozen=True)
class Column:
    """A column: machine name, words on screen, and how its values are written."""

    name: str
    label: str
    unit: Unit = "text"
    help: str = ""


@dataclass(frozen=True)
class Table:
    """The table twin of a figure. ``rows`` hold raw values (shares 0..1, None for unknown)."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str | float | int | bool | None, ...], ...]


@dataclass(frozen=True)
class Answer:
    """A question answered once; page, command line, pin and document all read this.

    ``payload`` is the JSON object of the headless contract without findings and parameters. ``fingerprint``
    names the data: it changes when, and only when, the rows behind the answer change.
    """

    question: str
    asked: str  # the question in words: "Which model solves more of gpqa?"
    parameters: Parameters
    headline: Headline
    findings: tuple[Finding, ...]
    payload: Mapping[str, Any]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    sources: tuple[SourceFile, ...]
    fingerprint: str
    method: str
    revision: int
    result: object


@dataclass(frozen=True)
class Question:
    """An entry of the register: what ``decision pin NAME`` and the pages ask for by name.

    ``fingerprint`` tells what an answer's fingerprint would be now without computing the answer; without it
    a pin is checked by asking again.
    """

    name: str
    title: str
    parameters: type[Parameters]
    compute: Callable[[Store, Any], Answer]
    fingerprint: Callable[[Store, Any], str] | None = None

    def ask(self, store: Store, parameters: Parameters) -> Answer:
        """The answer, all of it read at one revision of the store.

        An import that commits between two queries would mix old rows with new sources, so the question is
        then asked again.
        """
        while True:
            before = store.revision
            answer = self.compute(store, parameters)
            if store.revision == before:
                return answer
