"""The parts screens are made of, as pure functions from values to HTML text.

Everything that may come from a file is escaped here and nowhere else. Classes start with ``sw-`` and are
drawn by ``ui/style.css``; every block stands in a ``div.sw`` so that its rules outweigh the frame's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from analysis.results import Finding, Status, ordered
from analysis.wording import UNKNOWN
from answers.base import Fact, Headline
from charts.theme import VERDICT


@dataclass(frozen=True)
class Chip:
    """A fact about the data: a number in bold, words, and a fill only where it is a problem."""

    number: str = ""
    text: str = ""
    lead: str = ""  # words before the number, as in "data to 29 Nov 2026"
    status: Literal["", "caution", "bad"] = ""


@dataclass(frozen=True)
class Figure:
    """One cell of a KPI strip."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class Step:
    """One segment of a track."""

    name: str
    state: str
    stage: Literal["done", "now", "later"]


@dataclass(frozen=True)
class Cell:
    """A cell of an HTML table. ``html`` is trusted and wins over ``text``."""

    text: str = ""
    small: str = ""  # second line, muted
    html: str = ""
    number: bool = False


def block(inner: str) -> str:
    """A block of own HTML."""
    return f'<div class="sw">{inner}</div>'


def icon(name: str) -> str:
    """An icon of the bundled font; it never carries meaning alone."""
    return f'<span class="sw-icon" aria-hidden="true">{escape(name)}</span>'


def _sign(status: Status, words: str = "") -> str:
    return f"{icon(VERDICT[status].icon)}{escape(words or VERDICT[status].word)}"


def word(status: Status, words: str = "") -> str:
    """A verdict inside a table's cell: icon and word in its colour."""
    return f'<span class="sw-word sw-{status}">{_sign(status, words)}</span>'


def facts(items: Sequence[Fact]) -> str:
    """Labels with values as a description list."""
    if not items:
        return ""
    inner = "".join(
        f"<div><dt>{escape(item.label)}</dt><dd>{escape(item.value)}</dd></div>" for item in items
    )
    return f'<dl class="sw-facts">{inner}</dl>'


def verdict(headline: Headline, label: str = "Verdict") -> str:
    """The verdict card. ``label`` names the region and is unique on a page."""
    why = f"<p>{escape(headline.explanation)}</p>" if headline.explanation else ""
    return block(
        f'<section class="sw-verdict sw-{headline.status}" aria-label="{escape(label)}">'
        f'<p class="sw-word">{_sign(headline.status, headline.word)}</p>'
        f'<p class="sw-sentence">{escape(headline.sentence)}</p>{why}{facts(headline.facts)}</section>'
    )


def chips(items: Sequence[Chip]) -> str:
    """A row of chips."""
    return block(f'<ul class="sw-chips">{"".join(_chip(item) for item in items)}</ul>')


def _chip(item: Chip) -> str:
    fill = f' class="sw-{item.status}"' if item.status else ""
    parts = (escape(item.lead), f"<b>{escape(item.number)}</b>" if item.number else "", escape(item.text))
    return f"<li{fill}>{' '.join(part for part in parts if part)}</li>"


def kpis(figures: Sequence[Figure]) -> str:
    """A strip of at most five figures."""
    cells = "".join(
        f"<div><dt>{escape(figure.label)}</dt><dd>{escape(figure.value)}</dd>"
        f'<dd class="sw-note">{escape(figure.note)}</dd></div>'
        for figure in figures
    )
    return block(f'<dl class="sw-kpis">{cells}</dl>')


def track(steps: Sequence[Step], label: str) -> str:
    """Stages in order: done, now, later."""
    looks = {"done": ' class="sw-done"', "now": ' class="sw-now" aria-current="step"', "later": ""}
    items = "".join(
        f"<li{looks[step.stage]}><b>{icon('check') if step.stage == 'done' else f'{number} '}"
        f"{escape(step.name)}</b><span>{escape(step.state)}</span></li>"
        for number, step in enumerate(steps, start=1)
    )
    return block(f'<ol class="sw-track" aria-label="{escape(label)}">{items}</ol>')


def findings(items: Sequence[Finding], label: str = "Findings") -> str:
    """Findings in the order that matters for a decision: bad first."""
    rows = []
    for item in ordered(tuple(items)):
        reason = f'<p class="sw-reason">{escape(item.reason)}</p>' if item.reason else ""
        rows.append(
            f'<li class="sw-{item.status}"><p class="sw-word">{_sign(item.status)}</p>'
            f"<div><p>{escape(item.text)}</p>{reason}</div></li>"
        )
    return block(f'<ul class="sw-findings" aria-label="{escape(label)}">{"".join(rows)}</ul>')


def question(asked: str, headline: Headline) -> str:
    """The inside of a question card on Overview; the link below it is drawn by the page."""
    figure = f'<p class="sw-figure">{escape(headline.number)}</p>' if headline.number else ""
    unit = f'<p class="sw-unit">{escape(headline.number_unit)}</p>' if headline.number_unit else ""
    return (
        f'<div class="sw sw-card"><p class="sw-question">{escape(asked)}</p>'
        f'<p class="sw-word sw-{headline.status}">{_sign(headline.status, headline.word)}</p>{figure}{unit}'
        f"{interval_strip(headline)}<p>{escape(headline.sentence)}</p></div>"
    )


def checklist(title: str, items: Sequence[Finding]) -> str:
    """The inside of a card that lists what is done and what is missing."""
    rows = "".join(
        f'<li class="sw-{item.status}"><p class="sw-word">'
        f"{_sign(item.status, 'Done' if item.status == 'good' else 'Missing')}</p>"
        f"<div><p>{escape(item.text)}</p></div></li>"
        for item in items
    )
    return (
        f'<div class="sw sw-card"><p class="sw-question">{escape(title)}</p>'
        f'<ul class="sw-findings" aria-label="{escape(title)}">{rows}</ul></div>'
    )


def interval_strip(headline: Headline) -> str:
    """An estimate, its interval and a mark on one line; positions are shares of the width."""
    strip = headline.strip
    if strip is None:
        return ""
    label = f"{headline.number} {headline.number_unit}; mark: {strip.mark_words}"
    left = min(strip.low, strip.mark)
    span = max(strip.high, strip.mark) - left
    pad = 0.15 * span or 1.0

    def place(value: float) -> str:
        return f"{100 * (value - left + pad) / (span + 2 * pad):.2f}%"

    places = (
        f"--low:{place(strip.low)};--high:{place(strip.high)};"
        f"--dot:{place(strip.estimate)};--mark:{place(strip.mark)}"
    )
    return (
        f'<div class="sw-strip sw-{headline.status}" role="img" aria-label="{escape(label)}" '
        f'style="{places}"><i class="sw-range"></i><i class="sw-tick"></i><i class="sw-dot"></i></div>'
        f'<p class="sw-unit">mark: {escape(strip.mark_words)}</p>'
    )


def problem(sentence: str, reason: str = "") -> str:
    """One thing that went wrong, as a finding."""
    return findings([Finding("bad", sentence, reason)], label="Problem")


def recognised(status: Status, name: str, by: str) -> str:
    """What a file was recognised as, and by what."""
    return (
        f'<div class="sw sw-card"><p class="sw-question">What it is</p>'
        f'<p class="sw-word sw-{status}">{_sign(status, name)}</p><p>{escape(by)}</p></div>'
    )


def record(line: str, status: Status, words: str, title: str, sentence: str) -> str:
    """The head of a saved decision: where and when, verdict, what was decided."""
    return (
        f'<div class="sw sw-card"><p class="sw-question">{escape(line)}</p>'
        f'<p class="sw-word sw-{status}">{_sign(status, words)}</p>'
        f'<p class="sw-title">{escape(title)}</p><p>{escape(sentence)}</p></div>'
    )


def figure_head(title: str, subtitle: str = "") -> str:
    """Title and subtitle above a figure: what it shows, and what is drawn in which unit."""
    below = f'<p class="sw-subtitle">{escape(subtitle)}</p>' if subtitle else ""
    return block(f'<h2 class="sw-title">{escape(title)}</h2>{below}')


def note(words: str) -> str:
    """One muted line."""
    return block(f'<p class="sw-provenance">{escape(words)}</p>')


def answer(words: str) -> str:
    """The sentence a control answers with."""
    return block(f'<p class="sw-answer">{escape(words)}</p>')


def empty(sentence: str, needs: str) -> str:
    """The box of a page that has nothing to show: what it does, and what it needs."""
    return block(
        '<section class="sw-empty" aria-label="What this page needs">'
        f'<p class="sw-sentence">{escape(sentence)}</p><p>{escape(needs)}</p></section>'
    )


def table(headers: Sequence[str], rows: Sequence[Sequence[Cell]], label: str) -> str:
    """A small table; the first cell of a row is its header. ``label`` names it for screen readers.

    A column whose cells are numbers is set to the right with its header.
    """
    numeric = [bool(rows) and all(row[at].number for row in rows) for at in range(len(headers))]
    head = "".join(
        f'<th scope="col"{_look(number)}>{escape(header)}</th>'
        for header, number in zip(headers, numeric, strict=True)
    )
    body = "".join(f"<tr>{''.join(_cell(cell, at) for at, cell in enumerate(row))}</tr>" for row in rows)
    return block(
        f'<div class="sw-scroll" tabindex="0" role="region" aria-label="{escape(label)}">'
        f'<table class="sw-table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _look(number: bool) -> str:
    return ' class="sw-number"' if number else ""


def _cell(cell: Cell, at: int) -> str:
    inner = cell.html or escape(cell.text)
    if cell.text == UNKNOWN:
        inner = f'<span class="sw-missing">{UNKNOWN}</span>'
    if cell.small:
        inner += f"<small>{escape(cell.small)}</small>"
    if at == 0:
        return f'<th scope="row"{_look(cell.number)}>{inner}</th>'
    return f"<td{_look(cell.number)}>{inner}</td>"
