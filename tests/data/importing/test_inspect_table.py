"""A table exported with ``samples_df()`` is no log: it is mapped by a person and never guessed into rows."""

import csv

import pytest

from data.errors import InputError
from data.importing import ImportOptions, import_files
from data.queries import eval_cells

HEADER = (
    "sample_id", "eval_id", "log", "id", "epoch", "input", "target", "metadata_category", "score_match",
    "model_usage", "total_tokens", "total_time", "working_time", "message_count", "turn_count", "error", "limit",
    "retries",
)  # fmt: skip
MAPPING = {
    "task_id": "id",
    "run": "epoch",
    "score": "score_match",
    "status": "error",
    "turns": "turn_count",
    "latency_s": "working_time",
    "domain": "metadata_category",
}


def row(uuid, task, epoch, score, error=""):
    usage = '{"openai/m": {"input_tokens": 5}}'
    question = 'said "yes",\nthen no'
    return (
        uuid, "E1", "logs/a.eval", task, epoch, question, "Yes", "easy", score, usage, 10, 2.5, 1.25, 3, 1, error, "", "",
    )  # fmt: skip


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "samples.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [
                HEADER,
                row("u1", 1, 1, "C"),
                row("u2", 1, 2, "I"),
                row("u3", 2, 1, "P"),
                row("u4", 2, 2, "", "died"),
            ]
        )
    return path


def test_without_a_mapping_it_says_what_it_lacks(store, table):
    with pytest.raises(InputError, match="lacks benchmark, task_id, model, score or passed"):
        import_files(store, [table], ImportOptions())


def test_with_the_mapping_of_the_document_it_gives_cells(store, table):
    options = ImportOptions(mapping=MAPPING, constants={"benchmark": "pop", "model": "openai/m"})
    (report,) = import_files(store, [table], options)
    assert (report.kind, report.format, report.loaded, report.rejected) == ("evals", "csv", 4, 0)
    cells = eval_cells(store, "pop").set_index("task_id")
    assert cells["score_sum"].to_dict() == {"1": 1.0, "2": 0.5}
    assert cells["scored"].to_dict() == {"1": 2, "2": 1}
    assert cells["failed_rows"].to_dict() == {"1": 0, "2": 1}
    assert set(cells["domain"]) == {"easy"}
    assert cells["latency_ms_sum"].iloc[0] == 2500.0
