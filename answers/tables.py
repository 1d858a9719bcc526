"""Tables as plain text for a terminal."""

from collections.abc import Iterator

from analysis import wording
from answers.base import Table

#: A terminal line longer than this wraps and is read by nobody.
WIDEST = 40


def text_rows(table: Table, most: int = 60) -> Iterator[str]:
    """The table in aligned columns, numbers right; a line says how many rows were left out."""
    texts = [
        [_short(wording.cell(value, column.unit)) for value, column in zip(row, table.columns, strict=True)]
        for row in table.rows[:most]
    ]
    heads = [column.label for column in table.columns]
    widths = [max(len(row[index]) for row in [heads, *texts]) for index in range(len(heads))]
    for row in [heads, *texts]:
        yield "  ".join(
            text.ljust(width) if column.unit == "text" else text.rjust(width)
            for text, width, column in zip(row, widths, table.columns, strict=True)
        ).rstrip()
    if len(table.rows) > most:
        yield f"… and {len(table.rows) - most} more rows; --json has them all"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDEST else line[: WIDEST - 1] + "…"
