"""Published logs of inspect_ai: accuracy, standard error and token sums agree with what each log says of itself."""

import csv
import json
import math
from pathlib import Path

import pytest
from inspect_builder import read

FOLDER = Path(__file__).resolve().parents[3].parent / "shared" / "real" / "inspect_logs_json"
LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the published logs are not beside this project")


def expectations(check):
    if not FOLDER.is_dir():
        return []
    with (FOLDER / "expected.csv").open(encoding="utf-8") as file:
        return [
            row for row in csv.DictReader(file) if row["check"] == check and "no-samples" not in row["entity"]
        ]


def rows_of(tmp_path, name):
    return read(tmp_path, (FOLDER / name).read_bytes())


@pytest.mark.parametrize(
    "expected", expectations("inspect_metric"), ids=lambda row: row["entity"] + row["metric"]
)
def test_metrics(tmp_path, expected):
    rows, _ = rows_of(tmp_path, expected["entity"])
    scorer, metric = expected["metric"].split("/")
    scores = [LETTERS[row["score"]] for row in rows if row["metric"] == scorer]
    mean = math.fsum(scores) / len(scores)
    found = mean
    if metric == "stderr":
        squares = math.fsum((score - mean) ** 2 for score in scores)
        found = math.sqrt(squares / (len(scores) - 1) / len(scores)) if len(scores) > 1 else 0.0
    assert found == pytest.approx(float(expected["published"]), abs=1e-9)


@pytest.mark.parametrize("expected", expectations("inspect_usage"), ids=lambda row: row["entity"])
def test_usage_adds_up_and_cached_tokens_are_taken_out_of_the_input(tmp_path, expected):
    rows, _ = rows_of(tmp_path, expected["entity"])
    log = json.loads((FOLDER / expected["entity"]).read_text(encoding="utf-8"))
    model, _, _ = expected["metric"].partition(" ")
    assert {row["model"] for row in rows} == {model}
    sums = {
        name: sum(int(row[name] or 0) for row in rows)
        for name in ("input_tokens_uncached", "cache_read_tokens", "output_tokens")
    }
    given, output, total = (int(part) for part in expected["published"].split(" / "))
    read_from_cache = log["stats"]["model_usage"][model].get("input_tokens_cache_read") or 0
    assert sums["cache_read_tokens"] == read_from_cache
    assert sums["input_tokens_uncached"] == given - read_from_cache
    assert sums["output_tokens"] == output
    assert sum(sums.values()) == total


@pytest.mark.parametrize("expected", expectations("inspect_header"), ids=lambda row: row["entity"])
def test_headers(tmp_path, expected):
    rows, table = rows_of(tmp_path, expected["entity"])
    status, model, task, samples, _ = expected["published"].split(" / ")
    assert {(row["benchmark"], row["model"]) for row in rows} == {(task, model)}
    assert len(rows) == int(samples)
    assert any("cancelled" in text for text in table.warnings) == (status == "cancelled")


def test_a_log_without_samples_gives_the_mean_it_states(tmp_path):
    rows, table = rows_of(tmp_path, "2025-05-12T20-28-13-04-00_no-samples.json")
    assert table.kind == "scores"
    assert [(row["benchmark"], row["metric"], row["n_tasks"]) for row in rows] == [
        ("testtaskname", "match", "3")
    ]
    assert float(rows[0]["score"]) == pytest.approx(2 / 3, abs=1e-9)
    assert float(rows[0]["stderr"]) == pytest.approx(1 / 3, abs=1e-9)
    assert "cancelled" in table.warnings[0]
