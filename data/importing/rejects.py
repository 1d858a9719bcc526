"""Rows a file would have set aside, before it is imported."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from data.importing import staging
from data.importing.spool import Spool
from data.importing.sql import identifier
from data.importing.staged import ImportOptions

if TYPE_CHECKING:
    from data.store import Store

REJECT_COLUMNS: Final = ("record_number", "reason", "column", "value", "expected", "record")


def rejected_rows(
    store: "Store", path: str | Path, options: ImportOptions, file_name: str | None = None
) -> list[tuple[int | str | None, ...]]:
    """The records an import with these options would set aside, in file order, as ``REJECT_COLUMNS``.

    Of an archive of several files, those of all files one after the other.

    Raises:
        InputError: the file cannot be read, or its mapping lacks a needed field.
    """
    found: list[tuple[int | str | None, ...]] = []
    with Spool(store.spool) as spool, store.scratch() as cursor:
        for file in staging.files_of(spool, spool.add(Path(path), file_name), options):
            reading = staging.read(cursor, file, options)
            staging.require_complete(reading)
            checked = staging.validate(cursor, reading)
            found += cursor.execute(
                "SELECT record_number, reason, column_name, value, expected, raw "
                f"FROM {identifier(checked.rejects_table)} ORDER BY record_number, column_name, reason"
            ).fetchall()
    return found
