"""What a file format is: it recognises a file by its content and reads it into a table of text.

Everything a format reads comes from a :class:`SpooledFile`, a private copy under a random name; no path
that a person chose ever reaches SQL.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import duckdb

from data.importing.staged import ImportOptions

BLANKS = " \t\n\r\u00a0"
"""Signs that are cut from the ends of a cell."""
Content = Literal["text", "json", "parquet", "zip", "binary"]


@dataclass(frozen=True)
class SpooledFile:
    """One file in the spool. Text is UTF-8 without a byte order mark, whatever it was; gzip is unpacked.

    ``name`` is for messages only. ``sha256`` and ``size_bytes`` describe the bytes as they were given.
    ``head`` is the beginning of the spooled bytes (at most ``HEAD_BYTES``); ``whole``: it is all of them.
    Of a text, ``blanks`` are those of :data:`BLANKS` that a cell of it can hold, and ``longest_line_bytes``
    is the longest stretch without a line end, within the grain of :mod:`data.importing.spool`.
    """

    path: Path
    name: str
    sha256: str
    size_bytes: int
    content: Content
    encoding: str
    head: bytes
    whole: bool
    blanks: str = BLANKS
    longest_line_bytes: int = 0


HEAD_BYTES = 1 << 20


@dataclass(frozen=True)
class Recognition:
    """A format's claim on a file.

    ``kinds`` lists what the file can hold; empty means that the columns decide. ``certain`` means that the
    content carries marks of its producer; a certain claim beats all that are not. ``why`` completes the
    sentence "Recognised by ...".
    """

    kinds: tuple[str, ...]
    certain: bool
    why: str
    producer: str = ""


@dataclass(frozen=True)
class RawColumn:
    """One column of a raw table: its SQL name and its header in the file (may be empty or repeated)."""

    sql_name: str
    header: str


@dataclass(frozen=True)
class Refused:
    """A record that could not be read at all; it counts as read and as rejected."""

    record_number: int
    reason: str
    expected: str
    raw: str


@dataclass(frozen=True)
class RawTable:
    """What a format read.

    ``table`` names a temporary table or view of the reading cursor with one VARCHAR column for each of
    ``columns`` (a missing value is NULL), and ``record_number`` (BIGINT, from 1, in file order) unless
    ``numbered`` is false: then its rows come in file order and are numbered when they are stored.
    ``kind`` is None where the columns decide. ``canonical``: headers are field names of the kind already, and
    nothing is guessed or remembered; such a table may carry fields a person cannot map
    (:class:`data.importing.kinds.base.Field` ``native_only``).

    ``refused`` are records that could not be read. ``parser_rejects`` names a table that DuckDB's reader
    fills with such records while ``table`` is scanned; ``careful`` then reads the file again, slower and
    exactly. ``settings`` goes into the batch's mapping beside the person's own (a scorer chosen, a metric),
    so that the same bytes read differently are another batch. ``details`` are facts for the page (delimiter,
    header line). ``sample`` holds the first records as text, for the page and for guesses; native formats may
    leave it out. ``blanks`` are those of :data:`BLANKS` that a cell can begin or end with.
    """

    table: str
    columns: tuple[RawColumn, ...]
    kind: str | None = None
    producer: str = ""
    canonical: bool = False
    refused: tuple[Refused, ...] = ()
    warnings: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, str] = field(default_factory=dict)
    numbered: bool = True
    parser_rejects: str | None = None
    careful: "Callable[[], RawTable] | None" = None
    sample: tuple[tuple[str | None, ...], ...] = ()
    decimal_comma: bool = False
    blanks: str = BLANKS


class Format(Protocol):
    """One file format. Stateless; listed once in :mod:`data.importing.formats.register`."""

    @property
    def name(self) -> str:
        """The word for ``--format``."""
        ...

    @property
    def title(self) -> str:
        """What people call it, for the page and the documents."""
        ...

    def recognise(self, file: SpooledFile) -> Recognition | None:
        """Look at the content (``file.head``, or the directory of a zip); None when it is something else."""
        ...

    def read(self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> RawTable:
        """Read all records into a temporary table of ``cursor``.

        Raises:
            data.errors.InputError: the file cannot be read; the message names ``file.name``.
        """
        ...
