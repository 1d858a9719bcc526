"""Your own mix of domains: weights, who is ahead under them, and what would turn the order."""

import pandas as pd
import streamlit as st

from analysis import wording
from analysis.leaderboard.mix import Mix
from answers.base import Answer, Table
from answers.loaded import domain_tasks
from data.store import Store
from ui import asking, components, sections, show
from ui.components import Cell

LABEL = "Who is ahead on your own mix of work?"
#: Domains up to here have a field each, whose value stands in the address; more have a table.
MOST_FIELDS = 12


def own_mix(store: Store, board: Answer, models: tuple[str, ...]) -> None:
    """The editor of weights and what they lead to; nothing where the benchmark has fewer than two domains."""
    tasks = domain_tasks(store, board.parameters.benchmark, board.parameters.metric)
    if len(tasks) < 2:
        return
    with sections.panel(LABEL, "tune", "own_mix") as opened:
        if opened:
            _section(store, board, tasks, models)


def _section(store: Store, board: Answer, tasks: dict[str, int], models: tuple[str, ...]) -> None:
    place = st.container()
    weights = _editor(tasks)
    if not sum(weights.values()):
        show.html(components.problem("Every weight is 0.", "Give one domain a weight above 0."))
        return
    parameters = board.parameters
    told = asking.ask(
        store,
        "mix",
        {
            "benchmark": parameters.benchmark,
            "metric": parameters.metric,
            "model": parameters.model,
            "margin": parameters.margin,
            "confidence": parameters.confidence,
            "weight": [f"{domain}={weight:g}" for domain, weight in weights.items()],
        },
    )
    with place:
        sections.head(store, told, "Your own mix", "Weights in any unit: share of traffic, tickets or spend.")
    sections.verdict(told)
    sections.plots(told.figures, models)
    _bounds(told.result)
    _map(told)
    sections.findings(told, "What the mix rests on")
    sections.behind(told)


def _editor(tasks: dict[str, int]) -> dict[str, float]:
    """A weight for each domain, today's share of tasks at first, and the weights normalised."""
    total = sum(tasks.values())
    if len(tasks) <= MOST_FIELDS:
        weights = _fields({domain: round(100 * count / total, 1) for domain, count in tasks.items()}, tasks)
    else:
        weights = _table(tasks)
    whole = sum(weights.values())
    if whole:
        parts = [f"{domain} {wording.share(weight / whole)}" for domain, weight in weights.items() if weight]
        show.html(components.note(f"Your mix: {wording.sentence_list(parts, most=6)}."))
    return weights


def _fields(first: dict[str, float], tasks: dict[str, int]) -> dict[str, float]:
    with st.container(horizontal=True, vertical_alignment="bottom", key="mix_weights"):
        return {
            domain: st.number_input(
                domain,
                min_value=0.0,
                value=weight,
                step=5.0,
                format="%.1f",
                key=f"mix_{domain}",
                bind="query-params",
                width=150,
                help=f"{wording.plural(tasks[domain], 'task')} of this benchmark",
            )
            for domain, weight in first.items()
        }


def _table(tasks: dict[str, int]) -> dict[str, float]:
    counts = list(tasks.values())
    frame = pd.DataFrame({"Domain": list(tasks), "Tasks": counts, "Weight": [float(n) for n in counts]})
    edited = st.data_editor(
        frame,
        hide_index=True,
        disabled=("Domain", "Tasks"),
        column_config={"Weight": st.column_config.NumberColumn(min_value=0.0, required=True)},
        key="mix_table",
        alt="Weight of each domain",
    )
    return {
        str(domain): max(0.0, float(weight)) if pd.notna(weight) else 0.0
        for domain, weight in zip(edited["Domain"], edited["Weight"], strict=True)
    }


def _bounds(result: Mix) -> None:
    """Bounds in place of scores while a part of the mix is untested."""
    if result.uncovered <= 0:
        return
    rows = [
        [Cell(score.model), Cell(f"{wording.interval(score.least, score.most, 'share')}%", number=True)]
        for score in result.models
    ]
    show.html(components.table(("Model", "Solved of your mix, bounds"), rows, label="Bounds on your mix"))


def _map(told: Answer) -> None:
    """Who is ahead how often, from a firm mix to a loose one."""
    table: Table | None = next((table for table in told.tables if table.name == "winner_map"), None)
    if table is None:
        return
    draws = told.payload["winner_map"]["draws"]
    rows = [
        [
            Cell(str(name)),
            *(Cell(wording.share_of_draws(int(count), draws), number=True) for count in counts),
        ]
        for name, *counts in table.rows
    ]
    show.html(
        components.figure_head(
            "Who is ahead if the mix is only roughly known",
            "Share of draws in which a model is ahead of all others; mixes are drawn around yours, scores "
            "within their errors.",
        )
        + components.table([column.label for column in table.columns], rows, label="Ahead of all others")
    )
