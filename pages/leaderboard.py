"""Leaderboard: which model solves more tasks, and which of the differences the data can show."""

import streamlit as st

from answers.loaded import benchmarks
from ui import asking, below, empty, filters, holder, leaderboard, navigation, pair, pinning, show

navigation.guard()
store = holder.store()
actions = show.title_row("Leaderboard")
loaded = benchmarks(store)
if not loaded:
    if not below.without_results(store):
        empty.evals(
            store, "This page tells which model solves more of your tasks, and where the data cannot tell."
        )
    st.stop()

chosen = filters.eval_filter(loaded)
top, controls, rest = st.container(), st.container(), st.container()
with controls:
    settings = leaderboard.controls(chosen)
with top.skeleton(height=420):
    answer = asking.ask(
        store, "leaderboard", {"benchmark": chosen.benchmark.name, "model": chosen.models, **settings}
    )
pinned = pinning.pinned_as(store, answer)
pinning.pin_button(actions, store, answer, pinned)

with top:
    show.chips(leaderboard.chips(answer, chosen.benchmark, pinned))
    leaderboard.changes(answer)
    show.verdict(answer.headline)
    leaderboard.scores(answer, chosen.benchmark)
with rest:
    picked = leaderboard.pairs(answer)
    if picked is not None:
        pair.pair_detail(store, answer, picked)
    below.below_pairs(store, answer, chosen.benchmark, loaded)
    show.findings(answer.findings)
    show.table_twin(answer.tables, key="leaderboard")
    show.method_note(answer, leaderboard.formulas)
    show.provenance(answer.sources)
