"""How much of a score is luck of the run: pass^k of one model, folded away on the Leaderboard."""

import streamlit as st

from answers.base import Answer
from data.store import Store
from ui import asking, components, show


def run_noise(store: Store, answer: Answer) -> None:
    """One model's runs, where tasks ran more than once; computed when the person opens it."""
    if answer.result.runs <= 1:
        return
    panel = st.expander(
        "Does a model solve a task in every run?",
        icon=":material/replay:",
        key="run_noise",
        on_change="rerun",
    )
    if not panel.open:
        return
    with panel:
        model = st.selectbox(
            "Model",
            [score.model for score in answer.result.models],
            key="noise_model",
            persist_state="session",
            width=360,
        )
        parameters = answer.parameters
        told = asking.ask(
            store,
            "reliability",
            {"benchmark": parameters.benchmark, "model": model, "metric": parameters.metric},
        )
        show.html(components.answer(told.headline.sentence))
        show.html(components.findings(told.findings, label="Run noise"))
        for table in told.tables:
            show.frame_of(table, key=f"noise_{table.name}")
            show.download(table, key=f"noise_{table.name}")
