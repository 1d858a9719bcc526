"""How much of a score is luck of the run: one model run by run, and two models compared in it."""

import streamlit as st

from analysis import wording
from analysis.leaderboard.result import Leaderboard, ModelScore
from answers.base import Answer
from data.store import Store
from ui import asking, components, sections, show
from ui.components import Cell, Figure

LABEL = "Does a model solve a task in every run?"
NOBODY = "Nobody"


def run_noise(store: Store, board: Answer) -> None:
    """One model's runs, computed when the section is opened; a sentence where every task ran once."""
    result: Leaderboard = board.result
    if not result.models:
        return
    if result.runs <= 1:
        show.html(
            components.note("Run noise is unknown: each task ran once. Two runs of some tasks would show it.")
        )
        return
    with sections.panel(LABEL, "replay", "run_noise") as opened:
        if opened:
            _section(store, board, result)


def _section(store: Store, board: Answer, result: Leaderboard) -> None:
    names = [score.model for score in result.models]
    place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.selectbox("Model", names, key="noise_model", bind="query-params", width=300)
        other = st.selectbox(
            "Steadier than",
            (NOBODY, *names),
            key="noise_other",
            bind="query-params",
            width=300,
            help="Compares how much two models vary between runs of one task",
        )
    asked = {"benchmark": board.parameters.benchmark, "metric": board.parameters.metric}
    told = asking.ask(store, "reliability", {**asked, "model": model})
    with place:
        sections.head(store, told, f"Run noise of {model}", told.headline.sentence)
    left, right = st.columns([1, 1.4], gap="medium")
    with left:
        show.html(components.kpis(split(told)))
    with right:
        sections.plots(told.figures)
    show.html(estimands(next(score for score in result.models if score.model == model)))
    sections.findings(told, "Run noise")
    if other not in (NOBODY, model):
        compared = asking.ask(store, "consistency", {**asked, "a": model, "b": other})
        sections.head(store, compared, compared.headline.sentence, _facts(compared))
        sections.findings(compared, "Consistency")
    sections.behind(told)


def _facts(answer: Answer) -> str:
    return " · ".join(f"{fact.label}: {fact.value}" for fact in answer.headline.facts)


def split(told: Answer) -> tuple[Figure, ...]:
    """How the variance of one run divides, and how far whole runs move."""
    within, between = told.payload["within"], told.payload["between"]
    means = [run["mean"] for run in told.payload["run_means"]]
    figures = [
        Figure(
            "Tasks that flip", wording.share(told.payload["flip_share"]), "solved in some runs, not in all"
        )
    ]
    if within is not None and between is not None and within + between > 0:
        share = wording.share(within / (within + between))
        figures.append(Figure("Luck of the run", share, "of one run's variance; the rest is between tasks"))
    if len(means) > 1:
        ends = wording.interval(min(means), max(means), "share")
        figures.append(Figure("Whole runs score", f"{ends}%", f"over {wording.plural(len(means), 'run')}"))
    return tuple(figures)


def estimands(score: ModelScore) -> str:
    """The two questions a score answers, side by side."""
    solved = wording.share(score.mean, score.se)
    rows = (
        ("New tasks like these", solved, wording.points(score.se, score.se)),
        ("These tasks, run again", solved, wording.points(score.se_rerun, score.se_rerun)),
    )
    return components.table(
        ("Score for", "Solved", "Standard error"),
        [[Cell(name), Cell(value, number=True), Cell(error, number=True)] for name, value, error in rows],
        label="What the score is for",
    )
