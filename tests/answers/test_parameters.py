"""Declared parameters: texts become values, and each mistake is named by its flag."""

from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.parameters import Parameters, as_dict, build, parameter, specifications
from data.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Example(Parameters):
    name: str = parameter(help="a name")
    share: float = parameter(default=0.5, low=0.0, high=1.0, open_bounds=True, unit="share", help="a share")
    count: int | None = parameter(default=None, low=1, high=9, help="how many")
    many: tuple[str, ...] = parameter(default=(), help="several")
    mode: Literal["a", "b"] = parameter(default="a", help="which")
    cost_per_run: float | None = parameter(default=None, help="a cost")
    deep: bool = parameter(default=False, help="whether to look deeper")


def test_texts_become_values_and_absent_ones_take_the_default():
    made = build(Example, {"name": "x", "share": "0.25", "count": "3", "many": ["p", "q"], "deep": "true"})
    assert made == Example(name="x", share=0.25, count=3, many=("p", "q"), deep=True)
    assert build(Example, {"name": "x", "count": None, "many": []}) == Example(name="x")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({}, "--name"),
        ({"name": "x", "share": "1.0"}, "--share"),
        ({"name": "x", "share": "nan"}, "--share"),
        ({"name": "x", "share": "inf"}, "--share"),
        ({"name": "x", "share": "half"}, "half"),
        ({"name": "x", "count": "2.5"}, "--count"),
        ({"name": "x", "count": "10"}, "--count"),
        ({"name": "x", "mode": "magic"}, "magic"),
        ({"name": "x", "cost_per_run": "cheap"}, "--cost-per-run"),
        ({"name": "x", "deep": "perhaps"}, "--deep"),
        ({"name": "x", "nonsense": "1"}, "nonsense"),
    ],
)
def test_each_mistake_is_one_line_that_names_it(values, named):
    with pytest.raises(InputError, match=named) as caught:
        build(Example, values)
    assert "\n" not in str(caught.value)


def test_specifications_say_what_a_flag_needs():
    specs = {spec.name: spec for spec in specifications(Example)}
    assert specs["name"].required
    assert not specs["share"].required
    assert specs["many"].many
    assert specs["many"].kind is str
    assert specs["count"].optional
    assert specs["count"].kind is int
    assert specs["cost_per_run"].flag == "--cost-per-run"


@given(
    share=st.floats(min_value=0.001, max_value=0.999),
    count=st.none() | st.integers(min_value=1, max_value=9),
    many=st.lists(st.text(min_size=1), max_size=4),
    deep=st.booleans(),
)
def test_what_a_record_holds_builds_the_parameters_again(share, count, many, deep):
    made = Example(name="x", share=share, count=count, many=tuple(many), deep=deep)
    assert build(Example, as_dict(made)) == made
