"""Pages with nothing to show yet: what they do, what they need, and one click to see them work."""

from typing import Literal

import streamlit as st

from data.importing import canonical_fields, template
from data.sample import load_sample
from data.store import Store
from ui import components, navigation, show
from ui.components import Cell

#: Columns worth knowing before a first upload; the template has all of them.
_FIRST_COLUMNS = ("benchmark", "task_id", "model", "passed", "score", "run", "cluster_id", "domain")


def evals(store: Store, does: str) -> None:
    """The empty state of a page that reads eval results; ``does`` is one sentence about the page."""
    show.html(
        components.empty(
            does, "It needs eval results: one row for each task, model and run. Nothing is loaded yet."
        )
    )
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        show.html(
            components.table(
                ("Column", "Needed", "Means", "Example"), _columns(), label="Columns of eval results"
            )
        )
    with right:
        sample_button(store)
        if st.button("Upload a file", icon=":material/upload_file:", width="stretch", key="empty_upload"):
            st.switch_page(navigation.page("data"))
        template_button()
        show.html(
            components.note(
                "Sample data: five made-up models on 200 tasks. The Data page removes them with one click."
            )
        )


def _columns() -> list[list[Cell]]:
    fields = {field.name: field for field in canonical_fields("evals")}
    return [
        [
            Cell(fields[name].name),
            Cell(fields[name].needed),
            Cell(fields[name].meaning),
            Cell(fields[name].example),
        ]
        for name in _FIRST_COLUMNS
        if name in fields
    ]


def sample_button(store: Store) -> None:
    """Load the sample data and draw the page again with it."""
    if st.button(
        "Load sample data", icon=":material/science:", type="primary", width="stretch", key="load_sample"
    ):
        with st.spinner("Loading sample data"):
            load_sample(store)
        st.toast("Sample data loaded.", icon=":material/science:")
        st.rerun()


def template_button(width: Literal["stretch", "content"] = "stretch") -> None:
    """A file with the header of eval results and one example row."""
    st.download_button(
        "Download a template (CSV)",
        data=lambda: template("evals"),
        file_name="evals_template.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        width=width,
        key="evals_template",
    )


def decision() -> None:
    """The Decision page before anything is pinned."""
    show.html(
        components.empty(
            "This page turns pinned answers into a decision with its document.",
            "It needs a pinned answer: open the Leaderboard and press “Pin to decision”.",
        )
    )
    st.page_link(navigation.page("leaderboard"), label="Open Leaderboard", icon=":material/arrow_forward:")
