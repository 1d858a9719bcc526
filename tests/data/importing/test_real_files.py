"""Published eval files through the import: counts and means agree with numbers worked out independently."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from data.importing import ImportOptions, import_files
from data.queries import eval_cells
from data.store import Store

FOLDER = Path(__file__).resolve().parents[3].parent / "shared" / "real"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the published files are not beside this project")

SWEBENCH = {
    "mapping": {"task_id": "instance_id", "passed": "resolved", "cost": "cost_usd", "turns": "api_calls"}
}
METR = {
    "mapping": {"model": "alias", "run": "run_id", "score": "score_binarized", "domain": "task_family"},
    "constants": {"benchmark": "metr"},
}


def expected(folder, *checks):
    with (FOLDER / folder / "expected.csv").open(encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["check"] in checks]


@pytest.fixture
def load(store):
    def load_file(name, **options):
        (report,) = import_files(store, [FOLDER / name], ImportOptions(**options))
        return report

    return load_file


@pytest.fixture(scope="module")
def swebench(tmp_path_factory):
    """The store after loading 25 models x 500 tasks; read only."""
    if not FOLDER.is_dir():
        pytest.skip("the published files are not beside this project")
    with Store.open(tmp_path_factory.mktemp("swebench") / "switchover.duckdb", threads=2) as store:
        options = ImportOptions(
            kind="evals", **SWEBENCH, constants={"benchmark": "swe-bash-only", "currency": "USD"}
        )
        (report,) = import_files(store, [FOLDER / "swebench_bash_only" / "per_instance_long.csv"], options)
        yield report, eval_cells(store, "swe-bash-only")


def test_swebench_counts(swebench):
    report, cells = swebench
    assert (report.read, report.loaded, report.rejected, report.duplicate_rows) == (12500, 12500, 0, 0)
    assert cells.groupby("contender").size().to_dict() == dict.fromkeys(cells["contender"].unique(), 500)


def test_swebench_shares_costs_and_calls(swebench):
    cells = swebench[1].set_index("contender")
    checked = Counter()
    for row in expected("swebench_bash_only", "resolved_pct", "cost_total"):
        own = cells.loc[row["entity"]]
        found = own["score_sum"].sum() / 5 if row["check"] == "resolved_pct" else own["cost"].sum()
        assert found == pytest.approx(float(row["recomputed"]), abs=0.001), row["entity"]
        checked[row["check"]] += 1
    assert checked == {"resolved_pct": 25, "cost_total": 25}


def test_swebench_pairs(swebench):
    cells = swebench[1].set_index(["contender", "task_id"])["score_sum"]
    pairs = expected("swebench_bash_only", "paired")
    for row in pairs:
        first, second = row["entity"].split(" vs ")
        a, b = cells.loc[first].align(cells.loc[second])
        only_a, only_b, _ = row["recomputed"].split(" / ")
        assert (int(((a == 1) & (b == 0)).sum()), int(((a == 0) & (b == 1)).sum())) == (
            int(only_a),
            int(only_b),
        )
    assert len(pairs) == 5


def test_a_wide_file_gives_the_cells_of_the_long_one(swebench, store, load):
    report = load(
        "swebench_bash_only/resolved_wide.csv",
        format="wide",
        mapping={"task_id": "instance_id"},
        constants={"benchmark": "swe-bash-only"},
    )
    assert (report.kind, report.loaded, report.rejected) == ("evals", 12500, 0)
    names = ["contender", "task_id", "score_sum", "scored"]
    wide, long = eval_cells(store, "swe-bash-only")[names], swebench[1][names]
    assert wide.to_dict("list") == long.to_dict("list")


@pytest.mark.parametrize("name", ["runs.csv", "gpt-4o-airline.trimmed.json"])
def test_tau_bench_runs(store, load, name):
    report = load(
        f"tau_bench_airline_gpt4o/{name}",
        kind="evals",
        mapping={"run": "trial", "score": "reward"},
        constants={"benchmark": "tau-airline", "model": "gpt-4o"},
    )
    assert (report.read, report.loaded) == (200, 200)
    cells = eval_cells(store, "tau-airline")
    assert (len(cells), set(cells["scored"])) == (50, {4})
    (pass_one,) = (row for row in expected("tau_bench_airline_gpt4o", "pass^k") if "pass^1" in row["metric"])
    assert (cells["score_sum"] / cells["scored"]).mean() == pytest.approx(
        float(pass_one["published"]), abs=0.0005
    )


def per_agent(store):
    cells = eval_cells(store, "metr")
    cells["mean"] = cells["score_sum"] / cells["scored"]
    return {
        name: {
            "n_runs": own["rows"].sum(),
            "n_tasks": len(own),
            "micro: mean(score_binarized) over runs": own["score_sum"].sum() / own["scored"].sum(),
            "macro: mean over tasks of per-task mean": own["mean"].mean(),
            "max runs on one task": own["rows"].max(),
            "min runs on one task": own["rows"].min(),
        }
        for name, own in cells.groupby("contender")
    }


@pytest.mark.parametrize("name", ["runs_2025-01-28.csv", "all_runs_2025-01-28.jsonl.gz"])
def test_metr_runs_with_uneven_repeats(store, load, name):
    report = load(f"metr_runs_2025_01/{name}", kind="evals", **METR)
    assert (report.read, report.loaded, report.rejected) == (7063, 7063, 0)
    found = per_agent(store)
    checked = 0
    for row in expected("metr_runs_2025_01", "aggregate"):
        if row["metric"] in found[row["entity"]]:
            value = found[row["entity"]][row["metric"]]
            assert value == pytest.approx(float(row["recomputed"]), abs=0.0001), (
                row["entity"],
                row["metric"],
            )
            checked += 1
    assert checked == 6 * len(found)


def test_a_corrected_upload_replaces_the_runs_it_repeats(store, load):
    (rows, aliases) = (
        next(
            row["recomputed"]
            for row in expected("metr_runs_2025_01", "version_diff")
            if row["metric"] == metric
        )
        for metric in ("rows", "run_ids whose alias changed o1-preview -> o1")
    )
    before, after = map(int, rows.split(" -> "))
    first = load("metr_runs_2025_01/all_runs_2025-01-22.jsonl.gz", **METR)
    moved_from = per_agent(store)["o1-preview"]["n_runs"]
    second = load("metr_runs_2025_01/all_runs_2025-01-28.jsonl.gz", **METR)
    assert (first.loaded, second.loaded, second.superseded) == (before, after, before)
    found = per_agent(store)
    assert sum(agent["n_runs"] for agent in found.values()) == after
    assert moved_from - found["o1-preview"]["n_runs"] == int(aliases)


def test_published_percentages(store, load):
    report = load(
        "bfcl_leaderboard_2024_07/data.csv",
        kind="scores",
        mapping={"model": "Model", "score": "Overall Acc"},
        constants={"benchmark": "bfcl", "n_tasks": "1700"},
    )
    rows = expected("bfcl_leaderboard_2024_07", "overall_acc")
    assert (report.read, report.loaded) == (len(rows), len(rows)) == (49, 49)
    stored = store.query("SELECT model, score FROM published_score").set_index("model")["score"]
    for row in rows:
        assert 100 * stored[row["entity"]] == pytest.approx(float(row["published"].rstrip("%")), abs=1e-9)


def test_published_scores_on_a_scale_of_a_hundred(store, load):
    report = load(
        "aider_polyglot/polyglot_leaderboard.csv",
        kind="scores",
        mapping={"model": "model", "score": "pass_rate_2", "n_tasks": "test_cases", "date": "date"},
        constants={"benchmark": "aider", "scale": "0..100"},
    )
    assert report.read == 69
    assert report.loaded + report.duplicate_rows + report.rejected == 69
    stored = store.query("SELECT model, score FROM published_score")
    found = Counter(zip(stored["model"], (100 * stored["score"]).round(6), strict=True))
    known = Counter(
        (row["entity"], float(row["published"]))
        for row in expected("aider_polyglot", "pass_rate_2")
        if row["source"] == "polyglot_leaderboard.yml"
    )
    assert found == known


def test_inspect_logs_side_by_side(store):
    logs = sorted((FOLDER / "inspect_logs_json").glob("*.json"))
    reports = import_files(store, logs, ImportOptions())
    assert [report.format for report in reports] == ["inspect"] * len(logs)
    assert Counter(report.kind for report in reports) == {"evals": 5, "scores": 1}
    popularity = eval_cells(store, "popularity").groupby("contender")[["score_sum", "scored"]].sum()
    assert popularity.loc["openai/gpt-4o-mini"].tolist() == [2, 3]
    assert popularity.loc["ollama/llama3.1"].tolist() == [0, 1]
    again = import_files(store, logs, ImportOptions())
    assert all(report.duplicate and report.loaded == 0 for report in again)


def test_warnings_are_single_lines(store):
    for log in sorted((FOLDER / "inspect_logs_json").glob("*.json")):
        for report in import_files(store, [log], ImportOptions()):
            assert not any(re.search(r"[\n\r]", text) for text in report.warnings)
