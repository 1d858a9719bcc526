"""The record's tables as CSV for a spreadsheet: raw values, unknown as a word, no cell that is a formula.

One file holds all sheets. Each starts with a line ``section,NAME``, then its header, then its rows; an empty
line ends it.
"""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from analysis import wording
from answers.base import Table
from report import canonical
from report.options import Board, Option
from report.plaintext import one_line
from report.record import Record

#: What makes a spreadsheet compute a cell, also behind blanks and in its full-width form.
_FORMULA = re.compile(r"^[\s\ufeff\u200b]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?")

Scalar = str | float | int | bool | None


@dataclass(frozen=True)
class Sheet:
    """One table: machine names as header, raw values in rows."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]


def safe(value: Scalar) -> str | float | int:
    """A cell that a spreadsheet shows as it is: a text that would be a formula gets a leading apostrophe."""
    if value is None:
        return wording.UNKNOWN
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    if _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return "'" + one_line(value)
    return one_line(value)


def export_csv(made: Record) -> bytes:
    """All sheets in one file: UTF-8 with a byte order mark (spreadsheets guess without one), texts quoted."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    for number, sheet in enumerate(sheets(made)):
        if number:
            out.write("\r\n")
        writer.writerow(["section", safe(sheet.name)])
        writer.writerows([safe(cell) for cell in row] for row in (sheet.heads, *sheet.rows))
    return out.getvalue().encode("utf-8-sig")


def sheets(made: Record) -> tuple[Sheet, ...]:
    """The record's tables in the order of the document, then every table of its evidence."""
    return (
        _decision(made),
        _evidence(made),
        _sheet(
            "findings",
            ("evidence", "status", "text", "reason"),
            ((pin.id, f.status, f.text, f.reason) for pin in made.evidence for f in pin.findings),
        ),
        *map(_options, made.boards),
        _sheet(
            "next steps",
            ("kind", "text"),
            [(kind, text) for kind in ("watch", "reopen", "settling") for text in getattr(made, kind)],
        ),
        _origins(made),
        _sheet(
            "settings",
            ("evidence", "name", "value"),
            (
                (pin.id, name, value if isinstance(value, str) else canonical.canonical(value))
                for pin in made.evidence
                for name, value in sorted(pin.parameters.items())
            ),
        ),
        _sheet("versions", ("name", "version"), sorted(made.versions.items())),
        *(_table(pin.id, pin.question, table) for pin in made.evidence for table in pin.tables),
    )


def _sheet(name: str, heads: tuple[str, ...], rows: Iterable[Iterable[Any]]) -> Sheet:
    return Sheet(name, heads, tuple(tuple(row) for row in rows))


def _decision(made: Record) -> Sheet:
    choice, recommendation = made.choice, made.recommendation
    rows: list[tuple[str, Scalar]] = [
        ("record_id", made.record_id),
        ("title", made.title),
        ("status", made.status),
        ("created", made.created),
        ("profile", made.profile or ""),
        ("verdict", made.verdict.word),
        ("sentence", made.verdict.sentence),
        ("explanation", made.verdict.explanation),
        ("recommended", recommendation.sentence),
        ("decided", choice.text),
        ("option", choice.option),
        ("differs", choice.differs),
        ("reasons", choice.reasons),
        ("decided_by", choice.decided_by),
        ("consulted", choice.consulted),
        *(("condition", text) for text in recommendation.conditions),
        *(("method", text) for text in made.methods),
        ("seal", canonical.digest(made.seals)),
    ]
    return _sheet("decision", ("field", "value"), rows)


def _evidence(made: Record) -> Sheet:
    heads = ("evidence", "question", "asked", "status", "answer", "sentence", "number", "number_unit")
    return _sheet(
        "evidence",
        (*heads, "stale", "pinned_at", "fingerprint", "digest"),
        (
            (
                *(pin.id, pin.question, pin.asked, pin.headline.status, pin.headline.word),
                *(pin.headline.sentence, pin.headline.number, pin.headline.number_unit),
                *(pin.id in made.stale, pin.pinned_at, pin.fingerprint, pin.digest),
            )
            for pin in made.evidence
        ),
    )


def _options(board: Board) -> Sheet:
    heads = ("evidence", "benchmark", "option", "chosen", "recommended", "baseline", "rank_low", "rank_high")
    measures = ("solved", "solved_low", "solved_high", "cost_per_task", "currency")
    compared = ("against", "difference", "difference_low", "difference_high", "answer")
    return _sheet(
        "options",
        (*heads, *measures, *compared),
        (_option(option, board) for option in board.options),
    )


def _option(option: Option, board: Board) -> tuple[Scalar, ...]:
    found = {measure.name: measure for measure in option.measures}
    solved, cost, difference = found["solved"], found["cost_per_task"], found.get("difference")
    return (
        *(board.evidence, board.benchmark, option.name, option.chosen, option.recommended, option.baseline),
        *(option.rank_low, option.rank_high, solved.value, solved.low, solved.high),
        *(cost.value, cost.currency),
        *(
            (board.against, difference.value, difference.low, difference.high, difference.verdict)
            if difference
            else ("", None, None, None, "")
        ),
    )


def _origins(made: Record) -> Sheet:
    counts = ("rows_read", "rows_kept", "rows_set_aside", "rows_duplicate", "rows_superseded")
    return _sheet(
        "files",
        ("file", "sha256", "kind", "format", *counts, "covers"),
        (
            (
                *(origin.file, origin.sha256, origin.kind, origin.format),
                *(getattr(origin, name) for name in counts),
                "; ".join(origin.covers),
            )
            for origin in made.origins
        ),
    )


def _table(pin_id: str, question: str, table: Table) -> Sheet:
    heads = tuple(column.name for column in table.columns)
    return Sheet(f"{question} {table.name} {pin_id}", heads, table.rows)
