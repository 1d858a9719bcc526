"""What the forest plot on screen and the one on paper share: columns, bands, range, missing values."""

import itertools
import math
from dataclasses import dataclass
from typing import Literal

from analysis.figures import Forest, ForestRow
from analysis.wording import UNKNOWN
from charts.paper import text_width
from charts.scale import share_ticks, span, ticks
from charts.text import plain

NO_INTERVAL = "no interval"
GAP = 18  # pixels between columns


@dataclass(frozen=True)
class Column:
    """A column beside the plot; a merged one has one cell for each band instead of one for each row."""

    header: str
    cells: tuple[str, ...]
    width: float
    merged: bool
    bold: bool


@dataclass(frozen=True)
class Band:
    """A run of rows that share a ground; every other band is shaded."""

    name: str
    first: int
    last: int
    shaded: bool


@dataclass(frozen=True)
class Cell:
    """A text beside the rows ``first`` to ``last``, centred between them."""

    first: int
    last: int
    text: str

    @property
    def middle(self) -> float:
        """The row's index that the text stands at; between two rows for an even number of them."""
        return (self.first + self.last) / 2


def check(forest: Forest) -> None:
    """Refuse a forest that cannot be drawn.

    Raises:
        ValueError: there are no rows, or a row has not one text for every header.
    """
    if not forest.rows:
        raise ValueError(f"the forest plot {forest.name!r} has no rows")
    for row in forest.rows:
        if len(row.columns) != len(forest.headers):
            raise ValueError(
                f"row {row.label!r} has {len(row.columns)} texts for {len(forest.headers)} headers"
            )


def known(value: float | None) -> bool:
    """Whether there is a finite number to draw."""
    return value is not None and math.isfinite(value)


def ends(row: ForestRow) -> tuple[float, float] | None:
    """Both ends of the row's interval, or None where there is none to draw."""
    if row.value is None or row.low is None or row.high is None:
        return None
    return (row.low, row.high) if all(map(known, (row.value, row.low, row.high))) else None


def missing_word(row: ForestRow) -> str:
    """What is said in the plot where there is nothing to draw: ``unknown``, ``no interval`` or nothing."""
    if not known(row.value):
        return UNKNOWN
    return "" if ends(row) else NO_INTERVAL


def bands(forest: Forest) -> tuple[Band, ...]:
    """Runs of rows with one band name, in order; rows without one form no band."""
    found: list[Band] = []
    numbered = itertools.groupby(enumerate(forest.rows), key=lambda item: item[1].band)
    for name, run in numbered:
        indices = [index for index, _ in run]
        if name:
            found.append(Band(name, indices[0], indices[-1], shaded=len(found) % 2 == 0))
    return tuple(found)


def columns(forest: Forest, size: float) -> tuple[Column, ...]:
    """The columns with their widths in pixels at a text of ``size``; the first one is bold.

    A last column that repeats the bands is merged, its cells standing once beside each band.
    """
    found = []
    for index, header in enumerate(forest.headers):
        cells = tuple(plain(row.columns[index]) for row in forest.rows)
        merged = any(cells) and cells == tuple(plain(row.band) for row in forest.rows)
        bold = index == 0 or merged
        weight: Literal["Regular", "Semibold"] = "Semibold" if bold else "Regular"
        width = max(text_width(plain(header), 13), *(text_width(cell, size, weight) for cell in cells))
        found.append(Column(plain(header), cells, width, merged, bold))
    return tuple(found)


def cells(column: Column, of: tuple[Band, ...]) -> tuple[Cell, ...]:
    """The texts of a column and the rows they belong to."""
    if column.merged:
        return tuple(Cell(band.first, band.last, plain(band.name)) for band in of)
    return tuple(Cell(index, index, text) for index, text in enumerate(column.cells))


def value_span(forest: Forest) -> tuple[float, float]:
    """Ends of the value axis: around every estimate, interval and the reference."""
    values: list[float] = []
    for row in forest.rows:
        if row.value is not None and known(row.value):
            values.extend((row.value, *(ends(row) or ())))
    if forest.reference is not None and known(forest.reference):
        values.append(forest.reference)
    return span(values) if values else (0.0, 1.0)


def value_ticks(forest: Forest, low: float, high: float) -> tuple[float, ...]:
    """Round ticks of the value axis; a share has none below 0 or above 1."""
    return share_ticks(low, high) if forest.unit == "share" else ticks(low, high)


def anchor(place: float, width: float) -> Literal["left", "center", "right"]:
    """How a label of ``width`` at ``place`` stays inside the plot, both in shares of the plot's width.

    One too wide to be centred grows to the left, where only row labels are, not into the columns.
    """
    if place + width / 2 > 1:
        return "right"
    return "left" if place - width / 2 < 0 else "center"
