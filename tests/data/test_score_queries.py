"""Published scores as they count: the latest import of a model and date, and the contender beside it."""

import math

import pytest

from data import scores
from data.batches import undo
from data.errors import InputError
from tests.data.store_files import load, row


def published(model, score, **fields):
    plain = {"benchmark": "b", "metric": None, "n_tasks": None, "stderr": None, "date": None}
    return {**plain, "provider": None, "url": None, "model": model, "score": score, **fields}


def bring(store, rows, **more):
    return load(store, rows, kind="scores", **more)


def as_rows(frame, columns):
    return [tuple(one) for one in frame[columns].itertuples(index=False)]


def test_scores_with_what_stands_behind_them(store):
    report = bring(
        store,
        [published("m", 0.7, n_tasks=198, stderr=0.03, date="2026-02-01", provider="p"), published("k", 0.5)],
    )
    frame = scores.published_scores(store, "b")
    assert list(frame.columns) == [
        "model", "metric", "score", "n_tasks", "stderr", "date", "provider", "url", "entries", "latest",
        "batch", "file", "record_number",
    ]  # fmt: skip
    known, unknown = frame.iloc[1], frame.iloc[0]
    assert (known["model"], known["score"], known["n_tasks"], known["date"]) == (
        "m",
        0.7,
        198.0,
        "2026-02-01",
    )
    assert (known["batch"], known["file"], known["record_number"]) == (report.batch, "results.csv", 1)
    assert (unknown["date"], unknown["provider"], unknown["url"]) == (None, None, None)
    assert math.isnan(unknown["n_tasks"])
    assert math.isnan(unknown["stderr"])
    assert frame["n_tasks"].dtype.kind == "f"


def test_a_later_import_of_a_model_and_date_counts(store):
    bring(store, [published("m", 0.7, date="2026-02-01"), published("m", 0.6, date="2026-01-01")])
    later = bring(store, [published("m", 0.71, date="2026-02-01")], name="later.csv")
    columns = ["score", "date", "latest", "file"]
    assert as_rows(scores.published_scores(store, "b"), columns) == [
        (0.6, "2026-01-01", False, "results.csv"),
        (0.71, "2026-02-01", True, "later.csv"),
    ]
    assert [(one.file, one.rows_superseded) for one in scores.score_sources(store, "b")] == [
        ("results.csv", 1), ("later.csv", 0),
    ]  # fmt: skip
    undo(store, later.batch)
    assert list(scores.published_scores(store, "b")["score"]) == [0.6, 0.7]


def test_rows_of_one_file_that_repeat_a_model_and_date_all_stand(store):
    bring(store, [published("m", 0.7), published("m", 0.4), published("k", 0.5)])
    assert as_rows(scores.published_scores(store, "b"), ["model", "score", "entries", "latest"]) == [
        ("k", 0.5, 1, True), ("m", 0.7, 2, False), ("m", 0.4, 2, True),
    ]  # fmt: skip


def test_metrics_have_latest_scores_of_their_own(store):
    bring(store, [published("m", 0.7, metric="acc"), published("m", 0.4, metric="f1")])
    assert list(scores.published_scores(store, "b")["latest"]) == [True, True]


def test_benchmarks_with_published_scores(store):
    bring(
        store,
        [
            published("m", 0.7, n_tasks=5, date="2026-02-01", metric="acc"),
            published("m", 0.6, date="2026-01-01"),
            published("k", 0.1, benchmark="c"),
        ],
    )
    frame = scores.score_benchmarks(store)
    columns = ["benchmark", "models", "scores", "with_tasks", "metrics", "first_date", "last_date"]
    assert as_rows(frame, columns) == [
        ("b", 1, 2, 1, ("", "acc"), "2026-01-01", "2026-02-01"),
        ("c", 1, 1, 0, ("",), None, None),
    ]


def test_what_is_not_there_is_said(store):
    with pytest.raises(InputError, match="no published scores for benchmark 'b'; none are loaded"):
        scores.published_scores(store, "b")
    bring(store, [published("m", 0.7)])
    with pytest.raises(InputError, match="no published scores for benchmark 'x'; loaded: b"):
        scores.published_beside_loaded(store, "x")


def test_published_names_beside_loaded_contenders(store):
    load(
        store,
        [
            row(model="exact"),
            row(model="GPT-5 Mini"),
            row(model="two", variant="low"),
            row(model="two", variant="high"),
            row(model="one", variant="only"),
        ],
    )
    names = ["exact", "gpt 5 mini", "two", "two (low)", "one", "absent"]
    bring(store, [published(name, 0.5) for name in names], name="scores.csv")
    beside = scores.published_beside_loaded(store, "b").set_index("model")
    assert {name: tuple(beside.loc[name]) for name in names} == {
        "exact": ("exact", "exact"),
        "gpt 5 mini": ("GPT-5 Mini", "spelling"),
        "two": (None, None),
        "two (low)": ("two (low)", "exact"),
        "one": ("one", "exact"),
        "absent": (None, None),
    }


def test_names_that_differ_by_a_sign_that_matters_stay_apart(store):
    load(store, [row(model="m-1.5"), row(model="r+")])
    bring(store, [published("m-15", 0.5), published("r", 0.5)], name="scores.csv")
    assert list(scores.published_beside_loaded(store, "b")["contender"]) == [None, None]


def test_a_benchmark_without_results_has_no_contender(store):
    bring(store, [published("m", 0.5)])
    assert as_rows(scores.published_beside_loaded(store, "b"), ["model", "contender", "match"]) == [
        ("m", None, None)
    ]


def test_the_fingerprint_follows_the_rows_that_count(store):
    bring(store, [published("m", 0.7), published("k", 0.2, benchmark="c")])
    before = scores.score_fingerprint(store, "b")
    other = scores.score_fingerprint(store, "c")
    assert before != other
    later = bring(store, [published("m", 0.8), published("n", 0.3)], name="later.csv")
    assert scores.score_fingerprint(store, "b") != before
    assert scores.score_fingerprint(store, "c") == other
    undo(store, later.batch)
    assert scores.score_fingerprint(store, "b") == before
