import csv

import pytest

from data.batches import RepeatNeededError, list_batches, undo, write_rejects
from data.errors import InputError
from tests.data.store_files import load, row


def live(store):
    frame = store.query("SELECT benchmark, task_id, model, run, score FROM eval_live ORDER BY ALL")
    return [tuple(values) for values in frame.itertuples(index=False)]


def test_a_file_is_loaded_once(store):
    first = load(store, [row("t1"), row("t2", score=0.0)])
    again = load(store, [row("t1"), row("t2", score=0.0)])
    assert (first.batch, first.loaded, first.duplicate) == (1, 2, False)
    assert (again.batch, again.loaded, again.duplicate) == (1, 0, True)
    assert again.read == again.loaded + again.rejected + again.duplicate_rows
    assert len(live(store)) == 2
    assert [report.batch for report in list_batches(store)] == [1]


def test_the_same_bytes_load_again_after_an_undo_under_a_new_number(store):
    load(store, [row()])
    undo(store, 1)
    again = load(store, [row()])
    assert (again.batch, again.loaded, again.duplicate) == (2, 1, False)


def test_repeats_without_a_run_are_numbered_in_file_order(store):
    load(store, [row("t1", score=1.0), row("t2", score=0.5), row("t1", score=0.25)])
    assert live(store) == [
        ("b", "t1", "m", "1", 1.0),
        ("b", "t1", "m", "2", 0.25),
        ("b", "t2", "m", "1", 0.5),
    ]


def test_results_without_runs_of_a_loaded_contender_ask(store):
    load(store, [row("t1", score=1.0)], name="a.csv")
    with pytest.raises(RepeatNeededError, match=r"m on b.*--repeat add.*--repeat replace") as asked:
        load(store, [row("t1", score=0.0)], name="b.csv")
    assert asked.value.contenders == (("b", "m", ""),)
    assert [report.file for report in list_batches(store)] == ["a.csv"]
    assert live(store) == [("b", "t1", "m", "1", 1.0)]


def test_add_gives_more_runs_and_replace_hides_the_earlier_ones(store):
    load(store, [row("t1", score=1.0)], content="a")
    load(store, [row("t1", score=0.0)], content="b", repeat="add")
    assert [values[4] for values in live(store)] == [0.0, 1.0]
    report = load(store, [row("t1", score=0.5)], content="c", repeat="replace")
    assert report.superseded == 2
    assert [values[4] for values in live(store)] == [0.5]
    undo(store, 2)
    undo(store, 3)
    assert [values[4] for values in live(store)] == [1.0]


def test_a_file_with_runs_asks_where_the_loaded_one_has_none(store):
    load(store, [row("t1")])
    with pytest.raises(RepeatNeededError):
        load(store, [row("t1", run="7")])


def test_a_record_that_comes_again_takes_the_place_of_the_earlier_one(store):
    load(store, [row("t1", run="1", score=1.0), row("t2", run="1", score=1.0)])
    report = load(store, [row("t1", run="1", score=0.0), row("t2", run="1", score=1.0), row("t3", run="1")])
    assert report.superseded == 2
    assert any("2 rows" in text and "1 with other values" in text for text in report.warnings)
    assert [values[4] for values in live(store)] == [0.0, 1.0, 1.0]


def test_a_corrected_task_name_takes_the_place_where_the_run_names_the_record(store):
    load(store, [row("t1", run="run-ab1"), row("t2", run="run-ab2")])
    load(store, [row("t1", run="run-ab1"), row("renamed", run="run-ab2")])
    assert [values[1] for values in live(store)] == ["renamed", "t1"]


def test_row_numbers_are_no_record_ids(store):
    load(store, [row("t1", run="0"), row("t2", run="1")])
    load(store, [row("t3", run="0"), row("t4", run="1")])
    assert len(live(store)) == 4


def test_undo_names_an_unknown_and_an_undone_batch(store):
    load(store, [row()])
    with pytest.raises(InputError, match="999999"):
        undo(store, 999999)
    undo(store, 1)
    with pytest.raises(InputError, match="batch 1 was undone"):
        undo(store, 1)


def test_scores_outside_0_to_1_are_refused_whole(store):
    with pytest.raises(InputError, match="from 0 to 7"):
        load(store, [row("t1", score=0.0), row("t2", score=7.0)])
    with pytest.raises(InputError, match="from 1 to inf"):
        load(store, [row("t1", score=float("inf")), row("t2", score=1.0)], content="x")
    assert live(store) == []


@pytest.mark.parametrize("latency", [-1.0, 1e12, float("inf")])
def test_a_latency_that_cannot_be_is_refused_whole(store, latency):
    with pytest.raises(InputError, match="latency"):
        load(store, [row("t1", latency_ms=latency)])
    assert live(store) == []


def test_rejects_are_written_inert(store, tmp_path):
    rejects = [
        (2, "score is not a number", "score", "=cmd|'/c calc'!A1", "0..1", 't2,"m",=cmd'),
        (3, "score is not a number", "score", "-1.5e3", "0..1", "+SUM(A1)"),
    ]
    load(store, [row()], rejects=rejects)
    out = tmp_path / "rejects.csv"
    assert write_rejects(store, 1, out) == 2
    with out.open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert [line[3] for line in lines[1:]] == ["'=cmd|'/c calc'!A1", "-1.5e3"]
    assert lines[2][5] == "'+SUM(A1)"
    with pytest.raises(InputError, match="999"):
        write_rejects(store, 999, out)
    with pytest.raises(InputError, match="nowhere"):
        write_rejects(store, 1, tmp_path / "nowhere" / "x.csv")


@pytest.mark.parametrize(
    "text", ["'; DROP TABLE eval_result; --", '"quoted"', "<b>html</b>", "a\nb", "=1+1", "naïve — ✓"]
)
def test_text_of_any_sort_is_inert(store, text):
    fields = {"variant": text, "domain": text, "run": text, "split": text, "cluster_id": text, "url": text}
    load(store, [{**row(task=text, model=text), "benchmark": text, **fields}], name=text)
    frame = store.query("SELECT * FROM eval_live")
    assert {frame[name][0] for name in ("benchmark", "task_id", "model", *fields)} == {text}
    assert list_batches(store)[0].file == text


def test_published_scores_of_one_day_take_the_place_of_earlier_ones(store):
    def score(value, date="2026-01-01"):
        return {"benchmark": "b", "model": "m", "score": value, "n_tasks": 100, "date": date}

    load(store, [score(0.5)], kind="scores")
    report = load(store, [score(0.6), score(0.7, "2026-02-01")], kind="scores")
    assert report.superseded == 1
    frame = store.query("SELECT score FROM published_live ORDER BY score")
    assert list(frame["score"]) == [0.6, 0.7]
    undo(store, 2)
    assert list(store.query("SELECT score FROM published_live")["score"]) == [0.5]
