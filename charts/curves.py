"""Curves over one axis, each named at its end: the detectable gap over the number of tasks."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import plotly.graph_objects as go

from analysis import wording
from analysis.figures import Line, Lines
from charts.paper import WIDTH, Page, text_width
from charts.scale import AxisUnit, tick_texts, ticks
from charts.text import inert, plain, shortened
from charts.theme import PALETTES, Mode, Palette, base_axis, base_layout

_HEIGHT = 340  # pixels
_LABEL = 18  # characters
_LABEL_HEIGHT = 18.0  # pixels between the names of two lines
_HEADROOM = 1.06
_PAPER_TOP, _PAPER_PLOT, _PAPER_BELOW, _PAPER_LEFT = 24.0, 190.0, 44.0, 52.0


@dataclass(frozen=True)
class _Frame:
    """Ranges and ticks of both axes."""

    x: tuple[float, float]
    y: tuple[float, float]
    x_ticks: tuple[float, ...]
    y_ticks: tuple[float, ...]


@dataclass(frozen=True)
class _End:
    """Where a line ends and how far its name moves, in pixels upwards, to keep clear of the others."""

    line: Line
    x: float
    y: float
    shift: float


def screen(lines: Lines, mode: Mode) -> go.Figure:
    """The figure for the page; title and subtitle stand above it as text.

    Raises:
        ValueError: no line has a value to draw, or x and y of a line differ in length.
    """
    frame = _frame(lines)
    palette = PALETTES[mode]
    figure = go.Figure(layout=base_layout(mode, _HEIGHT))
    ends = _ends(lines, frame, _HEIGHT - 80)
    widest = max(text_width(_name(end.line), 13, "Semibold") for end in ends)
    figure.update_layout(
        margin_r=round(widest) + 18,
        xaxis=_axis(mode, frame.x, frame.x_ticks, lines.x_unit, lines.x_title) | {"showgrid": False},
        yaxis=_axis(mode, frame.y, frame.y_ticks, lines.y_unit, ""),
        shapes=_marker_line(lines, frame, palette),
        annotations=[*_end_names(ends, palette), *_marker_name(lines, frame, palette)],
    )
    figure.add_traces([_trace(line, lines, palette) for line in lines.lines])
    return figure


def paper(lines: Lines) -> str:
    """The figure for a document as the text of one ``<svg>`` element, byte-identical between runs.

    Raises:
        ValueError: no line has a value to draw, or x and y of a line differ in length.
    """
    frame, palette = _frame(lines), PALETTES["light"]
    ends = _ends(lines, frame, _PAPER_PLOT)
    bottom = _PAPER_TOP + _PAPER_PLOT
    right = WIDTH - max(text_width(_name(end.line), 13, "Semibold") for end in ends) - 14
    page = Page(bottom + _PAPER_BELOW)

    def across(value: float) -> float:
        return _PAPER_LEFT + (value - frame.x[0]) / (frame.x[1] - frame.x[0]) * (right - _PAPER_LEFT)

    def up(value: float) -> float:
        return bottom - (value - frame.y[0]) / (frame.y[1] - frame.y[0]) * _PAPER_PLOT

    for value, text in zip(frame.y_ticks, tick_texts(frame.y_ticks, lines.y_unit), strict=True):
        page.line([(_PAPER_LEFT, up(value)), (right, up(value))], palette.border, 0.8)
        page.text(_PAPER_LEFT - 8, up(value), text, palette.muted, anchor="right")
    for value, text in zip(frame.x_ticks, tick_texts(frame.x_ticks, lines.x_unit), strict=True):
        page.text(across(value), bottom + 12, text, palette.muted, anchor="center")
    page.text((_PAPER_LEFT + right) / 2, bottom + 32, lines.x_title, palette.muted, anchor="center")
    if lines.marker is not None and _inside(lines.marker, frame.x):
        x = across(lines.marker)
        page.line([(x, _PAPER_TOP - 4), (x, bottom)], palette.muted, 1.2, dotted=True)
        page.text(x, _PAPER_TOP - 12, lines.marker_label, palette.muted, anchor=_side(lines.marker, frame))
    for line in lines.lines:
        colour, width = (palette.accent, 2.4) if line.main else (palette.ink, 1.2)
        for run in _runs(line):
            page.line([(across(x), up(y)) for x, y in run], colour, width)
    for end in ends:
        weight: Literal["Semibold", "Regular"] = "Semibold" if end.line.main else "Regular"
        page.text(across(end.x) + 8, up(end.y) - end.shift, _name(end.line), palette.ink, weight=weight)
    return page.svg(lines.name, lines.takeaway or lines.title)


def _frame(lines: Lines) -> _Frame:
    drawn = [point for line in lines.lines for point in _points(line)]
    if not drawn:
        raise ValueError(f"the figure {lines.name!r} has no value to draw")
    xs, ys = [x for x, _ in drawn], [y for _, y in drawn]
    x = (min(xs), max(xs) if max(xs) > min(xs) else min(xs) + 1)
    y = (min(0.0, min(ys) * _HEADROOM), max(0.0, max(ys) * _HEADROOM) or 1.0)
    across = ticks(*x, 6)
    if lines.x_unit == "count":
        across = tuple(tick for tick in across if tick == round(tick))  # no half runs, no half tasks
    return _Frame(x, y, across, ticks(*y, 5))


def _points(line: Line) -> list[tuple[float, float]]:
    pairs = zip(line.x, line.y, strict=True)
    return [(x, y) for x, y in pairs if y is not None and math.isfinite(y) and math.isfinite(x)]


def _runs(line: Line) -> list[list[tuple[float, float]]]:
    """The line's points, parted where a value is missing."""
    known = set(_points(line))
    runs: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(line.x, line.y, strict=True):
        if y is not None and (x, y) in known:
            runs[-1].append((x, y))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if len(run) > 1]


def _ends(lines: Lines, frame: _Frame, height: float) -> list[_End]:
    """Line ends from top to bottom, their names moved so that none covers another."""
    last = sorted(
        ((*points[-1], line) for line in lines.lines if (points := _points(line))),
        key=lambda end: -end[1],
    )
    scale = height / (frame.y[1] - frame.y[0])
    found: list[_End] = []
    free = math.inf  # the highest place left, in pixels above the axis
    for x, y, line in last:
        place = min((y - frame.y[0]) * scale, free)
        found.append(_End(line, x, y, place - (y - frame.y[0]) * scale))
        free = place - _LABEL_HEIGHT
    return found


def _name(line: Line) -> str:
    return shortened(plain(line.label), _LABEL)


def _inside(value: float, ends: tuple[float, float]) -> bool:
    return math.isfinite(value) and ends[0] <= value <= ends[1]


def _side(value: float, frame: _Frame) -> Literal["left", "right"]:
    """The name of the marker stands on the side that has room."""
    return "right" if value - frame.x[0] > 0.7 * (frame.x[1] - frame.x[0]) else "left"


def _axis(
    mode: Mode, ends: tuple[float, float], at: tuple[float, ...], unit: AxisUnit, title: str
) -> dict[str, Any]:
    axis = base_axis(mode)
    axis["title"] = {**axis["title"], "text": inert(title)}
    return axis | {"range": ends, "tickmode": "array", "tickvals": at, "ticktext": tick_texts(at, unit)}


def _trace(line: Line, lines: Lines, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=line.x,
        y=line.y,
        mode="lines",
        line={"color": palette.accent if line.main else palette.grey_mark, "width": 3 if line.main else 2},
        hoverinfo="text",
        hovertext=[_hover(line, lines, x, y) for x, y in zip(line.x, line.y, strict=True)],
    )


def _hover(line: Line, lines: Lines, x: float, y: float | None) -> str:
    place = f"{inert(lines.x_title)}: {_exact(x, lines.x_unit)}"
    return f"<b>{inert(line.label)}</b><br>{_exact(y, lines.y_unit)}<br>{place}"


def _exact(value: float | None, unit: AxisUnit) -> str:
    if unit == "points":
        return wording.points(value)
    return inert(wording.cell(value, unit))


def _end_names(ends: list[_End], palette: Palette) -> list[dict[str, Any]]:
    return [
        {
            "x": end.x,
            "y": end.y,
            "text": f"<b>{inert(_name(end.line))}</b>" if end.line.main else inert(_name(end.line)),
            "xanchor": "left",
            "xshift": 8,
            "yshift": round(end.shift),
            "showarrow": False,
            "font": {"size": 13, "color": palette.ink},
        }
        for end in ends
    ]


def _marker_line(lines: Lines, frame: _Frame, palette: Palette) -> list[dict[str, Any]]:
    if lines.marker is None or not _inside(lines.marker, frame.x):
        return []
    return [
        {
            "type": "line",
            "yref": "paper",
            "x0": lines.marker,
            "x1": lines.marker,
            "y0": 0,
            "y1": 1,
            "line": {"color": palette.reference, "width": 1.5, "dash": "dot"},
        }
    ]


def _marker_name(lines: Lines, frame: _Frame, palette: Palette) -> list[dict[str, Any]]:
    if lines.marker is None or not lines.marker_label or not _inside(lines.marker, frame.x):
        return []
    side = _side(lines.marker, frame)
    return [
        {
            "x": lines.marker,
            "y": 1,
            "yref": "paper",
            "yanchor": "top",
            "text": inert(shortened(plain(lines.marker_label), 30)),
            "xanchor": side,
            "xshift": 6 if side == "left" else -6,
            "showarrow": False,
            "font": {"size": 13, "color": palette.ink},
        }
    ]
