"""The sample in the store: loaded like any file, found again, removed like any import."""

import tempfile
from pathlib import Path
from typing import Final

from data.batches import list_batches, undo
from data.importing import BatchReport, ImportOptions, import_files
from data.sample.generate import FILE_NAME, write_sample
from data.sample.truth import DEFAULT_SEED
from data.store import Store

#: An older edition of the sample is replaced, never added to.
_OPTIONS: Final = ImportOptions(kind="evals", repeat="replace")


def load_sample(store: Store, seed: int = DEFAULT_SEED) -> list[BatchReport]:
    """Import the sample; where it is loaded already, the reports say ``duplicate``."""
    with tempfile.TemporaryDirectory(prefix="switchover-sample-") as folder:
        return list(import_files(store, list(write_sample(Path(folder), seed)), _OPTIONS))


def has_sample(store: Store) -> bool:
    """Whether the sample is loaded."""
    return bool(_sample_batches(store))


def remove_sample(store: Store) -> list[BatchReport]:
    """Undo every import of the sample, the latest first; empty where there is none."""
    return [undo(store, batch) for batch in sorted(_sample_batches(store), reverse=True)]


def _sample_batches(store: Store) -> list[int]:
    return [report.batch for report in list_batches(store) if report.file == FILE_NAME]
