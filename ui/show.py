"""Components on the screen: the only module besides pages that draws."""

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from analysis import wording
from analysis.figures import Forest
from analysis.results import Finding
from answers.base import Answer, Column, Headline, Table
from answers.parameters import Parameters, specifications
from charts import forest
from charts.theme import Mode
from data.importing import formats, kinds
from data.sources import SourceFile
from ui import components, downloads
from ui.components import Cell, Chip

#: Rows of a table on screen; the rest is in the download.
MOST_ROWS = 1000
#: Rows of a table that is read, not searched.
MOST_TABLE_ROWS = 30
PLOT_CONFIG = {"displaylogo": False, "modeBarButtons": [["toImage"]]}


def html(text: str) -> None:
    """Own HTML, already escaped by ``ui.components``."""
    st.html(text)


def title_row(title: str) -> DeltaGenerator:
    """The page's title; the returned container stands at the right of it."""
    row = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    row.title(title, width="content", anchor=False)
    return row.container(width="content", horizontal=True, key="title_actions")


def read_as(kind: str, format_: str) -> str:
    """What a file was read as, in words: ``Eval results, Parquet``."""
    kind_titles = {one.name: one.title for one in kinds()}
    format_titles = {one.name: one.title for one in formats()}
    return f"{kind_titles.get(kind, kind)}, {format_titles.get(format_, format_)}"


def chips(items: Sequence[Chip]) -> None:
    """A row of chips, at most six."""
    html(components.chips(items))


def verdict(headline: Headline) -> None:
    """The verdict card."""
    html(components.verdict(headline))


def forest_plot(figure: Forest, mode: Mode, models: Sequence[str]) -> None:
    """A forest plot under its title; on a phone it scrolls inside its frame.

    ``models`` are all there are, so that a model keeps its colour when others are filtered away.
    """
    with st.container(gap="xxsmall"):
        html(components.figure_head(figure.title, figure.subtitle))
        with st.container(key=f"wide_{figure.name}", gap=None):
            st.plotly_chart(
                forest.screen(figure, mode, models),
                theme=None,
                key=f"plot_{figure.name}",
                alt=figure.takeaway or figure.title,
                config=PLOT_CONFIG,
            )


def table_twin(tables: Sequence[Table], key: str) -> None:
    """The tables behind the figures, folded away, each with its download."""
    with st.expander("Table behind the chart", icon=":material/table_rows:", key=f"{key}_tables"):
        for at, table in enumerate(tables):
            with st.container(
                horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom", gap="small"
            ):
                st.markdown(f"**{_plain(table.title)}**", width="content")
                download(table, key=f"{key}_{table.name}_{at}")
            frame_of(table, key=f"{key}_{table.name}_{at}")


def download(table: Table, key: str) -> None:
    """A button that saves a table as CSV."""
    st.download_button(
        "Download CSV",
        data=lambda: downloads.table_csv(table),
        file_name=f"{table.name}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=f"download_{key}",
        help=f"All {wording.count(len(table.rows))} rows of “{_plain(table.title)}”, unrounded",
    )


def frame_of(table: Table, key: str) -> None:
    """A table as a grid; unknown cells are empty there and counted in the chips above."""
    rows = table.rows[:MOST_ROWS]
    frame = pd.DataFrame({column.label: [row[at] for row in rows] for at, column in enumerate(table.columns)})
    st.dataframe(
        frame,
        hide_index=True,
        column_config={column.label: _config(column) for column in table.columns},
        alt=table.title,
        placeholder="unknown",
        key=f"frame_{key}",
    )
    if len(table.rows) > MOST_ROWS:
        html(components.note(f"First {wording.count(MOST_ROWS)} of {wording.count(len(table.rows))} rows."))


def _config(column: Column) -> object:
    label, help_ = column.label, column.help or None
    formats = {
        "share": "percent",
        "points": "%+.3f",
        "count": "localized",
        "p": "%.4f",
        "milliseconds": "localized",
        "money": "%.4f",
        "number": "%.4g",
    }
    if column.unit in formats:
        return st.column_config.NumberColumn(label, help=help_, format=formats[column.unit])
    return st.column_config.Column(label, help=help_)


def method_note(answer: Answer, formulas: Callable[[], None] | None = None) -> None:
    """How the numbers were made, folded away."""
    with st.expander("How this is computed", icon=":material/function:", key=f"{answer.question}_method"):
        st.markdown(_plain(answer.method))
        if formulas:
            formulas()
        html(
            components.table(
                ("Setting", "Value"),
                [(Cell(name), Cell(value)) for name, value in setting_words(answer.parameters)],
                label="Settings of this answer",
            )
        )


def setting_words(parameters: Parameters) -> tuple[tuple[str, str], ...]:
    """The settings of an answer in words, for the method note."""
    said = []
    for spec in specifications(type(parameters)):
        value = getattr(parameters, spec.name)
        if value is None or value == ():
            text = "all" if spec.many else "not set"
        elif spec.many:
            text = wording.sentence_list([str(item) for item in value])
        elif spec.unit == "share":
            text = wording.share(value)
        else:
            text = str(value)
        said.append((spec.name.replace("_", " ").capitalize(), text))
    return tuple(said)


def findings(items: Sequence[Finding]) -> None:
    """What else the answer found, below its figures; nothing where it found nothing."""
    if items:
        html(components.figure_head("What to know before you rely on this") + components.findings(items))


def rule(words: str) -> None:
    """The rule behind a recommendation, folded away."""
    with st.expander("How this is recommended", icon=":material/function:", key="recommendation_rule"):
        st.markdown(_plain(words))


def provenance(sources: Sequence[SourceFile]) -> None:
    """Where the rows came from, in one muted line a file."""
    lines = [
        " · ".join(
            (
                source.file,
                f"{wording.count(source.rows_loaded)} rows kept",
                f"{wording.count(source.rows_rejected)} set aside",
                f"SHA-256 {wording.short_hash(source.sha256)}",
                f"imported {wording.date(source.imported_at)}",
            )
        )
        for source in sources[:5]
    ]
    if len(sources) > 5:
        lines.append(f"and {wording.plural(len(sources) - 5, 'more file')}")
    for line in lines:
        html(components.note(line))


def _plain(text: str) -> str:
    """Text with nothing that Markdown would read as a sign."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|$~:" else letter for letter in text)
