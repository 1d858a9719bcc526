"""The Data page: what a file is, what becomes of it, what an import did, and the way back."""

import json

import pytest

from data.batches import list_batches
from data.importing import ImportOptions
from data.inbox import queue_files
from data.store import Store, default_path
from tests.pages.eval_rows import results
from ui import holder as holders
from ui import uploads

LONG = b"benchmark,task_id,model,passed\nb,t1,A,1\nb,t2,A,0\nb,t1,B,1\nb,t2,B,1\n"
NO_BENCHMARK = b"model,instance_id,resolved,cost_usd\nA,t1,True,0.1\nA,t2,False,0.2\nB,t1,True,0.3\n"
WITH_ERRORS = b"benchmark,task_id,model,passed\nb,t1,A,1\nb,t2,A,maybe\nb,,A,1\n"


def drop(app, *files):
    """Open Data and drop files of (name, bytes)."""
    app.open("data").check()
    for name, content in files:
        app.at.file_uploader[0].upload(name, content)
    app.at.run()
    return app.check()


def import_button(app):
    return app.at.button(key="import_rows")


def keyed(app, kind, start):
    """The one widget of a kind whose key starts so; the rest of the key names the file."""
    (found,) = [item for item in app.at.get(kind) if item.key and item.key.startswith(start)]
    return found


def batches():
    """What the app's own store holds; the test does not open it a second time."""
    return list_batches(holders.store())


def test_nothing_dropped_shows_the_way_in(app):
    app.open("data").check()
    assert "1 Upload" in app.html
    assert "load_sample" in app.keys("button")
    assert "import_rows" not in app.keys("button")


def test_a_plain_file_is_recognised_checked_and_imported(app):
    drop(app, ("runs.csv", LONG))
    assert "Eval results" in app.html
    assert import_button(app).label == "Import 4 rows"
    app.press("import_rows").check()
    assert "4 rows loaded from runs.csv." in app.html
    assert {"open_leaderboard", "undo_receipt"} <= set(app.keys("button"))
    (batch,) = batches()
    assert (batch.file, batch.loaded) == ("runs.csv", 4)


def test_an_import_is_taken_back_from_its_receipt(app):
    drop(app, ("runs.csv", LONG)).press("import_rows").press("undo_receipt").check()
    assert batches() == []
    assert "open_leaderboard" not in app.keys("button")


def test_an_import_is_taken_back_from_the_list(app, stored):
    stored(results({"A": 0.5}), results({"B": 0.5}))
    app.open("data").check()
    app.at.selectbox(key="chosen_batch").select(1)
    app.press("undo_batch").check()
    assert [batch.batch for batch in batches()] == [2]


def test_a_file_without_a_benchmark_takes_one_for_all_rows(app):
    drop(app, ("my_bench.csv", NO_BENCHMARK))
    box = keyed(app, "text_input", "set_benchmark")
    assert box.value == "my_bench"
    assert keyed(app, "text_input", "set_currency").value == "USD"
    box.set_value("Support tickets").run()
    app.check().press("import_rows").check()
    assert "3 rows loaded" in app.html
    frame = holders.store().query("SELECT DISTINCT benchmark, currency FROM eval_live")
    assert frame.to_numpy().tolist() == [["Support tickets", "USD"]]


def test_an_emptied_benchmark_stops_the_import(app):
    drop(app, ("my_bench.csv", NO_BENCHMARK))
    keyed(app, "text_input", "set_benchmark").set_value(" ").run()
    app.check()
    assert import_button(app).disabled
    assert "No column for benchmark yet." in app.html
    assert "1 needs you" in app.html


def test_rows_that_cannot_be_read_are_listed_by_reason_before_anything_is_stored(app):
    drop(app, ("bad.csv", WITH_ERRORS))
    assert import_button(app).label == "Import 1 row"
    assert "maybe" in app.html
    assert "Download 2 rows set aside" in [button.label for button in app.at.get("download_button")]
    assert batches() == []
    app.press("import_rows").check()
    assert "sw-verdict sw-caution" in app.html
    (batch,) = batches()
    assert (batch.loaded, batch.rejected) == (1, 2)
    assert any("set aside" in button.label for button in app.at.get("download_button"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(200)),
        ("empty.csv", b""),
        ("prose.csv", b"dear all\nplease find enclosed nothing\n"),
        ("half.json", b'{"a": ['),
    ],
)
def test_a_bad_file_is_told_in_words_and_cannot_be_imported(app, name, content):
    drop(app, (name, content))
    assert "Not recognised" in app.html
    assert name in app.html
    assert "--" not in app.html
    assert import_button(app).disabled
    assert batches() == []


MAPPED = b"benchmark,task_id,model,points,area\nb,t1,A,0.5,sql\nb,t2,A,1,web\n"


def remap(app, row, word):
    """Choose another field for a row of the mapping table."""
    (upload,) = app.at.session_state[uploads.KEPT].values()
    (key,) = [key for key in app.keys("data_editor") if upload.id.replace("-", "") in key]
    app.at.session_state[key] = {
        "edited_rows": {row: {"Becomes": word}},
        "added_rows": [],
        "deleted_rows": [],
    }
    app.at.run()
    return app.check()


def test_the_mapping_can_be_corrected(app):
    drop(app, ("scores.csv", MAPPED))
    remap(app, 4, "Split").press("import_rows").check()
    frame = holders.store().query("SELECT split, score FROM eval_live ORDER BY task_id")
    assert frame.to_numpy().tolist() == [["sql", 0.5], ["web", 1.0]]


def test_a_column_can_be_left_out(app):
    drop(app, ("costs.csv", NO_BENCHMARK))
    remap(app, 3, "Leave out").press("import_rows").check()
    assert holders.store().query("SELECT count(cost) AS known FROM eval_live")["known"].item() == 0


def test_a_column_the_rows_need_stays_and_says_why(app):
    drop(app, ("scores.csv", MAPPED))
    remap(app, 3, "Leave out")
    assert "points still becomes score" in app.html


def test_a_column_that_maps_itself_says_so_when_left_out(app):
    drop(app, ("scores.csv", MAPPED))
    remap(app, 2, "Leave out")
    assert "model is a field's own name" in app.html.replace("&#x27;", "'")


def test_the_same_file_twice_changes_nothing(app):
    drop(app, ("runs.csv", LONG)).press("import_rows").press("close_receipt")
    app.at.file_uploader[0].upload("runs.csv", LONG)
    app.at.run()
    app.check()
    assert "batch 1" in app.html
    app.press("import_rows").check()
    assert "changed nothing" in app.html
    assert len(batches()) == 1


def test_results_loaded_already_ask_whether_to_add_or_replace(app):
    drop(app, ("runs.csv", LONG)).press("import_rows").press("close_receipt")
    app.at.file_uploader[0].upload("more.csv", LONG.replace(b"t2,A,0", b"t2,A,1"))
    app.at.run()
    app.press("import_rows").check()
    assert "may be loaded already" in app.html
    assert len(batches()) == 1
    keyed(app, "segmented_control", "repeat").set_value("replace").run()
    app.press("import_rows").check()
    assert len(batches()) == 2
    frame = holders.store().query("SELECT count(*) AS rows FROM eval_live")
    assert frame["rows"].item() == 4


def test_several_files_go_in_together(app):
    drop(app, ("a.csv", LONG), ("b.csv", LONG.replace(b"A", b"C").replace(b"B", b"D")))
    assert import_button(app).label == "Import 8 rows"
    app.press("import_rows").check()
    assert "8 rows loaded from a.csv and b.csv." in app.html


def test_one_bad_file_among_several_holds_all_back(app):
    drop(app, ("a.csv", LONG), ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(200)))
    assert import_button(app).disabled


def test_a_file_can_be_read_as_something_else(app):
    drop(app, ("wide.csv", b"task,Aster 5,Aster 4\nt1,1,0\nt2,1,1\n"))
    keyed(app, "selectbox", "read_as").select("scores").run()
    app.check()
    assert import_button(app).disabled


def test_times_without_a_zone_ask_for_one(app):
    drop(app, ("timed.csv", b"benchmark,task_id,model,passed,started_at\nb,t1,A,1,2026-11-03 09:12:00\n"))
    assert import_button(app).disabled
    keyed(app, "selectbox", "zone").select("Europe/Berlin").run()
    app.check().press("import_rows").check()
    frame = holders.store().query("SELECT CAST(started_at AS VARCHAR) AS at FROM eval_live")
    assert frame["at"].item().startswith("2026-11-03 08:12:00")


def test_cancel_stores_nothing_and_removes_the_copy(app):
    drop(app, ("runs.csv", LONG))
    spool = holders.store().spool
    assert list(spool.glob("upload-*"))
    app.press("cancel_import").check()
    assert not list(spool.glob("upload-*"))
    assert batches() == []
    assert "import_rows" not in app.keys("button")


def test_json_results_are_read_without_a_mapping(app):
    rows = [{"benchmark": "b", "task_id": f"t{number}", "model": "A", "score": 0.5} for number in range(3)]
    drop(app, ("runs.jsonl", "\n".join(map(json.dumps, rows)).encode()))
    assert import_button(app).label == "Import 3 rows"


def test_inspect_logs_need_no_mapping_and_go_in_together(app, shared_data):
    names = ("popularity", "security-guide")
    logs = [next(shared_data("inspect_logs_json").glob(f"*_{name}.json")) for name in names]
    drop(app, *[(log.name, log.read_bytes()) for log in logs])
    assert "Inspect log" in app.html
    assert "there is nothing to map" in app.html
    assert not app.at.get("data_editor")
    app.press("import_rows").check()
    assert len(batches()) == 2


def test_a_wide_file_names_its_models_and_takes_a_benchmark(app, shared_data):
    file = shared_data("swebench_bash_only", "resolved_wide.csv")
    drop(app, (file.name, file.read_bytes()))
    assert "25 columns of models" in app.html
    assert import_button(app).label == "Import 12,500 rows"


def test_the_sample_comes_and_goes(app):
    app.open("data").press("load_sample").check()
    assert "remove_sample" in app.keys("button")
    app.press("remove_sample").check()
    assert batches() == []


def test_an_import_of_another_process_is_committed_and_told(app, tmp_path, monkeypatch):
    monkeypatch.setattr(holders, "WATCH_SECONDS", 0.05)
    app.open("data").check()
    file = tmp_path / "queued.csv"
    file.write_bytes(LONG)
    queue_files(default_path().parent, [file], ImportOptions())
    wait_for(lambda: holders.holder().outcomes)
    app.at.run()
    app.check()
    assert "queued.csv: 4 rows loaded." in app.html
    assert [batch.file for batch in batches()] == ["queued.csv"]


def test_a_queued_import_that_fails_says_why_and_where_it_lies(app, tmp_path, monkeypatch):
    monkeypatch.setattr(holders, "WATCH_SECONDS", 0.05)
    app.open("data").check()
    file = tmp_path / "bad.csv"
    file.write_bytes(b"nothing,here\n1,2\n")
    queue_files(default_path().parent, [file], ImportOptions())
    wait_for(lambda: holders.holder().outcomes)
    app.at.run()
    app.check()
    assert "bad.csv" in app.html
    assert "failed" in app.html


def test_closing_the_holder_gives_the_store_free(app):
    app.open("data").check()
    held = holders.holder()
    held.close()
    assert not held.watcher.is_alive()
    Store.open(default_path()).close()


def wait_for(condition, seconds=20):
    import time

    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "nothing happened in time"
        time.sleep(0.05)
