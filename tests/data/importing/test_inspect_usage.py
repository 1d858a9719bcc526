"""Token classes of an Inspect log exclude each other and add up, whatever version wrote the log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.importing.formats.inspect_usage import (
    Tokens,
    add_usage,
    amount,
    count,
    counts_cache_apart,
    exclusive,
    subtract,
)

TOKENS = st.integers(0, 10**9)


def record(**parts):
    names = {"read": "input_tokens_cache_read", "write": "input_tokens_cache_write", "total": "total_tokens"}
    names |= {
        "plain": "input_tokens",
        "output": "output_tokens",
        "reasoning": "reasoning_tokens",
        "cost": "total_cost",
    }
    return {names[key]: value for key, value in parts.items()}


@pytest.mark.parametrize(
    ("version", "created", "apart"),
    [
        ("0.3.184", "", True), ("0.3.259", "", True), ("0.4.0", "", True), ("1.0.0", "", True),
        ("0.3.183", "", False), ("0.3.95.dev16+g6527d0861", "", False), ("0.3.184.dev3+gabc", "", False),
        ("0.3.185.dev3+gabc", "", True), ("", "2026-03-01T00:00:00Z", True), ("", "2026-02-28T23:00:00Z", False),
        ("", "", False), ("unknown", "2026-08-01", True),
    ],
)  # fmt: skip
def test_the_version_switches_the_rule(version, created, apart):
    assert counts_cache_apart(version, created) is apart


@given(plain=TOKENS, read=TOKENS, write=TOKENS, output=st.integers(1, 10**9))
def test_every_way_of_counting_gives_the_classes(plain, read, write, output):
    expected = (plain, read, write, output)
    total = plain + read + write + output
    ways = [
        (record(plain=plain, read=read, write=write, output=output, total=total), True),
        (record(plain=plain, read=read, write=write, output=output, total=plain + output), True),
        (record(plain=plain, read=read, write=write, output=output, total=total), False),
        (record(plain=plain + read + write, read=read, write=write, output=output, total=total), False),
    ]
    for usage, apart in ways:
        found = exclusive(usage, model="openai/m", cache_apart=apart)
        assert (found.uncached, found.cache_read, found.cache_write, found.output) == expected
        assert found.total == total
        assert not found.ambiguous


def test_reads_inside_and_writes_beside_the_input():
    found = exclusive(
        record(plain=100, read=60, write=30, output=5, total=135), model="x/m", cache_apart=False
    )
    assert (found.uncached, found.cache_read, found.cache_write) == (40, 60, 30)


@pytest.mark.parametrize(
    ("model", "plain", "uncached"),
    [("openai/m", 100, 40), ("anthropic/m", 100, 100), ("openai/m", 50, 50)],
)
def test_without_a_telling_total_the_provider_decides(model, plain, uncached):
    for extra in ({}, {"total": 7}):
        found = exclusive(record(plain=plain, read=60, output=5, **extra), model=model, cache_apart=False)
        assert (found.uncached, found.ambiguous) == (uncached, True)


def test_reasoning_counted_beside_the_output_is_added():
    inside = exclusive(record(plain=10, output=50, reasoning=40, total=60), model="x", cache_apart=True)
    beside = exclusive(record(plain=10, output=50, reasoning=40, total=100), model="x", cache_apart=True)
    cached = exclusive(
        record(plain=10, read=20, output=50, reasoning=40, total=120), model="x", cache_apart=True
    )
    assert (inside.output, beside.output, cached.output) == (50, 90, 90)


def test_reasoning_as_large_as_the_cache_is_not_taken_for_it():
    found = exclusive(
        record(plain=10, read=40, output=50, reasoning=40, total=100), model="x", cache_apart=True
    )
    assert (found.output, found.uncached) == (50, 10)


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "many", None, True, [3], {}, 1.5, 1e300])
def test_a_count_that_is_none_is_unknown(bad):
    assert count(bad) is None
    found = exclusive(record(plain=bad, output=4, read=3), model="x", cache_apart=True)
    assert (found.uncached, found.output, found.cache_read) == (None, 4, 3)


def test_counts_as_text_and_whole_floats_are_taken():
    assert (count("3.0"), count(4.0), count("12"), amount("0.25")) == (3, 4, 12, 0.25)


def test_unknown_input_stays_unknown_where_the_rule_would_need_it():
    found = exclusive(record(output=4, read=3), model="x", cache_apart=False)
    assert (found.uncached, found.cache_read) == (None, 3)


def test_subtracting_never_goes_below_zero_and_keeps_unknown():
    whole = Tokens(10, None, 5, 7, None, 1.0)
    part = Tokens(4, 9, 8, 1, 2, 0.25)
    assert subtract(whole, part) == Tokens(6, None, 0, 6, None, 0.75)
    assert subtract(whole, Tokens(1, 1, 1, 1, 1, None)).cost is None


def test_adding_usage_keeps_what_only_one_knows():
    assert add_usage({"input_tokens": 1}, {"input_tokens": 2, "total_cost": 0.5}) == {
        "input_tokens": 3,
        "total_cost": 0.5,
    }
    assert add_usage({"input_tokens": None}, {"input_tokens": "x"}) == {}
