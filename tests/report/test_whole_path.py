"""From real answers on real imports to documents and back: the leaderboard, pinned, decided, exported, verified."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from answers import register
from answers.parameters import build
from data.batches import undo
from data.importing import ImportOptions, import_files
from data.sample.loading import load_sample
from data.sample.truth import BENCHMARK, CANDIDATE, INCUMBENT
from data.store import Store
from report import canonical
from report.evidence import list_pins, pin, repin
from report.formats import FORMATS, export
from report.record import get_record, record
from report.verify import verify

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
HEAD = "benchmark,task_id,model,passed,cost,currency"


def ask(store, name="leaderboard", **parameters):
    question = register.question(name)
    return question.ask(store, build(question.parameters, parameters))


def write(path, *, flipped=(), models=("A", "B"), tasks=40):
    """Results of two models: A solves every task but each fifth, B every second; ``flipped`` turns cells."""
    lines = [HEAD]
    for task in range(tasks):
        for model in models:
            solved = task % 5 != 0 if model == models[0] else task % 2 == 0
            solved ^= (task, model) in flipped
            lines.append(f"own,t{task:02d},{model},{int(solved)},0.0{1 + task % 7},USD")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def decide(store, choice="Move to A"):
    pin(store, ask(store, benchmark="own"), NOW)
    return record(store, choice, now=NOW, decided_by="M. Brandt")


def test_sample_data_lead_to_a_document_that_verifies(store):
    load_sample(store)
    pin(store, ask(store, benchmark=BENCHMARK, model=[CANDIDATE, INCUMBENT], baseline=INCUMBENT), NOW)
    pin(store, ask(store, "reliability", benchmark=BENCHMARK, model=CANDIDATE), NOW)
    made = record(store, f"Stay on {INCUMBENT}", now=NOW, profile="interactive")
    assert made.title == f"Should we move from {INCUMBENT} to {CANDIDATE}?"
    assert made.recommendation.options == (INCUMBENT,)
    assert made.recommendation.status == "undecided"
    assert [len(board.options) for board in made.boards] == [2]
    result = verify(store, export(made, "json"), "sample.json")
    assert result.to_dict() == {"ok": True, "differences": [], "notes": []}
    for form in FORMATS:
        assert len(export(made, form)) > 1000


def test_the_document_tells_the_answers_own_numbers(store):
    load_sample(store)
    answer = ask(store, benchmark=BENCHMARK)
    pin(store, answer, NOW)
    made = record(store, "Wait", now=NOW)
    for form in ("html", "md"):
        text = export(made, form).decode().replace("\\", "").replace("\u200b", "")
        assert answer.headline.number in text
        for row in answer.figures[0].rows:
            assert row.label in text
            assert all(column in text for column in row.columns[:3])


def test_a_changed_row_is_named_with_its_file_and_cells(store, tmp_path):
    first = write(tmp_path / "runs.csv")
    (loaded,) = import_files(store, [first], ImportOptions())
    made = decide(store)
    document = export(made, "json")
    assert verify(store, document, "one.json").ok

    undo(store, loaded.batch)
    (changed,) = import_files(store, [write(first, flipped={(3, "A")})], ImportOptions())
    result = verify(store, document, "one.json")
    kinds = {difference.kind for difference in result.differences}
    assert {"file missing", "file added", "data changed", "value"} <= kinds
    missing = next(d for d in result.differences if d.kind == "file missing")
    assert (missing.recorded, missing.recomputed) == (loaded.sha256, changed.sha256)
    mean = next(d for d in result.differences if d.where.endswith("models, A, mean"))
    assert (mean.recorded, mean.recomputed) == (0.8, 0.775)
    assert list_pins(store)[0].stale
    repin(store, made.evidence[0].id, NOW)
    assert not list_pins(store)[0].stale


def test_an_undone_import_leaves_the_missing_file_named(store, tmp_path):
    (loaded,) = import_files(store, [write(tmp_path / "runs.csv")], ImportOptions())
    document = export(decide(store), "json")
    undo(store, loaded.batch)
    result = verify(store, document, "one.json")
    assert [difference.kind for difference in result.differences] == ["file missing", "not asked"]
    assert "runs.csv" in result.differences[0].where
    assert loaded.sha256 in result.differences[0].where
    assert "'own'" in result.differences[1].recomputed


def test_another_machine_with_the_files_in_another_order_agrees(tmp_path):
    files = [
        write(tmp_path / "first.csv", models=("A", "B")),
        write(tmp_path / "second.csv", models=("C", "D")),
        write(tmp_path / "third.csv", models=("E", "F"), tasks=25),
    ]
    with Store.open(tmp_path / "one" / "switchover.duckdb", threads=1) as here:
        for path in files:
            import_files(here, [path], ImportOptions())
        document = export(decide(here), "json")
    with Store.open(tmp_path / "two" / "switchover.duckdb", threads=4) as there:
        for path in reversed(files):
            import_files(there, [path], ImportOptions())
        assert verify(there, document, "one.json").to_dict()["differences"] == []


def test_an_edited_cell_of_a_real_answer_is_named(store, tmp_path):
    import_files(store, [write(tmp_path / "runs.csv")], ImportOptions())
    body = json.loads(export(decide(store), "json"))
    body["evidence"][0]["payload"]["pairs"][0]["p_adjusted"] = 0.5
    (difference,) = verify(store, canonical.pretty(body), "one.json").differences
    assert difference.kind == "edited"
    assert difference.where == "evidence 1 (leaderboard), pairs, A and B, p adjusted"
    assert difference.path == "$.evidence[0].payload.pairs[0].p_adjusted"
    assert difference.recorded == 0.5


SCRIPT = """
import hashlib, re, sys
from datetime import UTC, datetime
from pathlib import Path
from answers import register
from answers.parameters import build
from data.batches import undo
from data.importing import ImportOptions, import_files
from data.store import Store
from report.evidence import pin
from report.formats import FORMATS, export
from report.record import record
now = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
question = register.question("leaderboard")
with Store.open(Path(sys.argv[1]) / "switchover.duckdb") as store:
    import_files(store, [Path(sys.argv[2])], ImportOptions())
    pin(store, question.ask(store, build(question.parameters, {"benchmark": "own"})), now)
    made = record(store, "Move to A", now=now)
    for form in FORMATS:
        text = export(made, form).decode("utf-8-sig")
        timeless = re.sub('"imported_at": "[^"]+"|[0-9a-f]{64}', "", text)
        print(form, hashlib.sha256(timeless.encode()).hexdigest())
"""


def test_threads_and_hash_seed_leave_the_numbers_alone(tmp_path):
    """Two whole runs differ in the time of their import, and so in digests; all else is one text."""
    runs = write(tmp_path / "runs.csv", tasks=60)
    seen = []
    for threads, seed in (("1", "0"), ("2", "5"), ("8", "random")):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path / f"threads{threads}"), str(runs)],
            capture_output=True,
            text=True,
            env={
                **os.environ,
                "SWITCHOVER_THREADS": threads,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(ROOT),
            },
            cwd=ROOT,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        seen.append(done.stdout)
    assert len(set(seen)) == 1
    assert seen[0].count("\n") == len(FORMATS)


def test_the_published_leaderboard_fills_a_document(store, shared_data):
    path = shared_data("swebench_bash_only", "per_instance_long.csv")
    mapping = {"task_id": "instance_id", "passed": "resolved", "cost": "cost_usd", "turns": "api_calls"}
    options = ImportOptions(kind="evals", mapping=mapping, constants={"benchmark": "swe", "currency": "USD"})
    import_files(store, [path], options)
    pin(store, ask(store, benchmark="swe"), NOW)
    record(store, "stay with Opus", title="acceptance", profile="batch", now=NOW)
    made = get_record(store)
    assert len(made.boards[0].options) == 25
    assert len(export(made, "html")) < 110_000
    assert verify(store, export(made, "json"), "one.json").ok


@pytest.mark.parametrize("form", list(FORMATS))
def test_what_a_record_exports_never_changes(store, tmp_path, form):
    import_files(store, [write(tmp_path / "runs.csv")], ImportOptions())
    made = decide(store)
    before = export(made, form)
    import_files(store, [write(tmp_path / "more.csv", models=("C", "D"))], ImportOptions())
    assert export(get_record(store, made.record_id), form) == before
