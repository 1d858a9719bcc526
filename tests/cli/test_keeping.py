"""Backup, restore and export on the command line."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import cli
from data.store import Store

ROOT = Path(__file__).resolve().parents[2]
BENCH = ("--set", "benchmark=b")
ASK = ("leaderboard", "--benchmark", "b", "--json")


def test_what_was_backed_up_comes_back_and_the_store_before_is_kept(run, two_models, tmp_path):
    run("import", two_models, *BENCH)
    before = run(*ASK).json
    made = run("backup", tmp_path / "b.duckdb", "--json").json
    assert made["batches"] == 1
    assert made["bytes"] == (tmp_path / "b.duckdb").stat().st_size
    run("undo", 1)
    run(*ASK, code=2)
    assert "--replace" in run("restore", tmp_path / "b.duckdb", code=2).err
    done = run("restore", tmp_path / "b.duckdb", "--replace", "--json").json
    assert done["store"] == str(tmp_path / "store.duckdb")
    assert run(*ASK).json == before
    with Store.open(done["set_aside"]) as old:
        assert len(old.query("SELECT 1 FROM eval_live")) == 0


def test_a_restore_into_a_new_place_needs_no_flag(run, two_models, tmp_path, capsys):
    run("import", two_models, *BENCH)
    before = run(*ASK).json
    run("backup", tmp_path / "b.duckdb")
    elsewhere = ("--db", str(tmp_path / "new" / "s.duckdb"))
    assert cli.main([*elsewhere, "restore", str(tmp_path / "b.duckdb")]) == 0
    assert "1 imports restored" in capsys.readouterr().out
    assert cli.main([*elsewhere, *ASK]) == 0
    assert json.loads(capsys.readouterr().out) == before


def test_an_export_loads_again_to_what_it_came_from(run, two_models, tmp_path, capsys):
    run("import", two_models, *BENCH)
    before = run(*ASK).json
    made = run("export", tmp_path / "e.zip", "--json").json
    assert made["rows"] == {"evals": 120}
    assert "120 evals" in run("export", tmp_path / "e2.zip").out
    assert (tmp_path / "e.zip").read_bytes() == (tmp_path / "e2.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "e.zip") as archive:
        archive.extractall(tmp_path / "out")
    for name in ("evals.csv", "evals.parquet"):
        elsewhere = ("--db", str(tmp_path / name / "s.duckdb"))
        assert cli.main([*elsewhere, "import", str(tmp_path / "out" / name)]) == 0
        capsys.readouterr()
        assert cli.main([*elsewhere, *ASK]) == 0
        assert json.loads(capsys.readouterr().out) == before


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["backup"], "FILE"),
        (["backup", "store.duckdb"], "store.duckdb"),
        (["backup", "no/folder/b.duckdb"], "folder"),
        (["export", "store.duckdb"], "store.duckdb"),
        (["restore", "none.duckdb"], "none.duckdb"),
        (["restore", "two.csv", "--replace"], "two.csv"),
        (["restore", "store.duckdb", "--replace"], "the store itself"),
    ],
)
def test_bad_input_is_one_line_and_changes_nothing(run, two_models, monkeypatch, arguments, named):
    monkeypatch.chdir(two_models.parent)
    run("import", two_models, *BENCH)
    before = run(*ASK).json
    assert named in run(*arguments, code=2).err
    assert run(*ASK).json == before


@pytest.mark.parametrize("command", ["backup", "restore", "export"])
def test_a_second_process_is_told_who_holds_the_store(run, two_models, tmp_path, command):
    run("import", two_models, *BENCH)
    run("backup", tmp_path / "b.duckdb")
    file = tmp_path / "b.duckdb" if command == "restore" else tmp_path / "new"
    script = [sys.executable, "cli.py", "--db", str(tmp_path / "store.duckdb"), command, str(file)]
    script += ["--replace"] if command == "restore" else []
    with Store.open(tmp_path / "store.duckdb"):
        done = subprocess.run(script, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is held by process" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "new").exists()
