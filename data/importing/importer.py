"""Files into the store: all of them or none, in one transaction."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from data import batches
from data.importing import staging
from data.importing.spool import Spool
from data.importing.staged import BatchReport, ImportOptions

if TYPE_CHECKING:
    from data.store import Store


def import_files(
    store: "Store",
    paths: Sequence[str | Path],
    options: ImportOptions,
    file_names: Sequence[str] | None = None,
) -> list[BatchReport]:
    """Import files, and each file of a zip archive by itself; one report a file, in order.

    ``file_names`` are the names to show where ``paths`` are temporary ones.

    Raises:
        InputError: a file cannot be read, nothing of it can be loaded, or the mapping does not fit; then
            nothing is stored of any file.
    """
    names = list(file_names) if file_names is not None else [None] * len(paths)
    with Spool(store.spool) as spool, store.scratch() as cursor:
        spooled = [spool.add(Path(path), name) for path, name in zip(paths, names, strict=True)]
        files = [part for file in spooled for part in staging.files_of(spool, file, options)]
        readings = [staging.read(cursor, file, options) for file in files]
        staged = [staging.stage(cursor, reading) for reading in readings]
        reports: list[BatchReport] = []
        with store.write(cursor):
            for reading, one in zip(readings, staged, strict=True):
                together = [report.batch for report in reports if not report.duplicate]
                reports.append(batches.commit_batch(cursor, one, options.repeat, together=together))
                staging.remember(cursor, reading, options)
    return reports
