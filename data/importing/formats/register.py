"""The formats, in the order they are asked. A new format is one module and one line here."""

from typing import Final

from data.errors import InputError
from data.importing.formats.base import Format
from data.importing.formats.csv_table import CsvTable
from data.importing.formats.inspect import InspectFormat
from data.importing.formats.json_document import JsonDocument
from data.importing.formats.jsonl import JsonLines
from data.importing.formats.parquet import Parquet

FORMATS: Final[tuple[Format, ...]] = (InspectFormat(), JsonLines(), JsonDocument(), Parquet(), CsvTable())

WIDE: Final = "wide"
WIDE_TITLE: Final = "Wide table, one column a model"


def format_named(name: str) -> Format:
    """The format for a word of ``--format``; ``wide`` is a layout and none of these.

    Raises:
        InputError: there is no such format.
    """
    for one in FORMATS:
        if one.name == name:
            return one
    known = ", ".join((*(one.name for one in FORMATS), WIDE))
    raise InputError(f"there is no format {name!r}; choose one of {known}")
