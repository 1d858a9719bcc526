"""Overview: what is loaded, what it answers so far, what a decision still misses, and the next step."""

import streamlit as st

from answers.loaded import benchmarks
from data.batches import list_batches
from report.evidence import list_pins
from report.options import boards
from report.recommendation import recommend
from report.record import list_records
from ui import asking, decision, empty, holder, navigation, overview, show

navigation.guard()
store = holder.store()
loaded = benchmarks(store)
batches = list_batches(store)
if not loaded:
    show.title_row("Which model should we run?")
    empty.evals(
        store, "Switchover tells which model to run, from your own results, with evidence you can hand on."
    )
    if batches:
        overview.loaded(batches)
    st.stop()

pins, records = list_pins(store), list_records(store)
title, body = st.container(), st.container()
with body.skeleton(height=420):
    answers = [
        asking.ask(store, "leaderboard", {"benchmark": found.name}) for found in loaded[: overview.MOST_CARDS]
    ]
with title:
    show.title_row(pins[0].evidence.asked if pins else answers[0].asked)
with body:
    show.chips(overview.chips(batches, sum(found.tasks for found in loaded)))
    if pins:
        found = boards([state.evidence for state in pins])
        show.verdict(decision.recommended(recommend(pins, found), pins))
    else:
        show.verdict(overview.standing(answers, pins, records))
    overview.cards(answers, pins, records, unshown=len(loaded) - len(answers))
    overview.loaded(batches)
