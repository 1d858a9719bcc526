"""The record as blocks of a document, before any format: what is said, in which order, and how numbers read.

Every format draws these blocks, so that they all say one thing.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from analysis import wording
from analysis.figures import Forest
from analysis.results import Status
from charts.theme import VERDICT
from report.evidence import Evidence
from report.options import Board, Measure, Option
from report.plaintext import one_line, sentence
from report.record import Record

#: Figures on paper: one of each leaderboard, and no more than a reader takes in before the options.
MOST_FIGURES = 2
_STATUS_WORDS = {"proposed": "Proposed", "accepted": "Accepted"}
_PROFILE_WORDS = {
    "interactive": "interactive coding",
    "batch": "batch work",
    "research": "long-horizon research",
}
_BASED_ON = {"Based on": "", "Paired tasks": "paired tasks", "Tasks": "tasks"}


@dataclass(frozen=True)
class Cell:
    """A text in a table. ``status`` adds its icon, ``code`` a fixed-width face, ``note`` a second line."""

    text: str
    status: Status | None = None
    code: bool = False
    note: str = ""


@dataclass(frozen=True)
class Head:
    """A column's header; numbers stand at the right."""

    label: str
    numeric: bool = False


@dataclass(frozen=True)
class Row:
    """Cells, one a header; the first names the row. ``strong`` marks the option chosen."""

    cells: tuple[Cell, ...]
    strong: bool = False


@dataclass(frozen=True)
class Grid:
    """A table under its heading; ``note`` stands beneath."""

    title: str
    heads: tuple[Head, ...]
    rows: tuple[Row, ...]
    note: str = ""


@dataclass(frozen=True)
class Lines:
    """A list under its heading; ``empty`` says so where there is nothing to list."""

    title: str
    items: tuple[str, ...]
    empty: str = ""


@dataclass(frozen=True)
class Columns:
    """Lists side by side."""

    lists: tuple[Lines, ...]


@dataclass(frozen=True)
class Picture:
    """A figure on paper, its finding as title."""

    forest: Forest


@dataclass(frozen=True)
class Labelled:
    """Short labelled statements that run on in one paragraph."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Commands:
    """Small print: sentences, then commands that ask the questions again."""

    title: str
    sentences: tuple[str, ...]
    commands: tuple[str, ...]


Block = Grid | Lines | Columns | Picture | Labelled | Commands


@dataclass(frozen=True)
class Document:
    """The whole document. ``signatures`` are labels with the name or date typed so far."""

    number: str
    standing: str
    title: str
    status: Status
    word: str
    sentence: str
    explanation: str
    blocks: tuple[Block, ...]
    signatures: tuple[tuple[str, str], ...]
    seal: str


def lay_out(made: Record, seal: str) -> Document:
    """The blocks of ``made``; ``seal`` is the digest printed at its end."""
    accepted = made.status == "accepted"
    return Document(
        number=made.record_id,
        standing=f"{_STATUS_WORDS[made.status]} · {wording.date(made.created)}",
        title=one_line(made.title),
        status=made.verdict.status,
        word=one_line(made.verdict.word),
        sentence=one_line(made.verdict.sentence),
        explanation=one_line(made.verdict.explanation),
        blocks=(
            _statements(made),
            _evidence(made),
            *_findings(made),
            *_pictures(made),
            *(_options(made, board) for board in made.boards),
            *_next_steps(made),
            _origins(made),
            _method(made),
        ),
        signatures=(
            ("Decided by", one_line(made.choice.decided_by)),
            ("Consulted", one_line(made.choice.consulted)),
            ("Date", wording.date(made.created) if accepted else ""),
        ),
        seal=seal,
    )


def _statements(made: Record) -> Labelled:
    choice, recommendation = made.choice, made.recommendation
    recommended = sentence(recommendation.sentence)
    if len(recommendation.options) != 1:
        recommended = f"{sentence(recommendation.word)} {recommended}"
    items = [("Recommended", recommended), ("Decided", sentence(choice.text))]
    if choice.differs:
        items.append(("Why different", sentence(choice.reasons) or "No reason was given."))
    elif choice.reasons:
        items.append(("Why", sentence(choice.reasons)))
    if recommendation.conditions:
        items.append(("Conditions", " ".join(sentence(text) for text in recommendation.conditions)))
    if made.profile is not None:
        items.append(("Meant for", sentence(_PROFILE_WORDS[made.profile])))
    return Labelled(tuple(items))


def _evidence(made: Record) -> Grid:
    heads = (Head("Question"), Head("Answer"), Head("Number", True), Head("Interval", True), Head("Based on"))
    return Grid("What the evidence says", heads, tuple(_evidence_row(pin, made) for pin in made.evidence))


def _evidence_row(pin: Evidence, made: Record) -> Row:
    card = pin.headline
    unit, _, written = one_line(card.number_unit).partition(", ")
    facts = {fact.label: one_line(fact.value) for fact in card.facts}
    number = f"{one_line(card.number)} {unit}".strip() or wording.unknown()
    note = "older than the data" if pin.id in made.stale else ""
    return Row(
        (
            Cell(one_line(pin.asked), note=note),
            Cell(one_line(card.word), status=card.status),
            Cell(number),
            Cell(written or facts.get("Interval", "no interval")),
            Cell(_based_on(facts, pin)),
        )
    )


def _based_on(facts: Mapping[str, str], pin: Evidence) -> str:
    for label, noun in _BASED_ON.items():
        if label in facts:
            return f"{facts[label]} {noun}".strip()
    return wording.plural(sum(source.rows_loaded for source in pin.sources), "row")


def _findings(made: Record) -> tuple[Grid, ...]:
    rows = dict.fromkeys(
        Row(
            (
                Cell(VERDICT[finding.status].word, status=finding.status),
                Cell(text, note=sentence(finding.reason)),
            )
        )
        for pin in made.evidence
        for finding in pin.findings
        if (text := sentence(finding.text))
    )
    if not rows:
        return ()
    return (Grid("What else the data show", (Head("Bearing"), Head("Finding")), tuple(rows)),)


def _pictures(made: Record) -> tuple[Picture, ...]:
    forests = [figure for pin in made.evidence for figure in pin.figures if isinstance(figure, Forest)]
    return tuple(Picture(_about(forest, made.choice.option)) for forest in forests[:MOST_FIGURES])


def _about(forest: Forest, chosen: str) -> Forest:
    """The figure with the option chosen in accent, where it is drawn."""
    return replace(forest, highlight=chosen) if any(row.label == chosen for row in forest.rows) else forest


def _options(made: Record, board: Board) -> Grid:
    heads = [Head("Option"), Head("Solved", True), Head(_interval_head(board), True), Head("Rank", True)]
    heads.append(Head("Cost per task", True))
    compared = any(measure.name == "difference" for option in board.options for measure in option.measures)
    if compared:
        heads += [Head("Difference", True), Head("Answer")]
    rows = tuple(_option_row(option, board, compared) for option in board.options)
    title = "Options considered" if len(made.boards) == 1 else f"Options on {one_line(board.benchmark)}"
    return Grid(title, tuple(heads), rows, _options_note(made, board, compared))


def _interval_head(board: Board) -> str:
    if board.confidence is None:
        return "Interval"
    return f"{wording.share(board.confidence).replace('.0%', '%')} interval"


def _options_note(made: Record, board: Board, compared: bool) -> str:
    notes = []
    if compared:
        scope = "hold for all pairs at once" if board.simultaneous else "stand for each pair alone"
        notes.append(
            f"Difference: option minus {one_line(board.against)} in points, on the tasks both ran, with its "
            f"interval; these intervals {scope}."
        )
    lacking = [
        f"{one_line(option.name)} ({measure.note})"
        for option in board.options
        for measure in option.measures
        if measure.note and measure.name == "cost_per_task"
    ]
    if lacking:
        notes.append(f"Cost unknown: {wording.sentence_list(lacking, most=4)}.")
    if not made.choice.option:
        notes.append("The choice is in the person's own words, so no row is marked as chosen.")
    return " ".join(notes)


def _option_row(option: Option, board: Board, compared: bool) -> Row:
    measures = {measure.name: measure for measure in option.measures}
    solved, cost = measures["solved"], measures["cost_per_task"]
    cells = [
        Cell(one_line(option.name), note=_marks(option, board)),
        Cell(wording.share(solved.value, half(solved))),
        Cell(written_interval(solved)),
        Cell(wording.rank_range(option.rank_low, option.rank_high)),
        Cell(wording.money(cost.value, cost.currency or "USD")),
    ]
    if compared:
        cells += _difference_cells(measures.get("difference"), is_reference=option.name == board.against)
    return Row(tuple(cells), strong=option.chosen)


def _marks(option: Option, board: Board) -> str:
    marks = [word for word in ("chosen", "recommended", "baseline") if getattr(option, word)]
    if not board.baseline and len(board.leading) > 1 and option.name in board.leading:
        marks.append("may be the best")
    return ", ".join(marks)


def _difference_cells(measure: Measure | None, *, is_reference: bool) -> list[Cell]:
    if measure is None or is_reference:
        return [Cell("reference" if is_reference else wording.unknown()), Cell("")]
    number = wording.points_number(measure.value, half(measure), signed=True)
    if measure.value is None:
        return [Cell(number), Cell(sentence(measure.note).rstrip("."))]
    return [Cell(f"{number} ({written_interval(measure)})"), Cell(measure.verdict.capitalize())]


def half(measure: Measure) -> float | None:
    """Half the width of a measure's interval, which decides its decimals."""
    if measure.low is None or measure.high is None:
        return None
    return (measure.high - measure.low) / 2


def written_interval(measure: Measure) -> str:
    """The interval of a share or a difference, or the words for none."""
    if measure.low is None or measure.high is None:
        return "no interval"
    signed = measure.unit == "points"
    return wording.interval(measure.low, measure.high, measure.unit, signed=signed, half_width=half(measure))


def _next_steps(made: Record) -> tuple[Block, ...]:
    watch = Lines("Watch", tuple(map(sentence, made.watch)), "Nothing to watch is named yet.")
    reopen = Lines(
        "Open again when", tuple(map(sentence, made.reopen)), "Nothing that reopens it is named yet."
    )
    lists: tuple[Block, ...] = (Columns((watch, reopen)),)
    if made.settling:
        lists += (Lines("What would settle it", tuple(map(one_line, made.settling))),)
    return lists


def _origins(made: Record) -> Grid:
    heads = (Head("File"), Head("SHA-256"), Head("Rows kept", True), Head("Set aside", True), Head("Covers"))
    rows = tuple(
        Row(
            (
                Cell(one_line(origin.file)),
                Cell(f"{origin.sha256[:8]}…{origin.sha256[-4:]}", code=True),
                Cell(wording.count(origin.rows_kept)),
                Cell(wording.count(origin.rows_set_aside)),
                Cell("; ".join(map(one_line, origin.covers))),
            )
        )
        for origin in made.origins
    )
    return Grid("Where the numbers come from", heads, rows)


def _method(made: Record) -> Commands:
    versions = {name: one_line(version) for name, version in sorted(made.versions.items())}
    program = versions.pop("switchover", wording.unknown())
    library = ", ".join(f"{name} {version}" for name, version in versions.items())
    written = (
        f"Written by Switchover {program} ({library}) on {wording.timestamp(made.created)}. All settings and "
        "unrounded numbers are in the JSON export; decision verify asks every question again and names what "
        "differs."
    )
    sentences = (*map(one_line, made.methods), made.recommendation.rule, written)
    return Commands("How it was computed", sentences, tuple(map(command, made.evidence)))


def command(pin: Evidence) -> str:
    """The command that asks a pin's question again, the benchmark first."""
    words = ["python", "cli.py", pin.question]
    for name in sorted(pin.parameters, key=lambda name: (name != "benchmark", name)):
        value = pin.parameters[name]
        flag = "--" + name.replace("_", "-")
        for item in value if isinstance(value, list) else [value]:
            words += _flag(flag, item)
    return one_line(" ".join(words))


def _flag(flag: str, value: Any) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [flag]
    text = _quoted(str(value))
    return [f"{flag}={text}"] if text.startswith("-") else [flag, text]


def _quoted(text: str) -> str:
    if re.fullmatch(r"[\w@%+=:,./-]+", text, re.ASCII):
        return text
    return "'" + text.replace("'", "'\"'\"'") + "'"
