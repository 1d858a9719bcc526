import dataclasses
import json
import math
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.figures import Forest, ForestRow, PairMatrix, PairTile
from data.errors import InputError
from report import canonical

ROOT = Path(__file__).parents[2]

texts = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=12)
leaves = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | texts
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)
rows = st.builds(ForestRow, texts, numbers, numbers, numbers, st.lists(texts, max_size=3).map(tuple), texts)
tiles = st.builds(PairTile, texts, texts, numbers, numbers, numbers, texts)
figures = st.builds(
    Forest,
    texts,
    texts,
    texts,
    st.lists(rows, max_size=4).map(tuple),
    st.just(("a",)),
    st.just("share"),
    texts,
) | st.builds(
    PairMatrix,
    texts,
    texts,
    texts,
    st.lists(texts, max_size=3).map(tuple),
    st.lists(tiles, max_size=3).map(tuple),
)


@dataclass(frozen=True)
class Holder:
    figures: tuple[Forest | PairMatrix, ...]
    one: Forest | PairMatrix | None
    pair: tuple[int, str]
    mode: Literal["a", "b"] | None
    numbers: Mapping[str, float]
    loose: Any
    cells: tuple[tuple[str | float | int | bool | None, ...], ...]


holders = st.builds(
    Holder,
    st.lists(figures, max_size=3).map(tuple),
    st.none() | figures,
    st.tuples(st.integers(), texts),
    st.sampled_from(["a", "b", None]),
    st.dictionaries(texts, st.floats(allow_nan=False, allow_infinity=False) | st.integers(), max_size=3),
    values.map(canonical.plain),
    st.lists(
        st.lists(numbers | st.integers() | st.booleans() | texts, max_size=4).map(tuple), max_size=3
    ).map(tuple),
)


@given(values)
def test_canonical_text_is_json_that_reads_back_to_one_text(value):
    text = canonical.canonical(value)
    json.dumps(json.loads(text), allow_nan=False)  # raises where a number is not finite
    assert canonical.canonical(json.loads(text)) == text
    assert canonical.parse(canonical.pretty(value), "it") == canonical.plain(value)


@given(st.dictionaries(texts, st.integers(), min_size=2, max_size=6), st.randoms())
def test_order_of_keys_does_not_matter(value, random):
    shuffled = list(value.items())
    random.shuffle(shuffled)
    assert canonical.digest(dict(shuffled)) == canonical.digest(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_written_by_repr_and_come_back_exactly(value):
    assert canonical.canonical(value) == repr(value)
    assert canonical.canonical(np.float64(value)) == repr(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf")])
def test_a_number_that_is_not_finite_is_null(value):
    assert canonical.canonical([value]) == "[null]"


def test_numpy_scalars_are_plain_numbers():
    assert canonical.canonical([np.int64(3), np.bool_(True), np.float64(0.5)]) == "[3,true,0.5]"


@pytest.mark.parametrize("value", [{1: "a", "1": "b"}, {True: 1}, {"a": object()}, b"bytes", {2.5: 1}, int])
def test_what_has_no_json_form_is_refused(value):
    with pytest.raises(TypeError):
        canonical.canonical(value)


def test_half_a_surrogate_is_replaced_so_that_the_text_can_be_written():
    assert canonical.pretty({"name": "a\ud800b"}).decode("utf-8").count("\ufffd") >= 1


@given(holders)
def test_dataclasses_come_back_as_they_were(holder):
    read = canonical.rebuild(Holder, json.loads(canonical.canonical(holder)))
    assert read == holder
    assert canonical.canonical(read) == canonical.canonical(holder)


def plain_holder():
    forest = Forest("n", "t", "s", (ForestRow("a", 0.5, 0.4, 0.6),), ("x",), "share", "axis")
    holder = Holder((forest,), None, (1, "x"), "a", {"k": 0.5}, None, ((1, "a", None),))
    return canonical.plain(holder)


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("pair",), [1], "record.pair"),
        (("pair",), ["1", "x"], r"record.pair\[0\]"),
        (("pair",), "1x", "record.pair"),
        (("mode",), "c", "record.mode"),
        (("numbers", "k"), "0.5", "record.numbers.k"),
        (("numbers", "k"), True, "record.numbers.k"),
        (("numbers",), [], "record.numbers"),
        (("figures",), {}, "record.figures"),
        (("figures", 0, "kind"), "Pie", r"record.figures\[0\].kind"),
        (("figures", 0, "rows", 0, "value"), "high", r"record.figures\[0\].rows\[0\].value"),
        (("figures", 0, "unit"), "percent", r"record.figures\[0\].unit"),
        (("figures", 0, "extra"), 1, r"record.figures\[0\].extra is not a field"),
        (("cells", 0, 0), [], r"record.cells\[0\]\[0\]"),
        (("one",), 5, "record.one"),
    ],
)
def test_damage_is_named_by_its_place_in_one_line(path, value, named):
    damaged = plain_holder()
    place = damaged
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(InputError, match=named) as raised:
        canonical.rebuild(Holder, damaged)
    assert "\n" not in str(raised.value)


def test_a_missing_field_is_named():
    damaged = plain_holder()
    del damaged["mode"]
    with pytest.raises(InputError, match=r"record.mode is missing"):
        canonical.rebuild(Holder, damaged)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (b"\xff\xfe{", "not UTF-8"),
        (b"task_id,model\n1,a\n", "not JSON"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"", "not JSON"),
    ],
)
def test_what_is_no_json_is_refused_in_one_line(document, message):
    with pytest.raises(InputError, match=message) as raised:
        canonical.parse(document, "file.json")
    assert "\n" not in str(raised.value)
    assert "file.json" in str(raised.value)


def test_a_byte_order_mark_is_read_over():
    assert canonical.parse(b'\xef\xbb\xbf{"a":1}', "x") == {"a": 1}


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_digest_does_not_hang_on_the_hash_seed(seed):
    code = (
        "from report.canonical import digest;"
        "print(digest({'b': [1.5, None], 'a': {'ü': 'x', 'z': True}, 'c': 0.1}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PYTHONHASHSEED": seed, "PATH": ""},
    )
    expected = canonical.digest({"c": 0.1, "a": {"z": True, "ü": "x"}, "b": [1.5, None]})
    assert done.stdout.strip() == expected


def test_every_class_of_a_figure_is_told_by_its_kind():
    assert plain_holder()["figures"][0]["kind"] == "Forest"
    assert {field.name for field in dataclasses.fields(Forest)}.isdisjoint({canonical.KIND})
