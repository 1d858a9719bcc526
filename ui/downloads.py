"""Tables as CSV that a spreadsheet opens without running anything in it."""

import csv
import io
from collections.abc import Sequence

from answers.base import Table

#: A cell that begins so is a formula to a spreadsheet; the apostrophe makes it text.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def safe_text(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def csv_bytes(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """UTF-8 with a byte-order mark, so that a spreadsheet reads accents; unknown is empty, no rounding."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe_text(header) for header in headers])
    for row in rows:
        writer.writerow([_written(value) for value in row])
    return out.getvalue().encode("utf-8-sig")


def table_csv(table: Table) -> bytes:
    """A table with its machine names as header."""
    return csv_bytes([column.name for column in table.columns], table.rows)


def _written(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return safe_text(value) if isinstance(value, str) else value
