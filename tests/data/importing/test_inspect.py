"""Inspect logs become rows: scores, runs, status, tokens, settings, and what is told about them."""

import json

import pytest
from inspect_builder import (
    MODEL,
    NEW,
    OLD,
    archive,
    as_json,
    eval_members,
    log,
    read,
    sample,
    spooled,
    usage,
)

from data.errors import InputError
from data.importing.formats.inspect import InspectFormat


def test_a_log_gives_one_row_a_sample(tmp_path):
    rows, table = read(tmp_path, log([sample(1, "C"), sample("b", "I")]))
    assert [(row["task_id"], row["score"], row["metric"]) for row in rows] == [
        ("1", "C", "match"),
        ("b", "I", "match"),
    ]
    first = rows[0]
    assert first["benchmark"] == "fixing"
    assert (first["model"], first["provider"]) == (MODEL, "openai")
    assert first["run"] == "t" * 22 + ":1"
    assert (first["turns"], first["latency_s"], first["status"]) == ("2", "7.25", "success")
    assert first["started_at"] == "2026-03-01T10:00:00+00:00"
    assert table.kind == "evals"
    assert table.canonical
    assert table.producer == f"inspect_ai {NEW}"
    assert table.settings == {"headline": "match"}
    assert table.warnings == ()


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("C", "C"), ("I", "I"), ("P", "P"), ("N", "N"), (True, "true"), (False, "false"), (0.25, "0.25"), (1, "1"),
        ("0.75", "0.75"), ("yes", "yes"), ("false", "false"), (float("nan"), None), (float("inf"), None), (None, None),
        ("nan", None), ("excellent", None), ([1, 0], None), ("", None),
    ],
)  # fmt: skip
def test_scores(tmp_path, value, score):
    rows, table = read(tmp_path, log([sample(1, value)]))
    assert rows[0]["score"] == score
    assert any("without a usable score" in text for text in table.warnings) == (score is None)


def test_each_scorer_and_each_key_is_a_metric(tmp_path):
    scores = {"match": {"value": "C"}, "judge": {"value": {"style": 0.5, "tone": None}}}
    unscored = {"match": {"value": "I"}, "judge": {"value": float("nan")}}
    rows, table = read(
        tmp_path, log([sample(1, scores=scores), sample(2, scores=unscored)], scores=["judge/style"])
    )
    found = {(row["task_id"], row["metric"]): row["score"] for row in rows}
    assert found == {
        ("1", "match"): "C", ("1", "judge/style"): "0.5", ("1", "judge/tone"): None,
        ("2", "match"): "I", ("2", "judge/style"): None, ("2", "judge/tone"): None,
    }  # fmt: skip
    assert table.settings == {"headline": "judge/style"}
    assert any("3 metrics" in text and "--metric" in text for text in table.warnings)
    assert [row["record_number"] for row in rows] == [1, 2, 3, 4, 5, 6]


def test_counts_beside_the_headline_are_left_out_unless_a_scale_is_given(tmp_path):
    document = log([sample(1, scores={"match": {"value": "C"}, "steps": {"value": 7}}), sample(2)])
    rows, table = read(tmp_path, document)
    assert [(row["metric"], row["headline"]) for row in rows] == [("match", "true")] * 2
    assert any("not shares from 0 to 1: steps" in text for text in table.warnings)
    rows, _ = read(tmp_path, document, metric="steps", constants={"scale": "0..10"})
    assert [(row["metric"], row["headline"], row["score"]) for row in rows] == [
        ("match", "false", "C"), ("steps", "true", "7"), ("match", "false", "C"), ("steps", "true", None),
    ]  # fmt: skip


def test_the_headline_can_be_chosen_and_must_exist(tmp_path):
    document = log([sample(1, scores={"a": {"value": 1}, "b": {"value": 0}})])
    assert read(tmp_path, document)[1].settings == {"headline": "a"}
    assert read(tmp_path, document, metric="b")[1].settings == {"headline": "b"}
    with pytest.raises(InputError, match="no metric 'c'; this log has a, b"):
        read(tmp_path, document, metric="c")


def test_epochs_are_runs_and_a_retry_is_no_new_run(tmp_path):
    twice = [sample(1, epoch=1), sample(1, "I", epoch=2)]
    rows, _ = read(tmp_path, log(twice))
    assert [(row["run"], row["score"]) for row in rows] == [("t" * 22 + ":1", "C"), ("t" * 22 + ":2", "I")]
    retry, _ = read(tmp_path, log(twice, spec={"eval_id": "x" * 22}))
    assert [row["run"] for row in retry] == [row["run"] for row in rows]
    fresh, _ = read(tmp_path, log(twice, spec={"task_id": "u" * 22}))
    assert not {row["run"] for row in fresh} & {row["run"] for row in rows}


def test_a_task_id_that_is_no_random_id_does_not_name_the_run(tmp_path):
    runs = {
        read(tmp_path, log([sample(1)], spec={"task_id": "nightly", **ids}))[0][0]["run"]
        for ids in ({"eval_id": "one"}, {"eval_id": "two"}, {"eval_id": "", "run_id": "three"})
    }
    assert runs == {"one:1", "two:1", "three:1"}
    bare = {"task_id": "", "eval_id": "", "run_id": ""}
    first = read(tmp_path, log([sample(1)], spec=bare))[0][0]["run"]
    assert first == read(tmp_path, log([sample(2)], spec=bare))[0][0]["run"]
    assert (
        first
        != read(tmp_path, log([sample(1)], spec={**bare, "created": "2026-04-01T00:00:00Z"}))[0][0]["run"]
    )


def test_an_error_is_failed_and_unscored_for_every_metric(tmp_path):
    broken = sample(2, scores=None, error={"message": "container died", "traceback": ""})
    rows, table = read(tmp_path, log([sample(1, scores={"a": {"value": 1}, "b": {"value": 1}}), broken]))
    assert [(row["metric"], row["score"], row["status"]) for row in rows[2:]] == [
        ("a", None, "error"),
        ("b", None, "error"),
    ]
    assert any("1 sample ended with an error: loaded as failed, unscored" in text for text in table.warnings)
    assert not any("usable score" in text for text in table.warnings)


def test_a_score_of_an_errored_sample_counts_only_where_the_run_asked_for_it(tmp_path):
    broken = sample(1, "I", error={"message": "died"})
    assert read(tmp_path, log([broken]))[0][0]["score"] is None
    rows, table = read(tmp_path, log([broken], spec={"config": {"score_on_error": True}}))
    assert (rows[0]["score"], rows[0]["status"]) == ("I", "error")
    assert "score_on_error" in table.warnings[0]


def test_limits_are_flagged_and_keep_their_score(tmp_path):
    stopped = [
        sample(n, "I", limit={"type": kind, "limit": 5}) for n, kind in enumerate(("token", "time", "token"))
    ]
    rows, table = read(tmp_path, log(stopped))
    assert [row["score"] for row in rows] == ["I", "I", "I"]
    assert table.warnings == ("3 samples stopped by a limit (time 1, token 2): scored as the log did.",)


def test_an_invalidated_sample_is_unscored(tmp_path):
    document = log([sample(1, invalidation={"author": "a"}), sample(2)], invalidated=True)
    for content in (as_json(document), archive(eval_members(document))):
        rows, table = read(tmp_path, content)
        assert [row["score"] for row in rows] == [None, "C"]
        assert any("marked invalid" in text for text in table.warnings)


@pytest.mark.parametrize(
    ("status", "words"),
    [("cancelled", "was cancelled"), ("error", "stopped with an error"), ("started", "never ended")],
)
def test_an_unfinished_run_says_how_much_is_there(tmp_path, status, words):
    document = log([sample(1), sample(2)], status=status, planned=5, error={"message": "out of credit"})
    (warning,) = read(tmp_path, document)[1].warnings
    assert words in warning
    assert "2 of 5 planned samples" in warning
    assert "may not be missing by chance" in warning
    (whole,) = read(tmp_path, log([sample(1)], status=status, planned=1))[1].warnings
    assert whole.endswith("1 of 1 planned samples finished.")
    assert "out of credit" in warning


def test_the_plan_comes_from_the_data_set_when_there_are_no_results(tmp_path):
    spec = {"dataset": {"sample_ids": [1, 2, 3]}, "config": {"epochs": 2}}
    (warning,) = read(tmp_path, log([sample(1)], status="cancelled", spec=spec, results=None))[1].warnings
    assert "1 of 6 planned samples" in warning
    (unknown,) = read(tmp_path, log([sample(1)], status="cancelled", results=None))[1].warnings
    assert "1 sample (plan unknown)" in unknown
    (short,) = read(tmp_path, log([sample(1)], planned=4))[1].warnings
    assert short == "The log holds 1 of 4 planned samples."


@pytest.mark.parametrize("samples", [[], None])
def test_a_log_without_samples_gives_its_means_as_published_scores(tmp_path, samples):
    spec = {"config": {"epochs": 2}}
    document = {
        **log([], spec=spec, scores=["match", "judge/style"]),
        "samples": samples,
        "status": "cancelled",
    }
    document["results"]["completed_samples"] = 40
    document["results"]["scores"][0]["metrics"]["stderr"] = {"value": 0.1}
    rows, table = read(tmp_path, document)
    assert table.kind == "scores"
    assert [(row["metric"], row["score"], row["stderr"], row["n_tasks"]) for row in rows] == [
        ("match", "0.5", "0.1", "20"),
        ("judge/style", "0.5", None, "20"),
    ]
    assert {(row["benchmark"], row["model"], row["date"]) for row in rows} == {
        ("fixing", MODEL, "2026-03-01")
    }
    (warning,) = table.warnings
    assert "holds no samples: loaded as published scores" in warning
    assert "was cancelled" in warning
    with pytest.raises(InputError, match=r"'fixing' \(status cancelled\) holds no samples") as raised:
        read(tmp_path, document, kind="evals")
    assert "\n" not in str(raised.value)
    assert InspectFormat().recognise(spooled(tmp_path, as_json(document))) is not None


@pytest.mark.parametrize(
    "results",
    [None, {}, {"scores": []}, {"scores": [{"name": "a", "metrics": {"mean": {"value": 7.5}}}]},
     {"scores": [{"name": "a", "metrics": {"mean": {"value": float("nan")}}}]}],
)  # fmt: skip
def test_a_log_without_samples_and_means_is_refused(tmp_path, results):
    with pytest.raises(InputError, match="holds no samples"):
        read(tmp_path, {**log([]), "results": results})


def test_the_kind_can_be_chosen_and_must_fit(tmp_path):
    document = log([sample(1), sample(2)])
    rows, table = read(tmp_path, document, kind="scores")
    assert (table.kind, len(rows)) == ("scores", 1)
    assert "read for its means alone" in table.warnings[0]
    with pytest.raises(InputError, match="holds eval results"):
        read(tmp_path, document, kind="usage")


def test_cluster_domain_and_split_come_from_metadata_by_name(tmp_path):
    metadata = {"Category": "parsing", "repo": "a/b", "split": "private", "group": ["no"]}
    rows, _ = read(tmp_path, log([sample(1, metadata=metadata), sample(2)]))
    assert [(row["domain"], row["cluster_id"], row["split"]) for row in rows] == [
        ("parsing", "a/b", "private"),
        (None, None, None),
    ]


def test_a_path_overrides_the_names(tmp_path):
    made = [sample(n, metadata={"category": "x", "source": {"topic.main": f"t{n}"}}) for n in (1, 2)]
    rows, _ = read(tmp_path, log(made), mapping={"domain": "metadata.source.topic.main"})
    assert [row["domain"] for row in rows] == ["t1", "t2"]
    assert [row["metadata.source.topic.main"] for row in rows] == ["t1", "t2"]
    with pytest.raises(
        InputError, match=r"no sample has 'metadata\.topic'; the samples hold metadata\.category"
    ):
        read(tmp_path, log(made), mapping={"domain": "metadata.topic"})


def test_other_models_are_left_out_and_named(tmp_path):
    mixed = {MODEL: usage(100, 10, cost=0.5), "openai/judge": usage(900, 90, cost=9.0)}
    rows, table = read(tmp_path, log([sample(1, model_usage=mixed)]))
    assert (rows[0]["input_tokens_uncached"], rows[0]["output_tokens"], rows[0]["cost"]) == (
        "100",
        "10",
        "0.5",
    )
    assert rows[0]["currency"] == "USD"
    assert table.warnings == ("Tokens of graders and other models are left out (openai/judge 990).",)


def test_a_grader_on_the_evaluated_model_is_taken_out_by_its_role(tmp_path):
    document = log(
        [sample(1, model_usage={MODEL: usage(300, 30)}, role_usage={"grader": usage(200, 20)})],
        spec={"model_roles": {"grader": {"model": MODEL}}},
    )
    rows, table = read(tmp_path, document)
    assert (rows[0]["input_tokens_uncached"], rows[0]["output_tokens"]) == ("100", "10")
    assert f"{MODEL} as grader 220" in table.warnings[0]
    silent = log([sample(1, scorer="model_graded_qa")])
    assert any("cannot be told apart" in text for text in read(tmp_path, silent)[1].warnings)


def test_no_usage_is_unknown_and_not_zero(tmp_path):
    rows, _ = read(tmp_path, log([sample(1, model_usage={}), sample(2, model_usage={MODEL: usage(0, 0)})]))
    tokens = ("input_tokens_uncached", "cache_read_tokens", "output_tokens", "cost", "currency")
    assert all(row[name] is None for row in rows for name in tokens)


def test_the_oldest_logs_keep_usage_in_their_events(tmp_path):
    old = sample(1, turns=1)
    for name in ("model_usage", "events", "turn_count", "working_time", "total_time", "started_at"):
        del old[name]
    old["score"] = {"value": "P"}
    del old["scores"]
    call = {"event": "model", "model": MODEL, "output": {"usage": usage(60, 5)}}
    judge = {"event": "model", "model": "openai/judge", "output": {"usage": usage(7, 7)}}
    old["transcript"] = {"events": [call, call, judge, {**call, "cache": "read"}, {"event": "info"}]}
    document = log([old], version="0.3.40", results={"scorer": {"name": "includes"}, "metrics": {}})
    rows, table = read(tmp_path, document)
    assert (rows[0]["metric"], rows[0]["score"], rows[0]["turns"]) == ("includes", "P", "1")
    assert (rows[0]["input_tokens_uncached"], rows[0]["output_tokens"]) == ("120", "10")
    assert rows[0]["latency_s"] is None
    assert rows[0]["started_at"] == "2026-03-01T10:00:00+00:00"
    assert "openai/judge 14" in table.warnings[0]


def test_one_hour_cache_writes_have_their_own_class(tmp_path):
    made = [sample(1, model_usage={MODEL: usage(5, 5, write=70)})]
    short = read(tmp_path, log(made))[0][0]
    long = read(tmp_path, log(made, spec={"model_args": {"cache_ttl": "1h"}}))[0][0]
    assert (short["cache_write_5m_tokens"], short["cache_write_1h_tokens"]) == ("70", None)
    assert (long["cache_write_5m_tokens"], long["cache_write_1h_tokens"]) == (None, "70")


def test_recognised_by_content_alone(tmp_path):
    recognise = InspectFormat().recognise
    document = log([sample(1)])
    claim = recognise(spooled(tmp_path, as_json(document), name="scores.csv"))
    assert claim is not None
    assert claim.certain
    assert claim.kinds == ("evals", "scores")
    assert claim.producer == f"inspect_ai {NEW}"
    assert recognise(spooled(tmp_path, archive(eval_members(document)))) is not None
    assert recognise(spooled(tmp_path, json.dumps(document, indent=2, sort_keys=True).encode())) is not None
    for other in (
        {"eval": {"task": "x"}},
        {"results": {}},
        {"eval": {"task": "x", "model": "m"}},
        [document],
    ):
        assert recognise(spooled(tmp_path, as_json(other))) is None
    assert recognise(spooled(tmp_path, archive([("header.json", b"{}"), ("a.csv", b"x")]))) is None
    assert recognise(spooled(tmp_path, archive([("data.csv", b"task_id,model\n")]))) is None
    assert recognise(spooled(tmp_path, b"task_id,model\n1,m\n")) is None


def test_old_and_new_versions_count_input_differently(tmp_path):
    counted = {MODEL: usage(1000, 50, read=700, total=1050)}
    old = read(tmp_path, log([sample(1, model_usage=counted)], version=OLD))[0][0]
    new = read(tmp_path, log([sample(1, model_usage=counted)], version=NEW))[0][0]
    assert (old["input_tokens_uncached"], old["cache_read_tokens"]) == ("300", "700")
    assert (new["input_tokens_uncached"], new["cache_read_tokens"]) == ("1000", "700")
