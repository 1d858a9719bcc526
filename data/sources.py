"""Where rows came from: the file behind every number."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SourceFile:
    """One import batch as a source of an answer; ``imported_at`` is UTC in ISO 8601."""

    batch: int
    file: str
    sha256: str
    kind: str
    format: str
    rows_read: int
    rows_loaded: int
    rows_rejected: int
    rows_duplicate: int
    rows_superseded: int
    imported_at: str
