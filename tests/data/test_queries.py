import math

import pytest

from data import queries
from data.batches import list_batches, undo
from data.contenders import set_variant_label
from tests.data.store_files import load, row


def cells(store, **chosen):
    return queries.eval_cells(store, "b", **chosen).set_index(["contender", "task_id"])


def test_cells_count_score_and_cost(store):
    load(
        store,
        [
            row(
                "t1", score=1.0, cost=0.5, currency="USD", output_tokens=100, latency_ms=10.0, cluster_id="c1"
            ),
            row("t1", score=0.0, cost=0.25, currency="USD", output_tokens=300, cluster_id="c1"),
            row("t1", score=None, status="error", status_ok=False, cluster_id="c1"),
            row("t2", score=0.5, domain="law", split="public", weight=2.0),
        ],
    )
    frame = cells(store)
    one, two = frame.loc[("m", "t1")], frame.loc[("m", "t2")]
    assert (one["rows"], one["scored"], one["passed"], one["failed_rows"]) == (3, 2, 1, 1)
    assert (one["score_sum"], one["score_sum_squares"], bool(one["binary"])) == (1.0, 1.0, True)
    assert (one["cost"], one["cost_rows"], one["currency"]) == (0.75, 2, "USD")
    assert (one["success_output_tokens"], one["success_output_rows"], one["output_tokens"]) == (
        100.0,
        1,
        400.0,
    )
    assert (one["latency_ms_sum"], one["latency_rows"]) == (10.0, 1)
    assert (one["cluster_id"], one["domain"], one["split"]) == ("c1", None, None)
    assert math.isnan(one["weight"])
    assert math.isnan(one["cache_read_tokens"])
    assert (two["domain"], two["split"], two["weight"], bool(two["binary"])) == ("law", "public", 2.0, False)
    assert (two["cost_rows"], two["currency"]) == (0, None)
    assert math.isnan(two["cost"])


def test_cells_have_the_types_that_analysis_reads(store):
    load(store, [row("t1")])
    frame = queries.eval_cells(store, "b")
    assert list(frame.columns) == [
        "contender", "model", "variant", "task_id", "cluster_id", "domain", "split", "rows", "scored", "passed",
        "score_sum", "score_sum_squares", "binary", "failed_rows", "input_tokens_uncached", "cache_read_tokens",
        "cache_write_5m_tokens", "cache_write_1h_tokens", "output_tokens", "reasoning_tokens",
        "success_output_tokens", "success_output_rows", "cost", "cost_rows", "currency", "latency_ms_sum",
        "latency_rows", "weight",
    ]  # fmt: skip
    kinds = {name: frame[name].dtype.kind for name in frame}
    counts = {"rows", "scored", "passed", "failed_rows", "success_output_rows", "cost_rows", "latency_rows"}
    texts = {"contender", "model", "variant", "task_id", "cluster_id", "domain", "split", "currency"}
    assert {name for name, kind in kinds.items() if kind == "i"} == counts
    assert {name for name, kind in kinds.items() if kind == "O"} == texts
    assert kinds["binary"] == "b"


def test_an_unscored_task_stands_with_nothing_scored(store):
    load(store, [row("t1", score=None), row("t2", score=1.0)])
    frame = cells(store)
    assert frame.loc[("m", "t1"), "scored"] == 0
    assert frame.loc[("m", "t1"), "score_sum"] == 0.0


def test_success_is_what_the_file_calls_passed_else_a_score_of_1(store):
    load(store, [row("t1", score=0.9, passed=True), row("t2", score=1.0, passed=False), row("t3", score=1.0)])
    assert list(cells(store)["passed"]) == [1, 0, 1]


def test_passed_alone_is_a_score(store):
    load(store, [row("t1", score=None, passed=True), row("t2", score=None, passed=False)])
    assert list(cells(store)["score_sum"]) == [1.0, 0.0]
    assert list(cells(store)["scored"]) == [1, 1]


@pytest.mark.parametrize(
    ("fields", "known"),
    [
        ({"cost": 0.0, "output_tokens": 5}, 0),
        ({"cost": 0.0, "turns": 3}, 0),
        ({"cost": 0.0, "output_tokens": 0, "input_tokens_uncached": 0}, 1),
        ({"cost": 0.0}, 1),
        ({"cost": 0.1, "output_tokens": 5}, 1),
        ({"cost": None, "output_tokens": 5}, 0),
    ],
)
def test_a_cost_of_0_for_work_done_is_unknown(store, fields, known):
    load(store, [row("t1", **fields)])
    cell = cells(store).iloc[0]
    assert cell["cost_rows"] == known
    assert math.isnan(cell["cost"]) == (known == 0)


def test_costs_in_several_currencies_are_told(store):
    load(store, [row("t1", cost=1.0, currency="USD"), row("t1", cost=1.0, currency="EUR")])
    assert cells(store).iloc[0]["currency"] == "mixed"


def test_sums_are_exact_whatever_the_order(store):
    scores = [0.1, 0.2, 0.3, 0.7, 1e-9, 0.123456789012345] * 50
    load(store, [row("t1", run=str(n), score=score) for n, score in enumerate(scores)])
    load(store, [row("t1", model="n", run=str(n), score=score) for n, score in enumerate(reversed(scores))])
    frame = cells(store)
    assert frame.loc[("m", "t1"), "score_sum"] == frame.loc[("n", "t1"), "score_sum"]
    assert frame.loc[("m", "t1"), "score_sum"] == pytest.approx(math.fsum(scores), abs=1e-12)


def test_metrics_and_splits_are_chosen(store):
    load(
        store,
        [
            row("t1", run="1", metric="acc", score=1.0, split="public"),
            row("t1", run="1", metric="f1", score=0.25, split="public"),
            row("t2", run="1", metric="acc", score=0.0, split="private"),
        ],
    )
    assert list(cells(store)["score_sum"]) == [1.0, 0.0]
    assert list(cells(store, metric="f1")["score_sum"]) == [0.25]
    assert list(cells(store, split="private")["score_sum"]) == [0.0]
    overview = queries.benchmarks(store).iloc[0]
    assert overview["metrics"] == ("acc", "f1")
    assert overview["headline_metrics"] == ("acc",)
    assert overview["splits"] == ("private", "public")


def test_benchmarks_count_what_counts(store):
    assert len(queries.benchmarks(store)) == 0
    load(store, [row("t1", cluster_id="c", domain="law"), row("t2", cluster_id="c"), row("t3", model="n")])
    overview = queries.benchmarks(store).iloc[0]
    assert (overview["benchmark"], overview["contenders"], overview["tasks"]) == ("b", 2, 3)
    assert (overview["clusters"], overview["rows"], overview["domains"]) == (2, 3, ("law",))
    assert overview["last_import"] == list_batches(store)[0].imported_at


def test_run_means_are_means_over_tasks(store):
    load(
        store,
        [
            row("t1", run="1", score=1.0),
            row("t2", run="1", score=0.0),
            row("t1", run="2"),
            row("t2", run="2"),
        ],
    )
    frame = queries.eval_run_means(store, "b")
    assert list(zip(frame["run"], frame["mean"], frame["tasks"], frame["rows"], strict=True)) == [
        ("1", 0.5, 2, 2),
        ("2", 1.0, 2, 2),
    ]


def test_runs_numbered_by_two_imports_are_not_one(store):
    load(store, [row("t1", score=1.0), row("t2", score=1.0)])
    load(store, [row("t1", score=0.0), row("t2", score=0.0)], repeat="add")
    frame = queries.eval_run_means(store, "b")
    assert dict(zip(frame["run"], frame["mean"], strict=True)) == {"1 of batch 1": 1.0, "1 of batch 2": 0.0}


def test_record_ids_are_no_runs_through_the_benchmark(store):
    load(store, [row(f"t{n}", run=f"id-{n}") for n in range(5)])
    assert len(queries.eval_run_means(store, "b")) == 0


def test_task_runs_name_file_and_record(store):
    load(store, [row("t1", score=1.0, url="http://x/1"), row("t2"), row("t1", score=0.0)], name="a.csv")
    frame = queries.task_runs(store, "b", "t1")
    assert list(zip(frame["run"], frame["score"], frame["file"], frame["record_number"], strict=True)) == [
        ("1", 1.0, "a.csv", 1),
        ("2", 0.0, "a.csv", 3),
    ]
    assert len(queries.task_runs(store, "b", "t1", limit=1)) == 1


def test_a_remembered_frame_is_the_callers_own_and_follows_the_store(store):
    load(store, [row("t1")])
    frame = queries.eval_cells(store, "b")
    frame["rows"] = 99
    assert list(queries.eval_cells(store, "b")["rows"]) == [1]
    load(store, [row("t2", model="n")])
    assert len(queries.eval_cells(store, "b")) == 2


def test_sources_are_the_imports_whose_rows_count(store):
    load(store, [row("t1", run="1", score=0.0), row("t2", run="1")], name="a.csv")
    load(store, [row("t1", run="1", score=1.0)], name="b.csv")
    load(store, [row("t1", model="n", run="1")], name="c.csv")
    found = queries.sources(store, "b")
    assert [(source.file, source.rows_superseded) for source in found] == [
        ("a.csv", 1),
        ("b.csv", 0),
        ("c.csv", 0),
    ]
    assert [source.file for source in queries.sources(store, "b", ["n"])] == ["c.csv"]
    load(store, [row("t2", run="1", score=0.0)], name="d.csv")
    assert [source.file for source in queries.sources(store, "b")] == ["b.csv", "c.csv", "d.csv"]


def test_the_fingerprint_follows_the_rows_and_nothing_else(store):
    load(store, [row("t1", run="1", score=0.0), row("t2", run="1")], name="a.csv")
    load(store, [row("t1", model="n", run="1")], name="n.csv")
    first = queries.fingerprint(store, "b")
    load(store, [{**row("t1"), "benchmark": "other"}], name="other.csv")
    assert queries.fingerprint(store, "b") == first
    correction = load(store, [row("t1", run="1", score=1.0)], name="b.csv").batch
    second = queries.fingerprint(store, "b")
    assert second != first
    undo(store, correction)
    assert queries.fingerprint(store, "b") == first
    undo(store, 1)
    third = queries.fingerprint(store, "b")
    assert third not in (first, second)
    load(store, [row("t1", run="1", score=0.0), row("t2", run="1")], name="renamed.csv")
    assert queries.fingerprint(store, "b") == first


def test_the_fingerprint_ignores_an_undo_of_rows_that_do_not_count(store):
    load(store, [row("t1", run="1", score=0.0)], name="a.csv")
    load(store, [row("t1", run="1", score=1.0)], name="b.csv")
    both = queries.fingerprint(store, "b")
    undo(store, 1)
    assert queries.fingerprint(store, "b") == both


def test_the_fingerprint_follows_labels(store):
    load(store, [row("t1", variant="x"), row("t1", variant="y")])
    first = queries.fingerprint(store, "b")
    set_variant_label(store, "b", "m (x)", "short prompt")
    assert queries.fingerprint(store, "b") != first
    set_variant_label(store, "b", "m (short prompt)", None)
    assert queries.fingerprint(store, "b") == first


def test_loaded_counts_by_kind(store):
    load(store, [row("t1"), row("t2")], rejects=[(3, "no score", "score", "x", "0..1", "raw")])
    load(store, [{"benchmark": "b", "model": "m", "score": 0.5}], kind="scores")
    frame = queries.loaded(store)
    assert list(zip(frame["kind"], frame["files"], frame["rows"], frame["rejected"], strict=True)) == [
        ("evals", 1, 2, 1),
        ("scores", 1, 1, 0),
    ]
