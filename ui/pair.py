"""Two models task by task: the whole comparison behind one tile of the matrix."""

import streamlit as st

from analysis import wording
from analysis.leaderboard.result import Leaderboard, PairDifference
from answers.base import Answer, Table
from answers.flips import flipped_tasks
from data.store import Store
from ui import components, show
from ui.components import Figure


def pair_detail(store: Store, answer: Answer, chosen: tuple[str, str]) -> None:
    """Difference, p, what could have been seen, who solves what, and the tasks that decide it."""
    pair = find(answer.result, chosen)
    if pair is None:
        return
    with st.container(border=True, key="pair_detail"):
        show.html(components.answer(settles(pair)))
        show.html(components.kpis(figures(pair, answer.result)) + components.kpis(counts(pair)))
        show.html(components.note(method(pair)))
        _flips(store, answer, pair)


def find(result: Leaderboard, chosen: tuple[str, str]) -> PairDifference | None:
    """The pair of these two, in the order the answer holds it."""
    return next((pair for pair in result.pairs if {pair.a, pair.b} == set(chosen)), None)


def figures(pair: PairDifference, result: Leaderboard) -> tuple[Figure, ...]:
    """The four numbers of a comparison."""
    half = half_width(pair)
    between = (
        "no interval"
        if pair.low is None or pair.high is None
        else f"{wording.interval(pair.low, pair.high, 'points', signed=True, half_width=half)} points"
    )
    alone = wording.p_number(pair.p)
    if result.family_size == 1:
        adjusted = "one pair, nothing to correct"
    elif result.correction == "none":
        adjusted = f"not corrected for {result.family_size} pairs"
    else:
        adjusted = f"of {result.family_size} pairs at once; alone {alone}"
    return (
        Figure("Difference", wording.points_number(pair.difference, half), between),
        Figure("Adjusted p", wording.p_number(pair.p_adjusted), adjusted),
        Figure("Could have seen", wording.points(pair.detectable), "in 8 of 10 such files"),
        Figure("Paired tasks", wording.count(pair.tasks), f"in {wording.plural(pair.clusters, 'cluster')}"),
    )


def half_width(pair: PairDifference) -> float | None:
    """Half of the interval, which says how many digits the difference carries."""
    return None if pair.low is None or pair.high is None else (pair.high - pair.low) / 2


def counts(pair: PairDifference) -> tuple[Figure, ...]:
    """Who solves how many of the shared tasks; solved means in most runs."""
    return (
        Figure("Both solve", wording.count(pair.both), "tasks, in most runs"),
        Figure(f"Only {pair.a} solves", wording.count(pair.only_a), "tasks"),
        Figure(f"Only {pair.b} solves", wording.count(pair.only_b), "tasks"),
        Figure("Neither solves", wording.count(pair.neither), "tasks"),
    )


def settles(pair: PairDifference) -> str:
    """What is decided, or what would decide it."""
    half = half_width(pair)
    by = wording.points(abs(pair.difference), half) if pair.difference is not None else wording.UNKNOWN
    ahead, behind = (pair.a, pair.b) if (pair.difference or 0) >= 0 else (pair.b, pair.a)
    if pair.difference is None:
        return f"{pair.a} and {pair.b} share no scored task."
    if pair.verdict in ("better", "worse"):
        small = "" if pair.material else ", less than the margin"
        return f"{ahead} solves {by} more than {behind}{small}."
    if pair.verdict == "equivalent":
        return f"{ahead} and {behind} differ by less than the margin."
    if pair.tasks_to_settle is None:
        return f"Undecided at {wording.points_number(pair.difference, half)} points."
    # Two digits: the gap it rests on is itself uncertain.
    more = float(f"{max(0, pair.tasks_to_settle - pair.tasks):.2g}")
    return f"Undecided: about {wording.count(more)} more tasks would settle a gap of {by}."


def method(pair: PairDifference) -> str:
    """How this pair was compared, and what pairing gained."""
    said = [pair.method]
    if pair.reason:
        said.append(pair.reason)
    if pair.correlation is not None:
        said.append(f"correlation of the two over tasks {pair.correlation:.2f}")
    if pair.se and pair.se_unpaired is not None:
        unpaired = wording.points(pair.se_unpaired, pair.se)
        said.append(f"standard error {wording.points(pair.se, pair.se)}, unpaired {unpaired}")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."


def _flips(store: Store, answer: Answer, pair: PairDifference) -> None:
    if not pair.only_a + pair.only_b:
        return
    panel = st.expander(
        f"{wording.plural(pair.only_a + pair.only_b, 'task')} only one of them solves",
        icon=":material/swap_vert:",
        key="pair_flips",
        on_change="rerun",
    )
    if panel.open:
        with panel:
            table: Table = flipped_tasks(store, answer.parameters, pair.a, pair.b)
            show.frame_of(table, key="flips")
            show.download(table, key="flips")
