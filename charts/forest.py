"""Forest plots: one estimate a row with its interval, its numbers at the right, its tier as a ground."""

from collections.abc import Iterable
from typing import Any

import plotly.graph_objects as go

from analysis.figures import Forest, ForestRow
from charts import forest_parts as parts
from charts.forest_paper import paper
from charts.paper import text_width
from charts.scale import tick_texts
from charts.text import inert, plain, shortened, shortened_apart, wrapped
from charts.theme import PALETTES, Mode, ModelStyle, Palette, base_axis, base_layout, model_styles

__all__ = ["paper", "screen"]

_ROW = 42  # pixels a row
_ROW_OF_MANY, _MANY = 32, 17  # from so many rows on, to keep a long list in one picture
_HEADER = -0.8  # in rows, above the first one
_TOP = -1.2
_LABEL = 34  # characters; the whole name is in the hover and in the table
_MARK = 12
_PLOT = 380  # pixels a plot beside long names and four columns is wide
_INK_STYLE_SYMBOL = "circle"


def screen(forest: Forest, mode: Mode, models: Iterable[str] | None = None) -> go.Figure:
    """The figure for the page; title and subtitle stand above it as text.

    ``models`` are all models of the store, so that colours stay when rows are filtered; default: the rows'.

    Raises:
        ValueError: the forest has no rows, or a row has not one text for every header.
    """
    parts.check(forest)
    palette, columns, bands = PALETTES[mode], parts.columns(forest, 14), parts.bands(forest)
    count = len(forest.rows)
    low, high = parts.value_span(forest)
    figure = go.Figure(layout=base_layout(mode, (_ROW if count < _MANY else _ROW_OF_MANY) * count + 80))
    figure.update_layout(
        margin_r=round(sum(column.width + parts.GAP for column in columns)) + 8,
        xaxis=_value_axis(forest, mode, low, high),
        yaxis=_row_axis(forest, mode),
        shapes=[*_grounds(bands, palette), *_reference_line(forest, palette)],
        annotations=[
            {"showarrow": False, **annotation}
            for annotation in (
                *_column_texts(columns, bands, palette),
                *_reference_text(forest, palette, low, high),
                *_missing_texts(forest, palette, low, high),
            )
        ],
    )
    figure.add_traces(_traces(forest, _styles(forest, mode, models)))
    return figure


def _styles(forest: Forest, mode: Mode, models: Iterable[str] | None) -> tuple[ModelStyle, ...]:
    """A style for each row. Favoured beyond eight: the highlighted row, the reference's, then the best."""
    rows = [row for row in forest.rows if row.model]
    first = [row for row in rows if row.label == forest.highlight]
    first += [row for row in rows if row.value is not None and row.value == forest.reference]
    shown = [row.model for row in rows]
    styles = model_styles({*shown, *(models or ())}, mode, favoured=[*(row.model for row in first), *shown])
    ink = ModelStyle(PALETTES[mode].ink, _INK_STYLE_SYMBOL)
    return tuple(styles[row.model] if row.model else ink for row in forest.rows)


def _traces(forest: Forest, styles: tuple[ModelStyle, ...]) -> list[go.Scatter]:
    """A line for each interval, then all marks in one trace on top."""
    lines = [
        go.Scatter(
            x=ends,
            y=[index, index],
            mode="lines",
            line={"color": styles[index].colour, "width": 3},
            hoverinfo="skip",
        )
        for index, row in enumerate(forest.rows)
        if (ends := parts.ends(row))
    ]
    marked = [index for index, row in enumerate(forest.rows) if parts.known(row.value)]
    marks = go.Scatter(
        x=[forest.rows[index].value for index in marked],
        y=marked,
        mode="markers",
        marker={
            "size": [_MARK + 3 if styles[index].symbol == "star" else _MARK for index in marked],
            "color": [styles[index].colour for index in marked],
            "symbol": [styles[index].symbol for index in marked],
            "opacity": 1,
            "line": {"width": [2 if styles[index].symbol.endswith("-open") else 0 for index in marked]},
        },
        hoverinfo="text",
        hovertext=[_hover(forest.rows[index]) for index in marked],
        cliponaxis=False,
    )
    return [*lines, marks]


def _hover(row: ForestRow) -> str:
    name = f"<b>{wrapped(row.label)}</b>"
    return f"{name}<br>{wrapped(row.hover)}" if row.hover else name


def _value_axis(forest: Forest, mode: Mode, low: float, high: float) -> dict[str, Any]:
    axis = base_axis(mode)
    values = parts.value_ticks(forest, low, high)
    axis["title"] = {**axis["title"], "text": inert(forest.axis_title)}
    return axis | {
        "range": [low, high],
        "tickmode": "array",
        "tickvals": values,
        "ticktext": tick_texts(values, forest.unit),
    }


def _row_axis(forest: Forest, mode: Mode) -> dict[str, Any]:
    axis = base_axis(mode)
    labels = shortened_apart([plain(row.label) for row in forest.rows], _LABEL)
    axis["tickfont"] = {**axis["tickfont"], "size": 14}
    return axis | {
        "range": [len(forest.rows) - 0.5, _TOP],
        "showgrid": False,
        "tickmode": "array",
        "tickvals": list(range(len(forest.rows))),
        "ticktext": [inert(label) for label in labels],
    }


def _grounds(bands: tuple[parts.Band, ...], palette: Palette) -> list[dict[str, Any]]:
    """Grounds behind whole rows, labels and columns included: far beyond both edges of the plot."""
    return [
        {
            "type": "rect",
            "xref": "paper",
            "x0": -2,
            "x1": 3,
            "y0": band.first - 0.5,
            "y1": band.last + 0.5,
            "fillcolor": palette.surface,
            "line": {"width": 0},
            "layer": "below",
        }
        for band in bands
        if band.shaded
    ]


def _reference_line(forest: Forest, palette: Palette) -> list[dict[str, Any]]:
    if forest.reference is None or not parts.known(forest.reference):
        return []
    return [
        {
            "type": "line",
            "x0": forest.reference,
            "x1": forest.reference,
            "y0": -0.5,
            "y1": len(forest.rows) - 0.5,
            "line": {
                "color": palette.reference,
                "width": 1.5,
                "dash": "solid" if forest.reference == 0 else "dot",
            },
            "layer": "below",
        }
    ]


def _reference_text(forest: Forest, palette: Palette, low: float, high: float) -> list[dict[str, Any]]:
    if forest.reference is None or not parts.known(forest.reference) or not forest.reference_label:
        return []
    label = shortened(plain(forest.reference_label), 40)
    place = (forest.reference - low) / (high - low)
    return [
        {
            "x": forest.reference,
            "y": _HEADER,
            "text": inert(label),
            "xanchor": parts.anchor(place, text_width(label, 13) / _PLOT),
            "font": {"size": 13, "color": palette.muted},
        }
    ]


def _missing_texts(forest: Forest, palette: Palette, low: float, high: float) -> list[dict[str, Any]]:
    """The words ``unknown`` and ``no interval`` where a mark or a line would be."""
    texts = []
    for index, row in enumerate(forest.rows):
        if not (word := parts.missing_word(row)):
            continue
        at = row.value if row.value is not None and parts.known(row.value) else low
        left_of_mark = (at - low) / (high - low) > 0.7
        texts.append(
            {
                "x": at,
                "y": index,
                "text": word,
                "xanchor": "right" if left_of_mark else "left",
                "xshift": -10 if left_of_mark else 10,
                "font": {"size": 13, "color": palette.muted},
            }
        )
    return texts


def _column_texts(
    columns: tuple[parts.Column, ...], bands: tuple[parts.Band, ...], palette: Palette
) -> list[dict[str, Any]]:
    """Headers and cells, placed in pixels from the plot's right edge, so that they stand at any width."""
    texts = []
    left = float(parts.GAP)
    for column in columns:
        place = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": round(left)}
        header = {"y": _HEADER, "text": inert(column.header), "font": {"size": 13, "color": palette.muted}}
        texts.append(place | header)
        if column.merged:
            place |= {"xanchor": "center", "xshift": round(left + column.width / 2)}
        for cell in parts.cells(column, bands):
            text = f"<b>{inert(cell.text)}</b>" if column.bold else inert(cell.text)
            texts.append(place | {"y": cell.middle, "text": text, "font": {"size": 14, "color": palette.ink}})
        left += column.width + parts.GAP
    return texts
