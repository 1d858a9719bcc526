"""What a kind of data is: its canonical fields, and how raw text becomes typed rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

import duckdb

from data.importing.formats.base import RawTable

Shape = Literal["text", "share", "flag", "number", "count", "time", "day", "code"]


@dataclass(frozen=True)
class Field:
    """One canonical field. ``needed``: "yes", "no", or what it can stand in for (shown as it is).

    ``synonyms`` are headers, lower case with every run of other signs as one underscore, that suggest the
    field; a suggestion is shown as a guess. ``native_only`` fields come from formats alone and cannot be
    mapped.
    """

    name: str
    title: str
    meaning: str
    example: str
    needed: str = "no"
    synonyms: tuple[str, ...] = ()
    shape: Shape = "text"
    native_only: bool = False


@dataclass(frozen=True)
class Assignment:
    """Where each field's text comes from: a column of the raw table (its SQL name) or one value for all rows.

    ``headers`` gives the file's header for each field in ``columns``; ``scale`` and ``ties`` are the reserved
    words of ``--set``.
    """

    columns: Mapping[str, str]
    constants: Mapping[str, str]
    headers: Mapping[str, str]
    timezone: str | None = None
    scale: tuple[float, float] | None = None
    ties: tuple[str, ...] = ()

    @property
    def fields(self) -> frozenset[str]:
        """The fields that have a source."""
        return frozenset(self.columns) | frozenset(self.constants)


@dataclass(frozen=True)
class ReasonRow:
    """Why records were set aside, for the report: how many, the first of them, and what can be done."""

    reason: str
    rows: int
    first_record: int
    column: str
    value: str
    expected: str
    advice: str


@dataclass(frozen=True)
class Validated:
    """Typed rows and set-aside records in temporary tables, as ``data.importing.staged.Staged`` says.

    ``zoneless`` is the first text of a time without a zone where no zone was chosen: nothing may be stored.
    """

    rows_table: str
    rejects_table: str
    read: int
    loaded: int
    rejected: int
    duplicate_rows: int
    reasons: tuple[ReasonRow, ...]
    warnings: tuple[str, ...]
    zoneless: str | None = None


class Kind(Protocol):
    """One kind of data. Stateless; listed once in :mod:`data.importing.kinds.register`."""

    @property
    def name(self) -> str:
        """The word for ``--kind``."""
        ...

    @property
    def title(self) -> str:
        """What people call it."""
        ...

    @property
    def fields(self) -> tuple[Field, ...]:
        """The canonical fields in the order of the contract."""
        ...

    def missing(self, present: frozenset[str]) -> tuple[str, ...]:
        """What is still needed, in words that follow "no column for"; empty when a file can be read."""
        ...

    def foreign(self, headers: frozenset[str]) -> bool:
        """Whether these headers say that a file is of another kind, although nothing is missing."""
        ...

    def validate(self, cursor: duckdb.DuckDBPyConnection, raw: RawTable, chosen: Assignment) -> Validated:
        """Cast, check and number the rows; stores nothing."""
        ...
