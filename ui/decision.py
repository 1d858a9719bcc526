"""What the Decision page draws: pins with their freshness, the options, the form and saved records."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import streamlit as st

from analysis import wording
from answers.base import Fact, Headline
from data.store import Store
from report.evidence import PinState, repin, unpin
from report.formats import export
from report.options import Board, Measure, Option, boards
from report.recommendation import Recommendation
from report.record import PROFILES, Record, record
from ui import components, show
from ui.components import Cell, Chip

OWN_WORDS = "Something else, in my words"
#: Label, file ending and media type of each document; the name is the format's.
DOCUMENTS = {
    "html": ("HTML", "text/html"),
    "md": ("Markdown", "text/markdown"),
    "json": ("JSON", "application/json"),
    "csv": ("CSV", "text/csv"),
}
_PROFILE_WORDS = {"interactive": "Interactive", "batch": "Batch", "research": "Research"}


def chips(pins: Sequence[PinState], records: Sequence[Record]) -> list[Chip]:
    """How many pins and records there are, and how many pins the data have left behind."""
    stale = sum(state.stale for state in pins)
    items = [Chip(wording.count(len(pins)), "pin" if len(pins) == 1 else "pins")]
    if stale:
        items.append(Chip(wording.count(stale), "older than the data", status="caution"))
    items.append(Chip(wording.count(len(records)), "record" if len(records) == 1 else "records"))
    return items


def recommended(made: Recommendation, pins: Sequence[PinState]) -> Headline:
    """The verdict card: what the pinned answers recommend, by the one stated rule."""
    stale = sum(state.stale for state in pins)
    fresh = "all current" if not stale else f"{wording.count(stale)} older than the data"
    facts = [Fact("Pinned answers", wording.count(len(pins))), Fact("Data", fresh)]
    if made.options:
        facts.insert(0, Fact("In front", wording.sentence_list(made.options, most=3)))
    return Headline(made.status, made.word, made.sentence, " ".join(made.conditions[:1]), tuple(facts))


def pin_table(pins: Sequence[PinState]) -> None:
    """Question, answer, finding and freshness of each pin."""
    rows = []
    for state in pins:
        headline = state.evidence.headline
        found = f"{headline.number} {headline.number_unit}".strip() or headline.sentence
        fresh = (
            f'<span class="sw-word sw-caution">{components.icon("update")}changed since</span>'
            if state.stale
            else "current"
        )
        rows.append(
            [
                Cell(state.evidence.asked),
                Cell(html=components.word(headline.status, headline.word)),
                Cell(found),
                Cell(html=fresh),
                Cell(wording.timestamp(state.evidence.pinned_at)),
            ]
        )
    show.html(
        components.figure_head("Pinned evidence")
        + components.table(("Question", "Answer", "Finding", "Data", "Pinned"), rows, "Pinned evidence")
    )


def manage(store: Store, pins: Sequence[PinState]) -> None:
    """Offer to ask the stale pins again on the data of now, and to take a pin away."""
    stale = [state for state in pins if state.stale]
    if stale:
        reasons = list(dict.fromkeys(state.reason for state in stale if state.reason))
        show.html(components.note(f"Stale: {wording.sentence_list(reasons, most=2)}."))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="pin_actions"):
        if stale and st.button(
            f"Ask {wording.plural(len(stale), 'stale pin')} again", icon=":material/update:", key="rerun_pins"
        ):
            with st.spinner("Asking again"):
                for state in stale:
                    repin(store, state.evidence.id, datetime.now(UTC))
            st.rerun()
        asked = {state.evidence.id: state.evidence.asked for state in pins}
        chosen = st.selectbox("Pin", list(asked), format_func=asked.get, key="chosen_pin", width=420)
        if st.button(
            "Take this pin away",
            icon=":material/keep_off:",
            key="unpin",
            help="Saved records keep their copy",
        ):
            unpin(store, chosen)
            st.rerun()


def option_table(board: Board) -> None:
    """The options of one pinned leaderboard with their numbers."""
    headers = ("Option", "Solved", "Interval", "Rank", "Cost per task", f"Against {board.against}")
    show.html(
        components.figure_head(f"Options on {board.benchmark}")
        + components.table(
            headers, [_option_row(option) for option in board.options], f"Options on {board.benchmark}"
        )
    )


def _option_row(option: Option) -> list[Cell]:
    measures = {measure.name: measure for measure in option.measures}
    solved, cost, difference = (measures.get(name) for name in ("solved", "cost_per_task", "difference"))
    marks = [
        word for word, holds in (("baseline", option.baseline), ("in front", option.recommended)) if holds
    ]
    half = _half(solved)
    return [
        Cell(option.name, small=", ".join(marks)),
        Cell(wording.share(solved.value, half) if solved else wording.UNKNOWN, number=True),
        Cell(wording.interval(solved.low, solved.high, "share") if solved else wording.UNKNOWN, number=True),
        Cell(wording.rank_range(option.rank_low, option.rank_high), number=True),
        Cell(wording.money(cost.value, cost.currency) if cost else wording.UNKNOWN, number=True),
        _difference_cell(difference),
    ]


def _difference_cell(measure: Measure | None) -> Cell:
    if measure is None:
        return Cell("")
    if measure.value is None:
        return Cell(measure.note or wording.UNKNOWN)
    number = wording.points_number(measure.value, _half(measure))
    return Cell(
        f"{measure.verdict} {number}",
        small=wording.interval(measure.low, measure.high, "points", signed=True, half_width=_half(measure)),
    )


def _half(measure: Measure | None) -> float | None:
    if measure is None or measure.low is None or measure.high is None:
        return None
    return (measure.high - measure.low) / 2


def form(store: Store, pins: Sequence[PinState], suggested: Sequence[str]) -> None:
    """The record form; saves a record of the choice on all pins."""
    names = list(
        dict.fromkeys(
            option.name for board in boards([state.evidence for state in pins]) for option in board.options
        )
    )
    with st.form("record", border=True):
        show.html(components.figure_head("Record the decision"))
        title = st.text_input("Question decided", value=pins[0].evidence.asked, key="record_title")
        left, right = st.columns(2)
        option = left.selectbox(
            "Chosen option",
            [*names, OWN_WORDS],
            index=names.index(suggested[0]) if len(suggested) == 1 and suggested[0] in names else None,
            placeholder="Choose an option",
            key="record_option",
        )
        choice = right.text_input(
            "Decision in words",
            placeholder="Move support tasks, keep SQL on the old model",
            help="Left empty, it reads “Use” and the option",
            key="record_choice",
        )
        reasons = st.text_area(
            "Reasons", key="record_reasons", placeholder="Why this, and what speaks against it"
        )
        by, on, profile = st.columns(3)
        decided_by = by.text_input("Decided by", key="record_by", help="Left empty, the record is a proposal")
        decided_on = on.date_input("Decided on", value=None, key="record_on", format="YYYY-MM-DD")
        used_for = profile.selectbox(
            "Used for",
            PROFILES,
            index=None,
            format_func=_PROFILE_WORDS.get,
            placeholder="Not said",
            key="record_profile",
        )
        first, second = st.columns(2)
        watch = first.text_input(
            "Watch after the switch", key="record_watch", placeholder="Success on SQL tasks, weekly"
        )
        reopen = second.text_input(
            "Open again when", key="record_reopen", placeholder="A new version of either model"
        )
        saved = st.form_submit_button(
            "Save record", type="primary", icon=":material/gavel:", key="save_record"
        )
    if not saved:
        return
    named = option if option in names else None
    made = record(
        store,
        choice.strip() or (f"Use {named}" if named else ""),
        now=datetime.now(UTC),
        title=title,
        profile=used_for,
        reasons=reasons,
        decided_by=signed(decided_by, decided_on),
        option=named,
        watch=[watch],
        reopen=[reopen],
    )
    st.toast(f"Record {made.record_id} saved.", icon=":material/gavel:")
    st.rerun()


def signed(name: str, day: date | None) -> str:
    """Who decided and when, as typed; a day alone decides nothing."""
    name = name.strip()
    return f"{name}, {wording.date(day)}" if name and day else name


def saved_record(made: Record) -> None:
    """One saved record with its documents."""
    verdict = made.verdict
    with st.container(border=True, key=f"record_{made.record_id}", gap="small"):
        who = f"decided by {made.choice.decided_by}" if made.choice.decided_by else "proposed"
        line = f"{made.record_id} · {wording.date(made.created)} · {who}"
        show.html(components.record(line, verdict.status, verdict.word, made.title, verdict.sentence))
        with st.container(horizontal=True, gap="small"):
            for format_, (label, mime) in DOCUMENTS.items():
                st.download_button(
                    f"Download {label}",
                    data=lambda format_=format_: export(made, format_),
                    file_name=f"decision-{made.record_id}.{format_}",
                    mime=mime,
                    icon=":material/download:",
                    on_click="ignore",
                    key=f"export_{made.record_id}_{format_}",
                )
