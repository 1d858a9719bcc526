"""The record itself: canonical JSON, indented for people; ``verify`` reads it back."""

from report import canonical
from report.record import Record


def export_json(made: Record) -> bytes:
    """The whole record; unknown is null."""
    return canonical.pretty(made)
