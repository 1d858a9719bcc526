"""Plan the next evaluation: which tasks, runs and money would settle a pair."""

import streamlit as st

from analysis.leaderboard.result import Leaderboard
from answers.base import Answer
from answers.leaderboard_words import deciding
from data.store import Store
from ui import asking, components, sections, show

TITLE = "Plan the next evaluation"
#: Offered on the slider; the smallest step that a page of points can show.
LEAST_POINTS, MOST_POINTS = 0.5, 20.0
MOST_RUNS = 10


def planner(store: Store, board: Answer) -> None:
    """The controls at the left, what they lead to at the right."""
    result: Leaderboard = board.result
    names = {f"{pair.a} against {pair.b}": (pair.a, pair.b) for pair in result.pairs}
    if not names:
        return
    with st.container(key="planner", gap="small"):
        place = st.container()
        left, right = st.columns([1, 1.6], gap="medium")
        with left:
            asked = _controls(result, names)
        answer = asking.ask(
            store,
            "plan",
            {"benchmark": board.parameters.benchmark, "metric": board.parameters.metric, **asked},
        )
        with place:
            sections.head(store, answer, TITLE)
        with left:
            card = answer.headline
            show.html(components.answer(card.sentence))
            if card.explanation:
                show.html(components.note(card.explanation))
            show.html(f'<div class="sw">{components.facts(card.facts)}</div>')
        with right:
            sections.plots(answer.figures)
        sections.behind(answer)


def _controls(result: Leaderboard, names: dict[str, tuple[str, str]]) -> dict[str, object]:
    """Pair, gap, runs, money: what is asked of the planner."""
    settles = deciding(result)
    chosen = st.selectbox(
        "Pair to settle",
        list(names),
        index=list(names.values()).index((settles.a, settles.b)) if settles else 0,
        key="plan_pair",
        bind="query-params",
        help="The pair the verdict is about, unless you choose another",
    )
    wanted = st.slider(
        "Smallest difference worth knowing (points)",
        LEAST_POINTS,
        MOST_POINTS,
        value=min(MOST_POINTS, max(LEAST_POINTS, round(200 * result.margin) / 2)),
        step=0.5,
        format="%.1f",
        key="plan_difference",
        bind="query-params",
        help="A true gap of this size would be shown in 8 of 10 such evaluations",
    )
    runs = st.slider(
        "Runs a task",
        1,
        MOST_RUNS,
        value=_runs_today(result),
        key="plan_runs",
        bind="query-params",
    )
    cost_per_task, cost_per_run = _costs()
    a, b = names[chosen]
    return {
        "a": a,
        "b": b,
        "difference": wanted / 100,
        "runs": runs,
        "cost_per_task": cost_per_task,
        "cost_per_run": cost_per_run,
        "confidence": result.confidence,
        "comparisons": _family(result),
    }


def _runs_today(result: Leaderboard) -> int:
    runs = [score.runs_per_task for score in result.models if score.runs_per_task is not None]
    return min(MOST_RUNS, max(1, round(sum(runs) / len(runs)))) if runs else 1


def _costs() -> tuple[float | None, float | None]:
    first, second = st.columns(2)
    with first:
        task = st.number_input(
            "Cost of a new task",
            min_value=0.0,
            value=None,
            step=1.0,
            placeholder="unknown",
            key="plan_cost_task",
            bind="query-params",
            help="Money for writing or owning one more task",
        )
    with second:
        run = st.number_input(
            "Cost of a run of both",
            min_value=0.0,
            value=None,
            step=0.01,
            placeholder="as loaded",
            key="plan_cost_run",
            bind="query-params",
            help="Money for one more run of both models on one task; empty: the mean of the loaded costs, "
            "where every result has one",
        )
    return task, run


def _family(result: Leaderboard) -> int:
    if result.family_size < 2 or result.correction == "none":
        return 1
    every = st.checkbox(
        f"Allow for all {result.family_size} pairs",
        key="plan_family",
        bind="query-params",
        help="Plan for a verdict beside all others on this page, not for this pair alone",
    )
    return result.family_size if every else 1
