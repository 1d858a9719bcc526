"""The careful way through a text table: Python's reader, record by record, odd ones set aside exactly."""

import csv
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from data.errors import InputError
from data.importing.formats.base import Refused
from data.importing.formats.dialect import Dialect, reading
from data.importing.limits import MAX_RAW, MAX_RECORD_BYTES, MAX_REFUSED

_LONG_LINE: Final = "\x00too long"
FEWER: Final = "Fewer cells than the header"
MORE: Final = "More cells than the header"
QUOTES: Final = "A quote is not closed, or stands inside a cell"
TOO_LONG: Final = "Longer than 16 MB"
DAMAGED: Final = "Not valid UTF-8"

csv.field_size_limit(MAX_RECORD_BYTES)


class _Lines:
    """The lines of a file for a reader; remembers the text of the record that is being read."""

    def __init__(self, source: IO[str]) -> None:
        self._source = source
        self.record = ""
        self.long = False

    def start(self) -> None:
        """Begin a new record."""
        self.record, self.long = "", False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._source.readline(MAX_RECORD_BYTES)
        if not line:
            raise StopIteration
        if len(line) == MAX_RECORD_BYTES and not line.endswith(("\n", "\r")):
            self.long = True
            while line and not line.endswith(("\n", "\r")):
                line = self._source.readline(MAX_RECORD_BYTES)
            line = "\n"
            self.record = self.record or "(one very long line)"
        if len(self.record) < MAX_RAW:
            self.record += line[:MAX_RAW]
        return line


def rewrite(source: Path, target: Path, found: Dialect, name: str) -> tuple[Refused, ...]:
    """Write the good records of ``source`` to ``target`` as plain CSV with one header line; give the others.

    Blank lines are no records. A record is good when it has as many cells as the header, or one more that is
    empty, and its quotes are in order.

    Raises:
        InputError: so many records are odd that the layout was not understood.
    """
    refused: list[Refused] = []
    with (
        source.open(encoding="utf-8", errors="surrogateescape", newline="") as text,
        target.open("w", encoding="utf-8", newline="") as clean,
    ):
        lines = _Lines(text)
        for _ in itertools.repeat(None, found.skip):
            next(lines, None)
        reader = csv.reader(lines, reading(found.delimiter, found.quote, found.escape, strict=True))
        # Quotes around every cell: before Python 3.13 a line end of another kind would stand bare.
        writer = csv.writer(clean, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(f"c{place}" for place in range(found.columns))
        _read_record(reader, lines)
        number = 0
        while (record := _read_record(reader, lines)) is not None:
            if record == [] and not lines.long:
                continue
            number += 1
            trouble = _trouble(record, found.columns, lines)
            if trouble:
                reason, expected = trouble
                refused.append(Refused(number, reason, expected, _printable(lines.record)))
                if len(refused) > MAX_REFUSED:
                    raise InputError(
                        f"{name}: more than {MAX_REFUSED:,} records do not fit the header, the first is "
                        f"record {refused[0].record_number} ({refused[0].reason.lower()}); "
                        "check the delimiter and the quotes"
                    )
            else:
                writer.writerow(record[: found.columns] if isinstance(record, list) else ())
    return tuple(refused)


def _read_record(reader: Iterator[list[str]], lines: _Lines) -> list[str] | csv.Error | None:
    lines.start()
    try:
        return next(reader)
    except StopIteration:
        return None
    except csv.Error as error:
        return error


def _trouble(record: list[str] | csv.Error, columns: int, lines: _Lines) -> tuple[str, str] | None:
    if lines.long or (isinstance(record, csv.Error) and "field larger" in str(record)):
        return TOO_LONG, "a record of at most 16 MB"
    if isinstance(record, csv.Error):
        return QUOTES, "quotes around whole cells, quotes inside them doubled"
    if len(record) < columns or len(record) > columns + 1 or record[columns:] not in ([], [""]):
        return (FEWER if len(record) < columns else MORE), f"{columns} cells, found {len(record)}"
    if any(_is_damaged(cell) for cell in record):
        return DAMAGED, "a file saved as UTF-8"
    return None


def _is_damaged(cell: str) -> bool:
    return not cell.isascii() and any("\udc80" <= sign <= "\udcff" for sign in cell)


def _printable(record: str) -> str:
    return record.encode("utf-8", errors="replace").decode("utf-8").rstrip("\r\n")[:MAX_RAW]
