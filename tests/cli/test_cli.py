"""The headless contract: exit codes, one JSON object, one line for bad input."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from data.store import Store

ROOT = Path(__file__).resolve().parents[2]
BENCH = ("--set", "benchmark=b")


def test_import_tells_what_was_kept(run, two_models):
    batch = run("import", two_models, *BENCH, "--json").json["batches"][0]
    assert (batch["read"], batch["loaded"], batch["rejected"], batch["duplicate_rows"]) == (120, 120, 0, 0)
    assert (batch["kind"], batch["duplicate"]) == ("evals", False)
    again = run("import", two_models, *BENCH, "--json").json["batches"][0]
    assert (again["duplicate"], again["loaded"]) == (True, 0)
    assert len(run("batches", "--json").json["batches"]) == 1


def test_leaderboard_answers_the_contract(run, two_models):
    run("import", two_models, *BENCH)
    found = run("leaderboard", "--benchmark", "b", "--model", "new", "--model", "old", "--json").json
    assert [model["model"] for model in found["models"]] == ["new", "old"]
    assert found["models"][0]["mean"] == pytest.approx(45 / 60)
    pair = found["pairs"][0]
    assert (pair["a"], pair["b"], pair["tasks"], pair["clusters"]) == ("new", "old", 60, 20)
    assert pair["difference"] == pytest.approx(20 / 60)
    assert pair["both"] + pair["only_a"] + pair["only_b"] + pair["neither"] == 60
    assert pair["verdict"] == "better"
    assert found["parameters"]["margin"] == 0.02
    assert {"status", "text", "reason"} == set(found["findings"][0])


def test_with_a_baseline_every_pair_is_against_it(run, two_models):
    run("import", two_models, *BENCH)
    pairs = run("leaderboard", "--benchmark", "b", "--baseline", "new", "--json").json["pairs"]
    assert [(pair["a"], pair["b"], pair["verdict"]) for pair in pairs] == [("old", "new", "worse")]


def test_people_read_a_verdict_and_a_table(run, two_models):
    run("import", two_models, *BENCH)
    text = run("leaderboard", "--benchmark", "b").out
    assert text.startswith("Better: new solves 33")
    assert "Solved" in text
    assert "75.0%" in text


def test_reliability_without_repeated_runs_is_unknown(run, two_models):
    run("import", two_models, *BENCH)
    found = run("reliability", "--benchmark", "b", "--model", "new", "--json").json
    assert found["within"] is None
    assert found["flip_share"] is None
    assert found["pass_hat_k"]["1"] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nosuchcommand"], "nosuchcommand"),
        (["leaderboard", "--benchmark", "y"], "'y'"),
        (["leaderboard"], "--benchmark"),
        (["leaderboard", "--benchmark", "b", "--model", "nobody"], "nobody"),
        (["leaderboard", "--benchmark", "b", "--baseline", "nobody"], "nobody"),
        (["leaderboard", "--benchmark", "b", "--model", "new", "--baseline", "old"], "--model"),
        (["leaderboard", "--benchmark", "b", "--confidence", "1.5"], "--confidence"),
        (["leaderboard", "--benchmark", "b", "--correction", "magic"], "magic"),
        (["leaderboard", "--benchmark", "b", "--metric", "none"], "metric"),
        (["leaderboard", "--benchmark", "b", "--split", "none"], "split"),
        (["reliability", "--benchmark", "b", "--model", "new", "--k", "0"], "--k"),
        (["import", "missing.csv"], "missing.csv"),
        (["import", "missing.csv", "--map", "score"], "score"),
        (["undo", "999999"], "999999"),
        (["undo", "one"], "one"),
        (["rejects", "999999", "--out", "r.csv"], "999999"),
        (["decision", "record", "--choice", "go"], "pin"),
        (["decision", "export", "--format", "md", "--out", "d.md"], "record"),
        (["decision", "verify", "missing.json"], "missing.json"),
        (["decision", "pin", "nonsense"], "nonsense"),
        (["decision", "pin", "leaderboard", "--", "--benchmark", "y"], "'y'"),
        (["decision", "pin", "leaderboard", "--", "--nonsense"], "nonsense"),
    ],
)
def test_bad_input_is_one_line_that_names_it(run, two_models, arguments, named):
    run("import", two_models, *BENCH)
    assert named in run(*arguments, code=2).err


def test_from_sample_to_a_verified_document(run, tmp_path):
    run("sample")
    benchmark = json.loads(run("decision", "list", "--json").out)
    assert benchmark == {"pins": [], "records": []}
    name = run("batches", "--json").json["batches"][0]
    assert name["kind"] == "evals"
    pinned = run(
        "decision",
        "pin",
        "leaderboard",
        "--json",
        "--",
        "--benchmark",
        "Sample: bug fixes",
        "--baseline",
        "Aster 4",
    ).json
    assert pinned["question"] == "leaderboard"
    assert pinned["stale"] is False
    run("decision", "record", "--choice", "Stay on Aster 4", "--title", "Move?", "--decided-by", "A. Reader")
    for form in ("json", "md", "html", "csv"):
        run("decision", "export", "--format", form, "--out", tmp_path / f"d.{form}")
        assert (tmp_path / f"d.{form}").stat().st_size > 500
    assert run("decision", "verify", tmp_path / "d.json", "--json").json["ok"] is True
    run("decision", "verify", tmp_path / "d.md", code=2)
    assert run("sample", "--remove", "--json").json["removed"] == [name["batch"]]
    after = run("decision", "verify", tmp_path / "d.json", "--json").json
    assert after["ok"] is False
    assert after["differences"]
    assert run("decision", "list", "--json").json["pins"][0]["stale"] is True


def test_an_edited_number_is_named(run, tmp_path, two_models):
    run("import", two_models, *BENCH)
    run("decision", "pin", "leaderboard", "--", "--benchmark", "b")
    run("decision", "record", "--choice", "new")
    run("decision", "export", "--format", "json", "--out", tmp_path / "d.json")
    text = (tmp_path / "d.json").read_text(encoding="utf-8")
    assert '"only_a"' in text
    edited = json.loads(text)
    edited["evidence"][0]["payload"]["pairs"][0]["only_a"] += 1
    (tmp_path / "e.json").write_text(json.dumps(edited), encoding="utf-8")
    found = run("decision", "verify", tmp_path / "e.json", "--json").json
    assert found["ok"] is False
    assert any("only_a" in json.dumps(one) for one in found["differences"])


def test_a_second_process_queues_imports_and_refuses_the_rest(run, tmp_path, two_models):
    with Store.open(tmp_path / "store.duckdb"):
        script = [sys.executable, "cli.py", "--db", str(tmp_path / "store.duckdb")]
        queued = subprocess.run(
            [*script, "import", str(two_models), *BENCH, "--json"], cwd=ROOT, capture_output=True, check=False
        )
        asked = subprocess.run(
            [*script, "leaderboard", "--benchmark", "b"], cwd=ROOT, capture_output=True, check=False
        )
    assert queued.returncode == 0, queued.stderr
    assert json.loads(queued.stdout)["queued"] is True
    assert asked.returncode == 2
    assert asked.stdout == b""
    # The next process that holds the store commits what was queued.
    assert run("leaderboard", "--benchmark", "b", "--json").json["models"][0]["tasks"] == 60


def test_rejects_are_written_and_an_import_can_be_taken_back(run, write, tmp_path):
    bad = write("bad.csv", "task_id,model,score\nt1,m,1\nt2,m,=cmd\n")
    batch = run("import", bad, *BENCH, "--json").json["batches"][0]
    assert (batch["loaded"], batch["rejected"]) == (1, 1)
    assert run("rejects", batch["batch"], "--out", tmp_path / "r.csv", "--json").json["rows"] == 1
    assert "'=cmd" in (tmp_path / "r.csv").read_text(encoding="utf-8")
    run("undo", batch["batch"])
    run("leaderboard", "--benchmark", "b", code=2)
