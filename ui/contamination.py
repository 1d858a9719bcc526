"""Public against private tasks: does a model stand out on what it may have seen?"""

import streamlit as st

from answers.base import Answer
from answers.loaded import Benchmark
from data.store import Store
from ui import asking, components, sections, show

LABEL = "Does a model stand out on public tasks?"


def public_private(store: Store, board: Answer, benchmark: Benchmark) -> None:
    """The comparison of two splits; nothing where the benchmark has fewer than two."""
    splits = [split for split in benchmark.splits if split]
    if len(splits) < 2:
        return
    with sections.panel(LABEL, "visibility", "public_private") as opened:
        if opened:
            _section(store, board, benchmark, splits)


def _section(store: Store, board: Answer, benchmark: Benchmark, splits: list[str]) -> None:
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        public = st.selectbox(
            "Public split",
            splits,
            index=splits.index("public") if "public" in splits else 0,
            key="split_public",
            bind="query-params",
            width=180,
            help="Tasks everyone may have seen",
        )
        private = st.selectbox(
            "Private split",
            splits,
            index=splits.index("private") if "private" in splits else len(splits) - 1,
            key="split_private",
            bind="query-params",
            width=180,
            help="Tasks nobody outside has seen, or published after a model's training",
        )
        reference = st.multiselect(
            "Models taken to be clean",
            benchmark.contenders,
            key="split_reference",
            bind="query-params",
            placeholder="All others, in turn",
            width=380,
        )
    if public == private:
        show.html(components.problem("Both splits are one.", "Choose two to compare."))
        return
    told = asking.ask(
        store,
        "contamination",
        {
            "benchmark": benchmark.name,
            "metric": board.parameters.metric,
            "public": public,
            "private": private,
            "reference": reference,
            "confidence": board.parameters.confidence,
        },
    )
    with place:
        sections.head(
            store,
            told,
            "Public against private",
            "An excess is a pattern that contamination or over-tuning would leave, never its proof.",
        )
    sections.verdict(told)
    sections.plots(told.figures, benchmark.contenders)
    sections.findings(told, "Public against private")
    sections.behind(told)
