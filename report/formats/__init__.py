"""The formats a record can leave in: one record, the same bytes in any process."""

from collections.abc import Callable, Mapping

from data.errors import InputError
from report import canonical
from report.formats.csv import export_csv
from report.formats.json import export_json
from report.formats.markdown import export_markdown
from report.layout import Document, lay_out
from report.record import Record


def _html(laid_out: Document) -> bytes:
    # Drawing libraries take a second to import, and most commands draw nothing.
    from report.formats.html import export_html  # noqa: PLC0415 - see above

    return export_html(laid_out)


#: Format name (also the file's extension) to its writer.
FORMATS: Mapping[str, Callable[[Record], bytes]] = {
    "json": export_json,
    "md": lambda made: export_markdown(document(made)),
    "html": lambda made: _html(document(made)),
    "csv": export_csv,
}


def document(made: Record) -> Document:
    """The record laid out, with the digest of its seals."""
    return lay_out(made, canonical.digest(made.seals))


def export(made: Record, form: str) -> bytes:
    """The record as a file of that format.

    Raises:
        InputError: the format is unknown.
    """
    if form not in FORMATS:
        raise InputError(f"--format cannot be {form!r}; choose one of {', '.join(FORMATS)}")
    return FORMATS[form](made)
