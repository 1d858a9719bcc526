"""How a text table is laid out, judged on its beginning: delimiter, quotes, where its header stands."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE_RECORDS = 200
_PREAMBLE_LINES = 20

TITLES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}


@dataclass(frozen=True)
class Dialect:
    """``skip`` lines stand before the header record; ``sample`` holds the first records after it."""

    delimiter: str
    quote: str
    escape: str
    skip: int
    header: tuple[str, ...]
    columns: int
    sample: tuple[tuple[str, ...], ...]

    @property
    def decimal_comma(self) -> bool:
        """Whether ``1,234`` is one and a bit: semicolons between the cells leave the comma to decimals."""
        return self.delimiter == ";"


def sniff(head: bytes, *, whole: bool) -> Dialect:
    """The most even layout among the usual ones; a comma when the text has one column."""
    text = head.decode("utf-8", errors="replace")
    if not whole:
        text = text[: text.rfind("\n") + 1] or text
    skip, text = _without_leading_blanks(text)
    quote = "'" if '"' not in text and _single_quoted(text) else '"'
    escape = "\\" if f"\\{quote}" in text and quote * 2 not in _without_empty(text, quote) else quote
    best: tuple[float, int, Dialect] | None = None
    for delimiter in _DELIMITERS:
        dialect, evenness = _lay_out(text, delimiter, quote, escape, skip)
        if dialect.columns < 2:
            continue
        score = (round(evenness, 3), dialect.columns, dialect)
        if best is None or score[:2] > best[:2]:
            best = score
    return best[2] if best else _lay_out(text, ",", quote, escape, skip)[0]


def records(text: str, delimiter: str, quote: str, escape: str) -> list[list[str]]:
    """The first records of a text; a record that is too damaged for a reader ends the list."""
    reader = csv.reader(io.StringIO(text, newline=""), reading(delimiter, quote, escape))
    found: list[list[str]] = []
    try:
        for record in reader:
            found.append(record)
            if len(found) >= _SAMPLE_RECORDS:
                break
    except csv.Error:
        return found
    return found


def reading(delimiter: str, quote: str, escape: str, *, strict: bool = False) -> type[csv.Dialect]:
    """The dialect in the words of Python's reader."""
    return type(
        "_Reading",
        (csv.Dialect,),
        {
            "delimiter": delimiter,
            "quotechar": quote,
            "doublequote": escape == quote,
            "escapechar": None if escape == quote else escape,
            "lineterminator": "\n",
            "quoting": csv.QUOTE_MINIMAL,
            "strict": strict,
        },
    )


def _lay_out(text: str, delimiter: str, quote: str, escape: str, skip: int) -> tuple[Dialect, float]:
    rows = records(text, delimiter, quote, escape)
    filled = [row for row in rows if row]
    usual = _usual_length(filled)
    start = _header_at(rows, usual)
    header = rows[start] if rows else []
    body = [row for row in rows[start + 1 :] if row]
    columns = max(len(header), usual if body else 0, 1)
    even = sum(1 for row in body if len(row) == len(header)) / len(body) if body else 1.0
    dialect = Dialect(
        delimiter=delimiter,
        quote=quote,
        escape=escape,
        skip=skip + start,
        header=tuple(header) + ("",) * (columns - len(header)),
        columns=columns,
        sample=tuple(tuple(row) for row in body),
    )
    return dialect, even


def _usual_length(rows: Sequence[Sequence[str]]) -> int:
    counts = Counter(len(row) for row in rows)
    return max(counts, key=lambda length: (counts[length], length)) if counts else 0


def _header_at(rows: Sequence[Sequence[str]], usual: int) -> int:
    """Titles above a table stand in lines of one cell; the header is the first full line after them."""
    if usual < 2:
        return 0
    for place, row in enumerate(rows[:_PREAMBLE_LINES]):
        if len(row) >= usual:
            return place
        if len([cell for cell in row if cell.strip()]) > 1 or any("\n" in cell for cell in row):
            return 0
    return 0


def _without_leading_blanks(text: str) -> tuple[int, str]:
    blank = re.match(r"(?:[ \t]*(?:\r\n|\n|\r))*", text)
    lines = len(re.findall(r"\r\n|\n|\r", blank[0])) if blank else 0
    return lines, text[blank.end() :] if blank else text


def _single_quoted(text: str) -> bool:
    cells = re.findall(r"(?:^|[,;\t|])'[^'\n]*'(?=[,;\t|\r\n]|$)", text[:20000], re.MULTILINE)
    return len(cells) > 3


def _without_empty(text: str, quote: str) -> str:
    return re.sub(rf"(?<=[,;\t|\n]){re.escape(quote * 2)}(?=[,;\t|\r\n])", "", text)


def plain(found: Dialect) -> Dialect:
    """The layout that a rewritten file has: commas, double quotes, the header in the first line."""
    return replace(found, delimiter=",", quote='"', escape='"', skip=0)
