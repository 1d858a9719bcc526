"""Votes: which model people or judges prefer, and what that order hangs on."""

import streamlit as st

from analysis import wording
from answers.base import Table
from answers.loaded import Benchmark, VoteSet, vote_sets
from data.store import Store
from ui import asking, components, sections, show
from ui.components import Cell

_UNNAMED = "No benchmark named"
EVERYONE = "All opponents"
_TIES = {"half": "Half a win each", "drop": "Left out", "davidson": "Their own share (Davidson)"}
_ERRORS = {"vote": "Each vote", "prompt": "Votes of a prompt", "judge": "Votes of a judge"}
NO_TASKS = "Nothing"


def votes(store: Store, benchmark: str | None, benchmarks: tuple[Benchmark, ...]) -> bool:
    """The votes section, whose set is that of ``benchmark`` at first; False where no votes are loaded.

    ``benchmarks`` have results that ranks can be set beside.
    """
    sets = {one.benchmark: one for one in vote_sets(store)}
    if not sets:
        return False
    total = wording.plural(sum(one.votes for one in sets.values()), "vote")
    with sections.panel(f"Which model do {total} prefer?", "how_to_vote", "votes") as opened:
        if opened:
            _section(store, sets, benchmark, benchmarks)
    return True


def _section(
    store: Store, sets: dict[str, VoteSet], benchmark: str | None, benchmarks: tuple[Benchmark, ...]
) -> None:
    place = st.container()
    asked = _controls(sets, benchmark, benchmarks)
    told = asking.ask(store, "votes", asked)
    with place:
        sections.head(store, told, "Votes")
    sections.verdict(told)
    sections.plots(told.figures, sets[str(asked["benchmark"])].models)
    for table in told.tables:
        if table.name == "both_ranks":
            show.html(components.figure_head(table.title) + ranks(table))
        if table.name == "tie_rules" and (moved := [row for row in table.rows if len({*row[1:]}) > 1]):
            show.html(components.figure_head("The rule for ties moves these ranks") + _moved(table, moved))
    sections.findings(told, "What the votes rest on")
    sections.behind(told)


def ranks(table: Table) -> str:
    """Rank by votes beside rank on tasks, each with its range."""
    headers = ("Model", "Rank by votes", "Range", "Rank on tasks", "Range", "Agreement")
    rows = [
        [
            Cell(str(model)),
            Cell(str(by_votes), number=True),
            Cell(wording.rank_range(*between), number=True),
            Cell(str(on_tasks), number=True),
            Cell(wording.rank_range(*within), number=True),
            Cell(str(agreement)),
        ]
        for model, by_votes, *between, on_tasks, low, high, agreement in table.rows[: show.MOST_TABLE_ROWS]
        for within in [(low, high)]
    ]
    return components.table(headers, rows, label=table.title)


def _moved(table: Table, rows: list[tuple[object, ...]]) -> str:
    cells = [
        [Cell(str(name)), *(Cell(str(rank), number=True) for rank in places)]
        for name, *places in rows[: show.MOST_TABLE_ROWS]
    ]
    return components.table([column.label for column in table.columns], cells, label=table.title)


def _controls(
    sets: dict[str, VoteSet], benchmark: str | None, benchmarks: tuple[Benchmark, ...]
) -> dict[str, object]:
    names = list(sets)
    first = next((name for name in (benchmark, "") if name in sets), names[0])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = names[0]
        if len(names) > 1:
            name = st.selectbox(
                "Votes on",
                names,
                index=names.index(first or ""),
                format_func=lambda text: text or _UNNAMED,
                key="votes_on",
                bind="query-params",
                width=220,
            )
        chosen = sets[name]
        reference = st.selectbox(
            "Win rates against",
            (EVERYONE, *chosen.models),
            key="votes_reference",
            bind="query-params",
            width=220,
        )
        ties = st.selectbox(
            "A tie counts as",
            list(_TIES),
            format_func=_TIES.get,
            key="votes_ties",
            bind="query-params",
            disabled=chosen.ties == 0,
            width=220,
            help="Ties are votes that prefer neither answer",
        )
        possible = [
            "vote",
            *(["prompt"] if chosen.prompts else []),
            *(["judge"] if chosen.judges > 1 else []),
        ]
        errors = st.selectbox(
            "Counts as one",
            possible,
            format_func=_ERRORS.get,
            key="votes_errors",
            bind="query-params",
            width=180,
            help="Votes on one prompt, or of one judge, rise and fall together",
        )
        beside = NO_TASKS
        shared = [one.name for one in benchmarks if len({*one.contenders} & {*chosen.models}) > 1]
        if shared:
            beside = st.selectbox(
                "Set beside results on",
                (NO_TASKS, *shared),
                index=1 + shared.index(benchmark) if benchmark in shared else 0,
                key="votes_beside",
                bind="query-params",
                width=220,
            )
    return {
        "benchmark": name,
        "reference": None if reference == EVERYONE else reference,
        "ties": ties,
        "errors": errors,
        "beside": None if beside == NO_TASKS else beside,
    }
