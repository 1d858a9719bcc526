"""Filters in the sidebar: they hold for every page that obeys them and stand in the address."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from answers.loaded import Benchmark

#: Up to this many models all are shown; above, a list to search keeps the sidebar short.
MOST_PILLS = 8
_OFFERED = "models_offered"
#: Signs that start Markdown, a formula or an icon inside a line.
_MARKDOWN = re.compile(r"([\\\\`*_\[\]$~<]|:(?=[a-z]))")


@dataclass(frozen=True)
class EvalFilter:
    """What the sidebar says about eval results; ``models`` is empty where all are meant."""

    benchmark: Benchmark
    models: tuple[str, ...]


def eval_filter(benchmarks: Sequence[Benchmark]) -> EvalFilter:
    """Draw the filters of the evals pages: benchmark and models."""
    with st.sidebar:
        st.header("Filters", anchor=False)
        names = {benchmark.name: benchmark for benchmark in benchmarks}
        asked = st.query_params.get("benchmark")
        chosen = names[
            st.selectbox(
                "Benchmark",
                list(names),
                key="benchmark",
                bind="query-params",
                on_change=_forget_models,
                help="One set of tasks; its files can be many",
            )
        ]
        picked = EvalFilter(chosen, _models(chosen.contenders))
    if asked is not None and asked not in names:
        st.warning(
            inert(f"The address asks for {asked}, which is not loaded. This is {chosen.name}."),
            icon=":material/warning:",
        )
    return picked


def inert(text: str) -> str:
    """A name from a file as plain text where Streamlit would read Markdown."""
    return _MARKDOWN.sub(r"\\\1", text)


def _models(contenders: tuple[str, ...]) -> tuple[str, ...]:
    before = st.session_state.get(_OFFERED, contenders)
    if before != contenders and set(st.session_state.get("models") or ()) >= set(before):
        # All were meant; an import that adds a model must not leave it out unseen.
        st.session_state.pop("models", None)
    st.session_state[_OFFERED] = contenders
    if len(contenders) <= MOST_PILLS:
        chosen = st.pills(
            "Models",
            contenders,
            default=contenders,
            selection_mode="multi",
            key="models",
            bind="query-params",
            format_func=inert,
            help="None chosen means all",
        )
    else:
        chosen = st.multiselect(
            "Models",
            contenders,
            key="models",
            bind="query-params",
            placeholder=f"All {len(contenders)} models",
            help="None chosen means all",
        )
    picked = tuple(name for name in contenders if name in chosen)
    return () if len(picked) == len(contenders) else picked


def _forget_models() -> None:
    """Another benchmark has other models; a choice among the old ones would leave a hidden part of it."""
    for key in ("models", "baseline", "pair"):
        st.session_state.pop(key, None)
