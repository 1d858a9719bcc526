"""Decision: pinned evidence, what it recommends, the choice made on it, and its documents."""

import streamlit as st

from report.evidence import list_pins
from report.options import boards
from report.recommendation import recommend
from report.record import list_records
from ui import components, decision, empty, holder, navigation, show

navigation.guard()
store = holder.store()
show.title_row("Decision")
pins = list_pins(store)
records = list_records(store)
if not pins and not records:
    empty.decision()
    st.stop()

show.chips(decision.chips(pins, records))
if pins:
    found = boards([state.evidence for state in pins])
    made = recommend(pins, found)
    show.verdict(decision.recommended(made, pins))
    decision.pin_table(pins)
    decision.manage(store, pins)
    for board in boards([state.evidence for state in pins], recommended=made.options):
        decision.option_table(board)
    decision.form(store, pins, made.options)
    show.rule(made.rule)
if records:
    show.html(components.figure_head("Saved records"))
    for record in reversed(records):
        decision.saved_record(record)
