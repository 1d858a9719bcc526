"""Published scores: what gap between them could be noise, and whether own results agree."""

import streamlit as st

from analysis import wording
from answers.loaded import ScoreSet, score_sets
from data.store import Store
from ui import asking, components, sections, show

NOBODY = "No pair"


def published(store: Store, benchmark: str | None, margin: float = 0.02, confidence: float = 0.95) -> bool:
    """The section on published scores, of ``benchmark`` at first; False where none are loaded."""
    sets = {one.benchmark: one for one in score_sets(store)}
    if not sets:
        return False
    total = wording.plural(sum(one.scores for one in sets.values()), "published score")
    with sections.panel(f"How far can {total} be trusted?", "menu_book", "published") as opened:
        if opened:
            _section(store, sets, benchmark, {"margin": margin, "confidence": confidence})
    return True


def _section(
    store: Store, sets: dict[str, ScoreSet], benchmark: str | None, settings: dict[str, float]
) -> None:
    place = st.container()
    told = asking.ask(store, "scores", {**_controls(sets, benchmark), **settings})
    with place:
        sections.head(store, told, "Published scores", "Numbers others published, without results by task.")
    against = [item for item in told.findings if item.status == "bad"]
    if against:
        show.html(components.findings(against, label="Contradicted by your own results"))
    sections.verdict(told)
    sections.plots(told.figures, sets[told.parameters.benchmark].models)
    rest = [item for item in told.findings if item.status != "bad"]
    if rest:
        show.html(components.findings(rest, label="What the published scores rest on"))
    sections.behind(told)


def _controls(sets: dict[str, ScoreSet], benchmark: str | None) -> dict[str, object]:
    names = list(sets)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = names[0]
        if len(names) > 1:
            name = st.selectbox(
                "Scores on",
                names,
                index=names.index(benchmark) if benchmark in sets else 0,
                key="scores_on",
                bind="query-params",
                width=240,
            )
        chosen = sets[name]
        metric = None
        if len(chosen.metrics) > 1:
            metric = st.selectbox(
                "Metric", chosen.metrics, key="scores_metric", bind="query-params", width=160
            )
        first = st.selectbox(
            "Model", (NOBODY, *chosen.models), key="scores_a", bind="query-params", width=240
        )
        second = None
        if first != NOBODY:
            second = st.selectbox(
                "Against",
                chosen.models,
                index=1 if chosen.models[0] == first and len(chosen.models) > 1 else 0,
                key="scores_b",
                bind="query-params",
                width=240,
            )
        tasks = None
        if chosen.unknown_tasks:
            tasks = st.number_input(
                "Tasks of the benchmark",
                min_value=1,
                value=None,
                step=1,
                placeholder="unknown",
                key="scores_tasks",
                bind="query-params",
                width=190,
                help=f"{wording.plural(chosen.unknown_tasks, 'score')} came without one; without it, what "
                "could be noise is unknown",
            )
    if second == first:
        second = None
    correlation = 0.0
    if second is not None:
        correlation = st.slider(
            "Correlation of the two over tasks",
            -0.5,
            0.95,
            value=0.0,
            step=0.05,
            key="scores_correlation",
            bind="query-params",
            width=420,
            help="0 is careful; on shared tasks it is usually above 0, which narrows the interval",
        )
    return {
        "benchmark": name,
        "metric": metric,
        "a": None if second is None else first,
        "b": second,
        "tasks": tasks,
        "correlation": correlation,
    }
