"""The forest plot for documents: SVG, light, readable in black and white."""

from analysis.figures import Forest, ForestRow
from charts import forest_parts as parts
from charts.paper import WIDTH, Anchor, Page, Weight, text_width
from charts.scale import tick_texts
from charts.text import plain, shortened, shortened_apart
from charts.theme import PALETTES

_PALETTE = PALETTES["light"]
_TOP = 26.0  # room for the header
_BELOW = 44.0  # room for ticks and axis title
_ROW, _ROW_LEAST, _ALL_ROWS = 22.0, 13.0, 900.0  # a long list shrinks to stay on one page
_SIZE = 13.0
_LABEL = 200.0  # pixels a label may take


def paper(forest: Forest) -> str:
    """The figure for a document as the text of one ``<svg>`` element, byte-identical between runs.

    The highlighted row is in accent with a bold label, all others in ink. Title and subtitle stand outside.

    Raises:
        ValueError: the forest has no rows, or a row has not one text for every header.
    """
    parts.check(forest)
    return _Drawing(forest).svg()


class _Drawing:
    def __init__(self, forest: Forest) -> None:
        self._forest = forest
        count = len(forest.rows)
        self._row_height = max(_ROW_LEAST, min(_ROW, _ALL_ROWS / count))
        self._size = min(_SIZE, self._row_height * 0.8)
        self._columns = parts.columns(forest, self._size)
        self._bands = parts.bands(forest)
        self._labels = _fitting([plain(row.label) for row in forest.rows], self._size)
        self._left = max(text_width(label, self._size, "Semibold") for label in self._labels) + 26
        self._right = WIDTH - sum(column.width + parts.GAP for column in self._columns) - 4
        self._bottom = _TOP + count * self._row_height
        self._low, self._high = parts.value_span(forest)
        self._page = Page(self._bottom + _BELOW)

    def svg(self) -> str:
        self._draw_grounds()
        self._draw_axis()
        self._draw_reference()
        for index, row in enumerate(self._forest.rows):
            self._draw_row(index, row)
        self._draw_columns()
        return self._page.svg(self._forest.name, self._forest.takeaway or self._forest.title)

    def _across(self, value: float) -> float:
        return self._left + (value - self._low) / (self._high - self._low) * (self._right - self._left)

    def _middle(self, index: float) -> float:
        return _TOP + (index + 0.5) * self._row_height

    def _draw_grounds(self) -> None:
        for band in self._bands:
            if band.shaded:
                top = _TOP + band.first * self._row_height
                height = (band.last - band.first + 1) * self._row_height
                self._page.rectangle(0, top, WIDTH, height, _PALETTE.surface)

    def _draw_axis(self) -> None:
        ticks = parts.value_ticks(self._forest, self._low, self._high)
        for value, text in zip(ticks, tick_texts(ticks, self._forest.unit), strict=True):
            x = self._across(value)
            self._page.line([(x, _TOP), (x, self._bottom)], _PALETTE.border, 0.8)
            self._page.text(x, self._bottom + 12, text, _PALETTE.muted, anchor="center")
        middle = (self._left + self._right) / 2
        self._page.text(middle, self._bottom + 32, self._forest.axis_title, _PALETTE.muted, anchor="center")

    def _draw_reference(self) -> None:
        reference = self._forest.reference
        if reference is None or not parts.known(reference):
            return
        x = self._across(reference)
        self._page.line([(x, _TOP - 4), (x, self._bottom)], _PALETTE.muted, 1.2, dotted=reference != 0)
        label = shortened(plain(self._forest.reference_label), 40)
        plot = self._right - self._left
        anchor = parts.anchor((x - self._left) / plot, text_width(label) / plot)
        self._page.text(x, _TOP - 13, label, _PALETTE.muted, anchor=anchor)

    def _draw_row(self, index: int, row: ForestRow) -> None:
        y = self._middle(index)
        chosen = bool(row.label) and row.label == self._forest.highlight
        colour = _PALETTE.accent if chosen else _PALETTE.ink
        weight: Weight = "Semibold" if chosen else "Regular"
        label_x = self._left - 14
        self._page.text(
            label_x, y, self._labels[index], _PALETTE.ink, self._size, anchor="right", weight=weight
        )
        ends = parts.ends(row)
        if ends:
            self._page.line([(self._across(ends[0]), y), (self._across(ends[1]), y)], colour, 2.4)
        word = parts.missing_word(row)
        x = self._left + 4
        if row.value is not None and parts.known(row.value):
            x = self._across(row.value)
            self._page.dot(x, y, colour, 9)
        if word:
            near_right = x > self._right - 90
            shift = -9 if near_right else 9
            side: Anchor = "right" if near_right else "left"
            self._page.text(x + shift, y, word, _PALETTE.muted, self._size, anchor=side)

    def _draw_columns(self) -> None:
        x = self._right + parts.GAP
        for column in self._columns:
            self._page.text(x, _TOP - 13, column.header, _PALETTE.muted)
            weight: Weight = "Semibold" if column.bold else "Regular"
            anchor: Anchor = "center" if column.merged else "left"
            shift = column.width / 2 if column.merged else 0.0
            for cell in parts.cells(column, self._bands):
                y = self._middle(cell.middle)
                self._page.text(
                    x + shift, y, cell.text, _PALETTE.ink, self._size, anchor=anchor, weight=weight
                )
            x += column.width + parts.GAP


def _fitting(labels: list[str], size: float) -> list[str]:
    """The labels, cut in the middle until they fit their place or would read alike."""
    most = max(len(label) for label in labels)
    fitting = labels
    while most > 8 and max(text_width(label, size, "Semibold") for label in fitting) > _LABEL:
        most -= 1
        fitting = shortened_apart(labels, most)
    return fitting
