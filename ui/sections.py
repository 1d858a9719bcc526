"""What the sections below the pairs share: each answers one question and is computed when opened."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from analysis.figures import Forest, Lines
from answers.base import Answer, Figure
from charts import curves
from data.store import Store
from ui import components, frame, pinning, show


@contextmanager
def panel(label: str, icon: str, key: str) -> Iterator[bool]:
    """A folded section; the value tells whether it is open, and only then is there anything to compute.

    Whether it is open stands in the address, so that a link shows what its sender saw.
    """
    box = st.expander(label, icon=f":material/{icon}:", key=key, on_change="rerun", bind="query-params")
    with box:
        yield bool(box.open)


def head(store: Store, answer: Answer, title: str, subtitle: str = "") -> None:
    """A section's title with the button that pins its answer at the right."""
    row = st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"
    )
    with row.container(width="stretch"):
        show.html(components.figure_head(title, subtitle))
    place = row.container(width="content", horizontal=True, key=f"{answer.question}_pin")
    pinning.pin_button(place, store, answer, pinning.pinned_as(store, answer))


def verdict(answer: Answer) -> None:
    """The section's own verdict card, named apart from the page's."""
    show.html(components.verdict(answer.headline, label=f"Verdict: {answer.asked}"))


def plots(figures: Sequence[Figure], models: Sequence[str] = ()) -> None:
    """Every figure of an answer under its title."""
    for figure in figures:
        if isinstance(figure, Forest):
            show.forest_plot(figure, frame.mode(), models)
        elif isinstance(figure, Lines):
            line_plot(figure)


def line_plot(figure: Lines) -> None:
    """Curves under their title; they shrink with the page, for their names stand at their ends."""
    with st.container(gap="xxsmall"):
        show.html(components.figure_head(figure.title, figure.subtitle))
        st.plotly_chart(
            curves.screen(figure, frame.mode()),
            theme=None,
            key=f"plot_{figure.name}",
            alt=figure.takeaway or figure.title,
            config=show.PLOT_CONFIG,
        )


def behind(answer: Answer) -> None:
    """What stands behind a section: its tables and how it was computed, folded away."""
    show.table_twin(answer.tables, key=answer.question)
    show.method_note(answer)


def findings(answer: Answer, label: str) -> None:
    """What the answer found, named for screen readers."""
    if answer.findings:
        show.html(components.findings(answer.findings, label=label))
