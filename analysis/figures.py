"""The data of a figure, free of any drawing library, so that a pinned figure can be drawn again on paper."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class ForestRow:
    """One estimate with its interval. ``columns`` are the texts at the right, one a header."""

    label: str
    value: float | None
    low: float | None
    high: float | None
    columns: tuple[str, ...] = ()
    band: str = ""  # rows of one band (a tier) share a ground; empty: none
    model: str = ""  # whose colour and symbol the mark takes; empty: ink
    hover: str = ""


@dataclass(frozen=True)
class Forest:
    """A forest plot: estimates with intervals, best first; shares (0..1), their differences, or ratings."""

    name: str
    title: str
    subtitle: str
    rows: tuple[ForestRow, ...]
    headers: tuple[str, ...]
    unit: Literal["share", "points", "number"]
    axis_title: str
    reference: float | None = None
    reference_label: str = ""
    highlight: str = ""  # label of the row that the page is about; drawn in accent on paper
    takeaway: str = ""  # alternative text: the finding with its two key numbers


@dataclass(frozen=True)
class PairTile:
    """One cell of the pairwise matrix: row minus column, in shares."""

    row: str
    column: str
    difference: float | None
    low: float | None
    high: float | None
    verdict: str  # better, worse, equivalent, undecided


@dataclass(frozen=True)
class PairMatrix:
    """All pairs of contenders, row minus column; ``labels`` give the order of rows and columns."""

    name: str
    title: str
    subtitle: str
    labels: tuple[str, ...]
    tiles: tuple[PairTile, ...]


@dataclass(frozen=True)
class Line:
    """One curve. ``x`` ascends; a y of None leaves a gap. ``main`` is the curve the page is about."""

    label: str
    x: tuple[float, ...]
    y: tuple[float | None, ...]
    main: bool = False


@dataclass(frozen=True)
class Lines:
    """Curves over one x axis, such as the detectable gap over the number of tasks; y starts at zero."""

    name: str
    title: str
    subtitle: str
    lines: tuple[Line, ...]
    x_title: str
    x_unit: Literal["count", "money", "number"]
    y_unit: Literal["share", "points", "money", "count", "number"]
    marker: float | None = None  # an x to mark with a dotted upright, such as today's number of tasks
    marker_label: str = ""
    takeaway: str = ""  # alternative text: the finding with its two key numbers
