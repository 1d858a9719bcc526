"""The button that pins an answer to the decision."""

from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from answers.base import Answer
from answers.parameters import as_dict
from data.store import Store
from report import canonical
from report.evidence import PinState, list_pins, pin


def pinned_as(store: Store, answer: Answer) -> PinState | None:
    """The pin of this question with these parameters, or None."""
    parameters = canonical.plain(as_dict(answer.parameters))
    for state in list_pins(store):
        if state.evidence.question == answer.question and state.evidence.parameters == parameters:
            return state
    return None


def pin_button(place: DeltaGenerator, store: Store, answer: Answer, state: PinState | None) -> None:
    """Draw the button for ``state``: pin, pinned, or pin again where the data have changed since."""
    key = f"pin_{answer.question}"
    if state is not None and not state.stale:
        place.button(
            "Pinned",
            icon=":material/check:",
            key=key,
            disabled=True,
            help="Decision has this answer",
        )
        return
    label, icon = ("Pin to decision", "keep") if state is None else ("Pin again", "update")
    if place.button(label, icon=f":material/{icon}:", key=key, help="Keep it as evidence for a decision"):
        pin(store, answer, datetime.now(UTC))
        st.toast("Pinned. The Decision page has it.", icon=":material/keep:")
        st.rerun()
