"""The way in: recognise, map, validate, stage, report, commit."""

from data.importing.catalogue import (
    FieldInfo,
    FormatInfo,
    KindInfo,
    canonical_fields,
    formats,
    kinds,
    template,
)
from data.importing.importer import import_files
from data.importing.kinds.base import ReasonRow
from data.importing.mapping import ColumnUse
from data.importing.preview import Counts, Preview, check_file, suggest_mapping
from data.importing.staged import BatchReport, ImportOptions

__all__ = [
    "BatchReport",
    "ColumnUse",
    "Counts",
    "FieldInfo",
    "FormatInfo",
    "ImportOptions",
    "KindInfo",
    "Preview",
    "ReasonRow",
    "canonical_fields",
    "check_file",
    "formats",
    "import_files",
    "kinds",
    "suggest_mapping",
    "template",
]
