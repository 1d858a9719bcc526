import json
import os
import sys
import time
from pathlib import Path

import pytest

import data.importing
from data import inbox
from data.batches import commit_batch, list_batches
from data.errors import InputError
from data.importing.staged import ImportOptions
from tests.data.store_files import row, staged

OPTIONS = ImportOptions(
    kind="evals",
    mapping={"score": "Punkte"},
    constants={"benchmark": "b"},
    timezone="Europe/Berlin",
    repeat="add",
)


@pytest.fixture
def asked(monkeypatch):
    """Stands in for reading files: a file's lines are task ids, and ``bad`` is refused."""
    seen = []

    def import_files(store, paths, options):
        seen.append(options)
        reports = []
        with store.scratch() as cursor, store.write(cursor):
            for path in paths:
                tasks = path.read_text(encoding="utf-8").split()
                if "bad" in tasks:
                    raise InputError(f"{path.name}: bad")
                if "crash" in tasks:
                    raise ZeroDivisionError
                rows = [row(task, model=path.name) for task in tasks]
                reports.append(commit_batch(cursor, staged(cursor, rows, name=path.name), options.repeat))
        return reports

    monkeypatch.setattr(data.importing, "import_files", import_files, raising=False)
    return seen


def write(folder, name, text):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_request_is_imported_as_one_with_its_names_and_options(store, tmp_path, asked):
    first, second = write(tmp_path / "x", "r.csv", "t1 t2"), write(tmp_path / "y", "r.csv", "t3")
    queued = inbox.queue_files(store.path.parent, [first, second], OPTIONS)
    first.unlink()
    (outcome,) = inbox.commit_queued(store)
    assert asked == [OPTIONS]
    assert outcome.request == queued.request
    assert [(report.file, report.loaded) for report in outcome.reports] == [("r.csv", 2), ("r.csv", 1)]
    assert inbox.commit_queued(store) == []
    assert list(store.inbox.iterdir()) == []


def test_one_bad_file_of_a_request_stores_nothing_and_is_set_aside(store, tmp_path, asked):
    paths = [write(tmp_path, "good.csv", "t1"), write(tmp_path, "bad.csv", "bad")]
    inbox.queue_files(store.path.parent, paths, OPTIONS)
    (outcome,) = inbox.commit_queued(store)
    assert outcome.error == "bad.csv: bad"
    assert (outcome.kept_in / "message.txt").read_text(encoding="utf-8") == "bad.csv: bad\n"
    assert (outcome.kept_in / "0" / "good.csv").read_text(encoding="utf-8") == "t1"
    assert list_batches(store) == []
    assert inbox.commit_queued(store, everything=True) == []


def test_a_request_left_after_its_commit_changes_nothing(store, tmp_path, asked, monkeypatch):
    inbox.queue_files(store.path.parent, [write(tmp_path, "a.csv", "t1")], OPTIONS)
    monkeypatch.setattr(inbox.shutil, "rmtree", lambda *a, **k: None)
    inbox.commit_queued(store)
    (outcome,) = inbox.commit_queued(store)
    assert [report.duplicate for report in outcome.reports] == [True]
    assert len(list_batches(store)) == 1


def test_a_half_built_request_is_not_seen_and_goes_after_a_day(store, asked):
    half = store.inbox / ".20260101T000000-ab"
    write(half / "0", "a.csv", "t1")
    assert inbox.commit_queued(store, everything=True) == []
    assert half.exists()
    old = time.time() - 100_000
    os.utime(half, (old, old))
    inbox.commit_queued(store)
    assert not half.exists()


def test_a_file_that_cannot_be_read_leaves_nothing_in_the_inbox(store, tmp_path):
    with pytest.raises(InputError, match=r"gone\.csv"):
        inbox.queue_files(store.path.parent, [tmp_path / "gone.csv"], OPTIONS)
    assert list(store.inbox.iterdir()) == []


def test_files_dropped_by_hand_wait_until_asked_for(store, asked):
    write(store.inbox, "a.csv", "t1")
    write(store.inbox, "b.csv", "bad")
    write(store.inbox, ".hidden", "t9")
    (store.inbox / "link.csv").symlink_to(store.inbox / "a.csv")
    assert inbox.commit_queued(store) == []
    assert [file.name for file in inbox.inbox_files(store)] == ["a.csv", "b.csv"]
    good, bad = inbox.commit_queued(store, everything=True)
    assert (good.error, good.kept_in.name, good.kept_in.parent.name) == (None, "a.csv", "imported")
    assert (bad.error, bad.kept_in.parent.name) == ("b.csv: bad", "failed")
    assert inbox.inbox_files(store) == []


def test_a_request_that_stops_the_program_is_set_aside_in_the_end(store, tmp_path, asked):
    inbox.queue_files(store.path.parent, [write(tmp_path, "a.csv", "crash")], OPTIONS)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            inbox.commit_queued(store)
    (outcome,) = inbox.commit_queued(store)
    assert "3 times" in outcome.error


@pytest.mark.parametrize(
    "text",
    [
        "not json",
        "[]",
        json.dumps({"files": ["../../x"], "options": {}}),
        json.dumps({"files": [3], "options": {}}),
        json.dumps({"files": ["a.csv"], "options": {"colour": "red"}}),
    ],
)
def test_a_request_that_is_none_is_set_aside_with_a_sentence(store, asked, text):
    folder = store.inbox / "20260101.request"
    write(folder / "0", "a.csv", "t1")
    write(folder, "request.json", text)
    (outcome,) = inbox.commit_queued(store)
    assert outcome.error
    assert "\n" not in outcome.error
    assert list_batches(store) == []


def test_another_process_queues_while_this_one_holds_the_store(store, tmp_path, asked, run_python):
    path = write(tmp_path, "a.csv", "t1 t2")
    script = (
        "import sys; from pathlib import Path; from data.inbox import queue_files; "
        "from data.importing.staged import ImportOptions; from data.store import Store; "
        "from data.errors import StoreHeldError\n"
        "try: Store.open(sys.argv[1])\n"
        "except StoreHeldError: queue_files(Path(sys.argv[1]).parent, [Path(sys.argv[2])], ImportOptions())"
    )
    done = run_python(script, store.path, path)
    assert done.returncode == 0, done.stderr
    (outcome,) = inbox.commit_queued(store)
    assert outcome.reports[0].loaded == 2


@pytest.fixture
def run_python():
    import subprocess

    root = Path(__file__).parents[2]

    def run(script, *arguments):
        return subprocess.run(
            [sys.executable, "-c", script, *map(str, arguments)],
            cwd=root, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    return run
