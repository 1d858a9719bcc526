import csv
import hashlib
import io
import json
import tempfile
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data.backup import backup, restore
from data.batches import undo
from data.export import export_everything
from data.importing import ImportOptions, import_files
from data.queries import benchmarks, eval_cells
from data.scores import published_scores
from data.store import Store
from data.votes import vote_counts
from tests.data.store_files import load, row


def exported(store, path):
    export_everything(store, path)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def again(files, folder, kind, suffix):
    """A store into which one file of the archive was loaded."""
    path = folder / f"{kind}.{suffix}"
    path.write_bytes(files[path.name])
    store = Store.open(folder / f"{kind}-{suffix}" / "s.duckdb", threads=2)
    report = import_files(store, [path], ImportOptions(kind=kind))[0]
    assert (report.rejected, report.duplicate_rows) == (0, 0), report
    return store


def cells(store, *, variants=True):
    found = [eval_cells(store, name) for name in benchmarks(store)["benchmark"]]
    frame = pd.concat(found) if found else pd.DataFrame()
    return frame if variants else frame.drop(columns="variant")


def test_what_counts_stands_in_the_archive_with_its_files_and_sums(store, tmp_path):
    load(store, [row("t1", run="r", score=0.0), row("t2", run="r")], name="old.csv")
    load(store, [row("t1", run="r", score=1.0)], name="new.csv")
    undo(store, load(store, [row("t9", model="gone")]).batch)
    load(store, [{"benchmark": "p", "model": "m", "score": 0.5}], kind="scores")
    load(store, [{"model_a": "x", "model_b": "y", "outcome": 0.5}], kind="votes")
    made = export_everything(store, tmp_path / "e.zip")
    assert dict(made.rows) == {"evals": 2, "scores": 1, "votes": 1}
    assert made.sha256 == hashlib.sha256(made.path.read_bytes()).hexdigest()
    with zipfile.ZipFile(made.path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    listed = json.loads(files["manifest.json"])["files"]
    assert {one["file"] for one in listed} == files.keys() - {"README.txt", "manifest.json"}
    for one in listed:
        content = files[one["file"]]
        assert (one["bytes"], one["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
        if one["file"].endswith(".csv"):
            assert one["rows"] == len(list(csv.DictReader(io.StringIO(content.decode()))))
    evals = list(csv.DictReader(io.StringIO(files["evals.csv"].decode())))
    assert [(one["task_id"], one["score"], one["batch"]) for one in evals] == [
        ("t2", "1.0", "1"),
        ("t1", "1.0", "2"),
    ]
    batches = list(csv.DictReader(io.StringIO(files["batches.csv"].decode())))
    assert [one["file"] for one in batches] == ["old.csv", "new.csv", "results.csv", "results.csv"]


def test_an_empty_store_is_an_archive_of_no_rows(store, tmp_path):
    files = exported(store, tmp_path / "e.zip")
    assert sorted(files) == ["README.txt", "batches.csv", "batches.parquet", "manifest.json"]


def test_nothing_in_a_table_runs_in_a_spreadsheet(store, tmp_path):
    cunning = ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\r=1", "-5", "<b>", '"', "a,b\nc"]
    load(store, [row(f"t{n}", model=text) for n, text in enumerate(cunning)])
    files = exported(store, tmp_path / "e.zip")
    found = [one["model"] for one in csv.DictReader(io.StringIO(files["evals.csv"].decode(), newline=""))]
    assert found == [*(f"'{text}" for text in cunning[:6]), *cunning[6:]]
    with again(files, tmp_path, "evals", "parquet") as other:
        assert set(eval_cells(other, "b")["model"]) == {text.strip() for text in cunning}


def test_the_bytes_hang_on_the_data_alone(tmp_path):
    rows = [row(f"t{n % 977}", model=f"m{n % 7}", run=str(n), score=(n % 11) / 10) for n in range(150_000)]
    with Store.open(tmp_path / "s.duckdb", threads=4) as store:
        load(store, rows)
        made = [export_everything(store, tmp_path / f"{n}.zip").sha256 for n in range(2)]
        done = restore(tmp_path / "r" / "s.duckdb", backup(store, tmp_path / "b.duckdb").path)
    with Store.open(done.path, threads=1) as other:
        made.append(export_everything(other, tmp_path / "3.zip").sha256)
    assert len(set(made)) == 1


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_scores_and_votes_load_again_to_what_they_were(store, tmp_path, suffix):
    load(
        store,
        [
            {"benchmark": "p", "model": "m", "score": 0.1 + 0.2, "n_tasks": 198, "date": "2026-01-31"},
            {"benchmark": "p", "model": "n", "score": 1 / 3, "stderr": 0.01, "metric": "acc", "url": "u"},
        ],
        kind="scores",
    )
    sides = {"model_a": "a", "model_b": "b", "benchmark": "v"}
    votes = [(1.0, None), (0.0, None), (0.5, None), (None, None), (0.7, 0.3), (0.0, 1.0)]
    load(
        store,
        [
            {**sides, "outcome": outcome, "preference": preference, "judge": "j"}
            for outcome, preference in votes
        ],
        kind="votes",
    )
    files = exported(store, tmp_path / "e.zip")
    with again(files, tmp_path, "scores", suffix) as other:
        pd.testing.assert_frame_equal(
            *(
                published_scores(one, "p").drop(columns=["batch", "file", "record_number"])
                for one in (store, other)
            )
        )
    with again(files, tmp_path, "votes", suffix) as other:
        pd.testing.assert_frame_equal(vote_counts(store, "v"), vote_counts(other, "v"))


def test_variants_that_only_settings_tell_apart_stay_apart(store, tmp_path):
    for temperature in (0, 1):
        text = json.dumps({"temperature": temperature})
        load(store, [row("t1", score=float(temperature), run="1", settings=text)], content=temperature)
    files = exported(store, tmp_path / "e.zip")
    with again(files, tmp_path, "evals", "csv") as other:
        assert list(eval_cells(store, "b")["contender"]) == ["m (temperature=0)", "m (temperature=1)"]
        pd.testing.assert_frame_equal(cells(store, variants=False), cells(other, variants=False))


def test_the_metric_that_counts_stays_the_one(store, tmp_path):
    rows = [row("t1", metric="first", headline=False), row("t1", metric="main", headline=True, score=0.25)]
    load(store, rows)
    files = exported(store, tmp_path / "e.zip")
    with again(files, tmp_path, "evals", "csv") as other:
        assert list(benchmarks(other)["headline_metrics"]) == [("main",)]
        pd.testing.assert_frame_equal(cells(store), cells(other))


# Control signs make a file look binary to the importer, which is right.
texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=12).map(
    str.strip
)
names = texts.filter(lambda text: text and not text.startswith(("=", "+", "-", "@")))
attempt = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["a", "b", 'q"uote, d', "ß\n2"]),
        "task_id": names,
        "run": st.none() | st.sampled_from(["1", "2", "x"]),
        "score": st.none() | st.floats(0, 1),
        "cost": st.none() | st.decimals(0, 1000, places=9).map(float),
        "output_tokens": st.none() | st.integers(0, 10**12),
        "latency_ms": st.none() | st.floats(0, 1e9),
        "started_at": st.none() | st.just("2026-03-04 05:06:07.891+00"),
        "variant": st.none() | st.sampled_from(["high", "low"]),
        "domain": st.none() | names,
        "status": st.none() | st.sampled_from(["ok", "timeout"]),
    }
)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(attempt, min_size=1, max_size=10), min_size=1, max_size=3))
def test_exported_evals_load_again_to_equal_cells(files):
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.duckdb", threads=2) as store:
        for number, attempts in enumerate(files):
            keys = [(one["model"], one["variant"], one["task_id"], one["run"]) for one in attempts]
            rows = [
                {"benchmark": "b", **one, "status_ok": one["status"] != "timeout"}
                for place, one in enumerate(attempts)
                if one["run"] is None or keys.index(keys[place]) == place
            ]
            load(store, rows, content=number, repeat="add")
        found = exported(store, Path(folder) / "e.zip")
        for suffix in ("csv", "parquet"):
            with again(found, Path(folder), "evals", suffix) as other:
                pd.testing.assert_frame_equal(cells(store), cells(other))
