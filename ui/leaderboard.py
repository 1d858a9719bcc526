"""What the Leaderboard page draws: its controls, its facts, the forest plot and the pairwise matrix."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from analysis import wording
from analysis.figures import Forest, PairMatrix
from analysis.leaderboard.result import Leaderboard
from answers.base import Answer, Table
from answers.leaderboard import LeaderboardParameters
from answers.loaded import Benchmark
from answers.parameters import specifications
from report.evidence import PinState
from ui import components, frame, matrix, show
from ui.components import Cell, Chip
from ui.filters import EvalFilter

#: More columns than this need a choice, which starts with as many as fit beside each other.
MOST_COLUMNS = 8
FITTING_COLUMNS = 6
EVERY_PAIR = "Every pair"

_BY = {"cluster": "Cluster", "task": "Task"}
_CORRECTION = {"max-t": "All at once (max-t)", "holm": "One by one (Holm)", "none": "None"}
_MISSING = {"absent": "Left out", "fail": "Failed"}
_CONFIDENCE = (0.9, 0.95, 0.99)
_HELP = {spec.name: spec.help for spec in specifications(LeaderboardParameters)}


def controls(chosen: EvalFilter) -> dict[str, Any]:
    """The settings of the comparison, in one row below the scores they change; all stand in the address."""
    contenders = chosen.models or chosen.benchmark.contenders
    with st.container(horizontal=True, vertical_alignment="bottom", key="comparison"):
        baseline = st.selectbox(
            "Baseline",
            (EVERY_PAIR, *contenders),
            key="baseline",
            bind="query-params",
            width=190,
            help="Compare every model with one, or each with each. Fewer pairs, narrower intervals.",
        )
        margin = st.number_input(
            "Margin (points)",
            min_value=0.0,
            max_value=50.0,
            value=2.0,
            step=0.5,
            format="%.1f",
            key="margin",
            bind="query-params",
            width=120,
            help=f"{_sentence('margin')} A smaller proven difference is called immaterial.",
        )
        by = st.selectbox(
            "Counts as one",
            list(_BY),
            format_func=_BY.get,
            key="by",
            bind="query-params",
            width=115,
            help=f"{_sentence('by')} A cluster is a group of tasks that rise and fall together.",
        )
        correction = st.selectbox(
            "Allow for many pairs",
            list(_CORRECTION),
            format_func=_CORRECTION.get,
            key="correction",
            bind="query-params",
            width=185,
            help=_sentence("correction"),
        )
        missing = st.selectbox(
            "Missing scores",
            list(_MISSING),
            format_func=_MISSING.get,
            key="missing",
            bind="query-params",
            width=140,
            help=_sentence("missing"),
        )
        confidence = st.selectbox(
            "Confidence",
            _CONFIDENCE,
            index=1,
            format_func="{:.0%}".format,
            key="confidence",
            bind="query-params",
            width=105,
            help=_sentence("confidence"),
        )
    return {
        "baseline": None if baseline == EVERY_PAIR else baseline,
        "margin": margin / 100,
        "by": by,
        "correction": correction,
        "missing": missing,
        "confidence": confidence,
    }


def _sentence(name: str) -> str:
    text = _HELP[name]
    return f"{text[0].upper()}{text[1:]}."


def chips(answer: Answer, benchmark: Benchmark, pinned: PinState | None) -> list[Chip]:
    """The facts of the data: benchmark, tasks, runs, what is missing."""
    result: Leaderboard = answer.result
    tasks = Chip(wording.count(result.tasks), "tasks" if result.tasks != 1 else "task")
    if result.clusters < result.tasks:
        tasks = Chip(wording.count(result.tasks), f"tasks in {wording.plural(result.clusters, 'cluster')}")
    items = [Chip(benchmark.name), tasks]
    if result.runs > 1:
        items.append(Chip(wording.count(result.runs), "runs a task at most"))
    if result.missing_cells:
        share = wording.share(result.missing_cells / result.cells)
        items.append(Chip(wording.count(result.missing_cells), f"cells missing ({share})", status="caution"))
    splits = [split for split in benchmark.splits if split]
    if splits:
        items.append(Chip(text=f"{wording.sentence_list(splits)} split{'s' if len(splits) > 1 else ''}"))
    if pinned is not None and pinned.stale:
        items.append(Chip(text="pin is older than the data", status="caution"))
    return items


def changes(answer: Answer) -> None:
    """What differs between the logs of one model's variants, before any verdict on them."""
    tables = [table for table in answer.tables if table.name == "changes"]
    for table in tables[:1]:
        _change(table)
    if len(tables) > 1:
        with st.expander(f"{wording.plural(len(tables) - 1, 'more pair')} of variants differ in settings"):
            for table in tables[1:]:
                _change(table)


def _change(table: Table) -> None:
    rows = [[Cell(wording.cell(value, "text")) for value in row] for row in table.rows]
    show.html(
        components.figure_head(
            table.title, "A gap between them may come from these settings, not from the model."
        )
        + components.table([column.label for column in table.columns], rows, label=table.title)
    )


def scores(answer: Answer, benchmark: Benchmark) -> None:
    """The forest plot, and what the two standard errors say about the first model."""
    for figure in answer.figures:
        if isinstance(figure, Forest):
            show.forest_plot(figure, frame.mode(), benchmark.contenders)
    sentence = estimands(answer.result)
    if sentence:
        show.html(components.note(sentence))


def estimands(result: Leaderboard) -> str:
    """The two questions a score answers, in one sentence about the first model; empty without a score."""
    # Where every task has one outcome the spread is 0, which is no measure of what is not known.
    if not result.models or not result.models[0].se:
        return ""
    first = result.models[0]
    new = f"Standard error of {first.model}: {wording.points(first.se, first.se)} for new tasks like these"
    if first.se_rerun is None:
        return f"{new}; for these exact tasks run again it is unknown, since each ran once."
    again = wording.points(first.se_rerun, first.se_rerun)
    return f"{new}, {again} for these exact tasks run again. The table below has both for every model."


def pairs(answer: Answer) -> tuple[str, str] | None:
    """The matrix and the choice of one pair, which is returned; None where nothing can be compared."""
    figure = next((figure for figure in answer.figures if isinstance(figure, PairMatrix)), None)
    result: Leaderboard = answer.result
    if figure is None:
        return None
    options = {f"{pair.a} against {pair.b}": (pair.a, pair.b) for pair in result.pairs}
    chosen = options.get(st.session_state.get("pair", ""))
    with st.container(gap="xsmall"):
        show.html(components.figure_head(figure.title, figure.subtitle))
        columns = _columns(figure, result.baseline)

        def press(row: str, column: str) -> None:
            st.session_state["pair"] = next(
                (name for name, pair in options.items() if set(pair) == {row, column}), None
            )

        matrix.pair_matrix(figure, columns, chosen, "pair_matrix", press)
    picked = st.selectbox(
        "Pair in detail",
        list(options),
        key="pair",
        bind="query-params",
        help="Or press a tile of the table above",
        width=420,
    )
    return options.get(picked)


def _columns(figure: PairMatrix, baseline: str | None) -> Sequence[str]:
    if baseline is not None:
        return [baseline]
    if len(figure.labels) <= MOST_COLUMNS:
        return figure.labels
    chosen = st.multiselect(
        "Columns",
        figure.labels,
        default=figure.labels[:FITTING_COLUMNS],
        key="columns",
        persist_state="session",
        placeholder="Choose models",
        help="Every model has a row; these stand at the top",
    )
    return [label for label in figure.labels if label in chosen] or figure.labels[:FITTING_COLUMNS]


def formulas() -> None:
    """The estimators in symbols, for the method note."""
    st.latex(
        r"\hat\mu_m = \frac{1}{n}\sum_{t=1}^{n} \bar y_{mt}, \qquad \hat\Delta_{ab} = "
        r"\frac{1}{n}\sum_{t=1}^{n}\left(\bar y_{at} - \bar y_{bt}\right)"
    )
    st.latex(
        r"\widehat{\mathrm{SE}}_{\text{new tasks}}^2 = \frac{G}{G-1}\,\frac{1}{n^2}\sum_{g=1}^{G}"
        r"\Big(\sum_{t\in g}(\bar y_{mt}-\hat\mu_m)\Big)^2, \qquad "
        r"\widehat{\mathrm{SE}}_{\text{run again}}^2 = \frac{1}{n^2}\sum_{t=1}^{n}\frac{s_{mt}^2}{r_{mt}}"
    )
