"""What a file would set aside can be had before it is imported."""

import pytest

from data.batches import list_batches
from data.errors import InputError
from data.importing import ImportOptions
from data.importing.rejects import REJECT_COLUMNS, rejected_rows


def test_rows_are_those_an_import_would_set_aside_and_nothing_is_stored(store, tmp_path):
    file = tmp_path / "runs.csv"
    file.write_text("benchmark,task_id,model,passed\nb,t1,A,1\nb,t2,A,maybe\nb,,A,1\n")
    rows = rejected_rows(store, file, ImportOptions())
    assert [row[0] for row in rows] == [2, 3]
    assert dict(zip(REJECT_COLUMNS, rows[0], strict=True))["value"] == "maybe"
    assert list_batches(store) == []
    assert not any(store.spool.iterdir())


def test_an_incomplete_mapping_is_refused(store, tmp_path):
    file = tmp_path / "runs.csv"
    file.write_text("task_id,model,passed\nt1,A,1\n")
    with pytest.raises(InputError, match="benchmark"):
        rejected_rows(store, file, ImportOptions(kind="evals"))
