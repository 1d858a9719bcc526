import json

import pytest

from data import queries
from data.contenders import Contender, contenders, find, named, set_variant_label
from data.errors import InputError
from tests.data.store_files import load, row


def names(store):
    return [one.name for one in contenders(store, "b")]


def with_settings(model="m", task="t1", **settings):
    return row(task, model=model, run=json.dumps(settings), settings=json.dumps(settings, sort_keys=True))


def test_one_variant_goes_by_the_models_name(store):
    load(store, [row(variant="v2"), row(model="n")])
    assert names(store) == ["m", "n"]


def test_several_variants_stand_in_brackets(store):
    load(store, [row(variant="v1"), row(variant="v2"), row(variant="")])
    assert names(store) == ["m (no variant)", "m (v1)", "m (v2)"]


def test_logs_are_named_by_the_settings_that_differ(store):
    load(
        store,
        [
            with_settings(generate={"temperature": 0}, steps=[{"solver": "react"}], dataset="d"),
            with_settings(generate={"temperature": 1}, steps=[{"solver": "react"}], dataset="d"),
        ],
    )
    assert names(store) == ["m (temperature=0)", "m (temperature=1)"]


def test_as_few_settings_as_tell_them_apart(store):
    load(
        store,
        [
            with_settings(solver="react", generate={"temperature": 0, "top_p": 1}),
            with_settings(solver="react", generate={"temperature": 1, "top_p": 1}),
            with_settings(solver="plan", generate={"temperature": 0, "top_p": 1}),
            with_settings(solver="plan", generate={"top_p": 1}),
        ],
    )
    assert names(store) == [
        "m (solver=plan, temperature not set)",
        "m (solver=plan, temperature=0)",
        "m (solver=react, temperature=0)",
        "m (solver=react, temperature=1)",
    ]


def test_a_long_setting_is_shortened_and_still_differs(store):
    load(
        store, [with_settings(prompt="You are a careful agent. " + end) for end in ("Be brief.", "Be long.")]
    )
    first, second = names(store)
    assert first != second
    assert all(len(name) < 40 and name.startswith("m (prompt=You are a ca…") for name in (first, second))


def test_two_names_are_never_one():
    found = [
        Contender("", "o3 (high)", "", "", {}),
        Contender("", "o3", "high", "", {}),
        Contender("", "o3", "low", "", {}),
        Contender("", "o3 (variant high)", "", "", {}),
    ]
    assert [one.name for one in named(found)] == [
        "o3 (high)",
        "o3 (low)",
        "o3 (variant high)",
        "o3 (variant high, 2)",
    ]


def test_equal_labels_and_equal_settings_still_differ():
    found = [Contender("", "m", "", key, {"x": "1"}, "label") for key in ("aaaaaaaa", "bbbbbbbb")]
    assert [one.name for one in named(found)] == ["m (label, aaaaaa)", "m (label, bbbbbb)"]


def test_a_contender_is_found_by_name_or_by_model_where_that_is_clear(store):
    load(store, [row(variant="v1"), row(variant="v2"), row(model="n", variant="x")])
    known = contenders(store, "b")
    assert find(known, "m (v2)", "b").variant == "v2"
    assert find(known, "n", "b").model == "n"
    assert find(known, "n (x)", "b").model == "n"
    with pytest.raises(InputError, match=r"'m' has 2 variants in 'b'.*m \(v1\), m \(v2\)"):
        find(known, "m", "b")
    with pytest.raises(InputError, match="nobody"):
        find(known, "nobody", "b")


def test_a_label_names_a_variant_until_it_is_taken_away(store):
    load(store, [row(variant="v1"), row(variant="v2")])
    set_variant_label(store, "b", "m (v1)", "  short\n prompt ")
    assert names(store) == ["m (short prompt)", "m (v2)"]
    assert set(queries.eval_cells(store, "b")["contender"]) == {"m (short prompt)", "m (v2)"}
    with pytest.raises(InputError, match="already"):
        set_variant_label(store, "b", "m (v2)", "short prompt")
    with pytest.raises(InputError, match="at most"):
        set_variant_label(store, "b", "m (v2)", "x" * 81)
    set_variant_label(store, "b", "m (short prompt)", "")
    assert names(store) == ["m (v1)", "m (v2)"]


def test_settings_that_differ_are_listed(store):
    load(
        store,
        [
            with_settings(solver="react", generate={"temperature": 0, "top_p": 1}),
            with_settings(solver="react", generate={"temperature": 1}),
        ],
    )
    first, second = names(store)
    assert queries.benchmark_settings_difference(store, "b", first, second) == (
        ("generate.temperature", "0", "1"),
        ("generate.top_p", "1", "not set"),
    )
    frame = queries.variant_settings(store, "b")
    assert list(frame[frame["contender"] == first]["setting"]) == [
        "generate.temperature",
        "generate.top_p",
        "solver",
    ]


def test_logs_with_equal_settings_are_one_contender(store):
    load(store, [with_settings(solver="a")], name="first.eval")
    load(store, [with_settings(task="t2", solver="a")], name="second.eval")
    assert names(store) == ["m"]


def test_a_contender_none_of_whose_rows_count_is_gone(store):
    load(store, [row("t1", run="id-1"), row("t2", model="wrong", run="id-2")])
    load(store, [row("t1", run="id-1"), row("t2", run="id-2")])
    assert names(store) == ["m"]
