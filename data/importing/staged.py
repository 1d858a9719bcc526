"""What a validated file looks like just before it is committed, and what is told about it afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class ImportOptions:
    """What the person said about a file; everything left out is recognised from its content.

    ``mapping`` names the file's header for a canonical field, ``constants`` gives one value for all rows.
    """

    kind: str | None = None
    format: str | None = None
    mapping: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    timezone: str | None = None
    repeat: Literal["add", "replace"] | None = None
    metric: str | None = None


@dataclass(frozen=True)
class Staged:
    """A validated file waiting in temporary tables of the cursor that staged it.

    ``rows_table`` has the typed canonical columns of its kind and ``record_number``; ``rejects_table`` has
    ``record_number, reason, column_name, value, expected, raw``. ``read`` = ``loaded`` + ``rejected`` +
    ``duplicate_rows``. ``mapping`` is everything that, with the bytes, decides what is loaded.
    """

    kind: str
    format: str
    producer: str
    file: str
    sha256: str
    size_bytes: int
    mapping: Mapping[str, Any]
    rows_table: str
    rejects_table: str
    read: int
    loaded: int
    rejected: int
    duplicate_rows: int
    reasons: Mapping[str, int]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class BatchReport:
    """The receipt of one file. ``duplicate``: the same bytes and mapping were loaded before."""

    batch: int
    kind: str
    format: str
    file: str
    sha256: str
    read: int
    loaded: int
    rejected: int
    duplicate_rows: int
    superseded: int
    duplicate: bool
    warnings: tuple[str, ...]
    reasons: Mapping[str, int]
    imported_at: str
