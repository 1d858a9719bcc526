"""What the Overview page draws: where the decision stands, a card a question, what is still missing."""

from collections.abc import Sequence

import streamlit as st

from analysis import wording
from analysis.results import Finding
from answers.base import Answer, Fact, Headline
from data.importing.staged import BatchReport
from report.evidence import PinState
from report.record import Record
from ui import components, navigation, show
from ui.components import Cell, Chip

#: Benchmarks that get a card of their own; the rest are named.
MOST_CARDS = 5


def chips(batches: Sequence[BatchReport], tasks: int) -> list[Chip]:
    """How much is loaded, and how fresh it is."""
    rejected = sum(batch.rejected for batch in batches)
    items = [
        Chip(wording.count(len(batches)), "file" if len(batches) == 1 else "files"),
        Chip(wording.count(sum(batch.loaded for batch in batches)), "rows"),
        Chip(wording.count(tasks), "task" if tasks == 1 else "tasks"),
        Chip(wording.date(max(batch.imported_at for batch in batches)), lead="loaded to"),
    ]
    if rejected:
        items.append(Chip(wording.count(rejected), "rows set aside", status="caution"))
    return items


def standing(answers: Sequence[Answer], pins: Sequence[PinState], records: Sequence[Record]) -> Headline:
    """Where the decision stands before anything is pinned: the first open question, and the next step."""
    settled = sum(answer.headline.status in ("good", "bad", "caution") for answer in answers)
    return Headline(
        status=answers[0].headline.status,
        word=answers[0].headline.word,
        sentence=answers[0].headline.sentence,
        explanation=answers[0].headline.explanation,
        facts=(
            Fact("Answered", f"{settled} of {len(answers)}"),
            Fact("Pinned evidence", wording.count(len(pins))),
            Fact("Next", next_step(answers, pins, records)),
        ),
    )


def next_step(answers: Sequence[Answer], pins: Sequence[PinState], records: Sequence[Record]) -> str:
    """The one thing to do now."""
    if not answers:
        return "load eval results"
    if any(state.stale for state in pins):
        return "ask the stale pins again"
    if not pins:
        return "pin an answer"
    return "export the record" if records else "record the decision"


def checklist(
    answers: Sequence[Answer], pins: Sequence[PinState], records: Sequence[Record]
) -> tuple[Finding, ...]:
    """What a decision needs, done or missing."""
    steps = (
        (bool(answers), "Eval results loaded"),
        (any(answer.headline.status != "unknown" for answer in answers), "Two models compared"),
        (bool(pins) and not any(state.stale for state in pins), "Evidence pinned and current"),
        (bool(records), "Decision recorded"),
    )
    return tuple(Finding("good" if done else "unknown", words) for done, words in steps)


def cards(
    answers: Sequence[Answer], pins: Sequence[PinState], records: Sequence[Record], unshown: int
) -> None:
    """A card for each answered question, and what is missing before a decision."""
    with st.grid(3, min_column_width=300, border=True, key="grid_cards") as grid:
        for answer in answers:
            with grid.cell():
                show.html(components.question(answer.asked, answer.headline))
                st.page_link(
                    navigation.page("leaderboard"),
                    label="Open Leaderboard",
                    icon=":material/arrow_forward:",
                    query_params={"benchmark": answer.payload["benchmark"]},
                )
        with grid.cell():
            show.html(components.checklist("Before you decide", checklist(answers, pins, records)))
            st.page_link(navigation.page("decision"), label="Open Decision", icon=":material/arrow_forward:")
    if unshown:
        show.html(
            components.note(f"{wording.plural(unshown, 'more benchmark')}: choose it on the Leaderboard.")
        )


def loaded(batches: Sequence[BatchReport]) -> None:
    """Files, newest first."""
    rows = [
        [
            Cell(batch.file, small=f"SHA-256 {wording.short_hash(batch.sha256)}"),
            Cell(show.read_as(batch.kind, batch.format)),
            Cell(wording.count(batch.loaded), number=True),
            Cell(wording.count(batch.rejected), number=True),
            Cell(wording.timestamp(batch.imported_at)),
        ]
        for batch in list(reversed(batches))[: show.MOST_TABLE_ROWS]
    ]
    show.html(
        components.figure_head("What is loaded")
        + components.table(
            ("File", "Recognised as", "Rows kept", "Set aside", "Imported"), rows, label="What is loaded"
        )
    )
