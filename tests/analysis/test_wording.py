import datetime as dt
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import wording as w


@pytest.mark.parametrize(
    ("half_width", "decimals"),
    [
        (3.5, 0),
        (7.1, 0),
        (1.0, 1),
        (1.99, 1),
        (2.0, 0),
        (14, 0),
        (350, 0),
        (0.35, 1),
        (0.15, 2),
        (0.1, 2),
        (0.045, 2),
        (0.001, 4),
        (1e-30, 12),
    ],
)
def test_decimals_follow_the_half_width(half_width, decimals):
    assert w.decimals_for(half_width) == decimals


@pytest.mark.parametrize("half_width", [0, -1, math.nan, math.inf])
def test_a_half_width_that_is_none_is_refused(half_width):
    with pytest.raises(ValueError, match="half-width"):
        w.decimals_for(half_width)


@pytest.mark.parametrize(
    ("value", "half_width", "text"),
    [
        (0.684, None, "68.4%"),
        (0.684, 0.037, "68.4%"),
        (0.684, 0.14, "68%"),
        (0.145, 0.037, "14.5%"),
        (1, None, "100%"),
        (0, None, "0%"),
        (0, 0.02, "0.0%"),
        (0.9999, 0.037, "99.99%"),
        (0.9999, 0.14, "99.99%"),
        (0.999, 0.14, "99.9%"),
        (0.0004, None, "0.04%"),
        (1e-9, None, "under 0.001%"),
        (1 - 1e-9, None, "over 99.999%"),
        (None, None, "unknown"),
        (math.nan, 0.1, "unknown"),
    ],
)
def test_share(value, half_width, text):
    assert w.share(value, half_width) == text


@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_a_share_between_0_and_1_is_never_written_as_either(value):
    text = w.share(value)
    assert text.endswith("%")
    if text[0].isdigit():
        assert 0 < float(text[:-1]) < 100


@pytest.mark.parametrize(
    ("hits", "draws", "text"),
    [
        (0, 5000, "under 1 in 5,000"),
        (5000, 5000, "over 4,999 in 5,000"),
        (4100, 5000, "82.0%"),
        (0, 0, "unknown"),
    ],
)
def test_share_of_draws(hits, draws, text):
    assert w.share_of_draws(hits, draws) == text


@pytest.mark.parametrize(
    ("value", "half_width", "signed", "text"),
    [
        (0.059, None, False, "5.9 points"),
        (0.059, 0.035, True, "+5.9 points"),
        (-0.092, 0.071, False, "−9.2 points"),
        (0.01, 0.12, False, "1 point"),
        (-0.01, 0.12, True, "−1 point"),
        (0.01, 0.02, False, "1.0 points"),
        (0.0, 0.02, True, "0.0 points"),
        (0.0003, 0.02, True, "+0.03 points"),
        (None, None, True, "unknown"),
    ],
)
def test_points(value, half_width, signed, text):
    assert w.points(value, half_width, signed=signed) == text


def test_the_number_of_a_difference_carries_its_sign():
    assert w.points_number(0.059) == "+5.9"
    assert w.points_number(-0.163) == "−16.3"
    assert w.points_number(0.059, signed=False) == "5.9"
    assert w.points_number(math.inf) == "unknown"


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        ((0.024, 0.094, "points"), {}, "2.4 to 9.4"),
        ((0.024, 0.094, "points"), {"signed": True}, "+2.4 to +9.4"),
        ((-0.163, -0.021, "points"), {}, "−16.3 to −2.1"),
        ((-0.22, 0.05, "points"), {"signed": True}, "−22 to +5"),
        ((0.646, 0.72, "share"), {}, "64.6 to 72.0"),
        ((0.3, 0.7, "share"), {}, "30 to 70"),
        ((0.0, 0.4, "share"), {}, "0 to 40"),
        ((0.0004, 0.093, "points"), {"signed": True}, "+0.04 to +9.30"),
        ((0.004, 0.3, "points"), {"signed": True}, "+0.4 to +30.0"),
        ((-0.0000001, 0.09, "points"), {"signed": True}, "0.000 to +9.000"),
        ((0.21, 0.37, "relative"), {}, "21% to 37%"),
        ((0.27, 0.36, "money"), {}, "$0.27 to $0.36"),
        ((5300, 6400, "money"), {"currency": "EUR"}, "EUR 5,300 to EUR 6,400"),
        ((88000, 176000, "count"), {}, "88,000 to 176,000"),
        ((840, 1800, "milliseconds"), {}, "840 ms to 1.8 s"),
        ((1.02, 1.08, "number"), {}, "1.02 to 1.08"),
        ((0.024, None, "points"), {}, "at least 2.4"),
        ((None, 0.094, "points"), {}, "at most 9.4"),
        ((-math.inf, 0.094, "points"), {}, "at most 9.4"),
        ((None, None, "points"), {}, "unknown"),
        ((0.5, 0.5, "share"), {}, "50.0 to 50.0"),
    ],
)
def test_interval(arguments, options, text):
    assert w.interval(*arguments, **options) == text


@given(st.floats(-1, 1), st.floats(0.002, 1))
def test_the_side_of_zero_can_be_read_from_a_printed_interval(low, width):
    high = low + width
    first = w.interval(low, high, "points", signed=True).split(" to ")[0]
    if abs(low) > 1e-4:
        assert first.startswith("+" if low > 0 else "−")


@pytest.mark.parametrize(
    ("value", "half_width", "signed", "text"),
    [
        (-0.30, 0.08, False, "30% less"),
        (-0.30, 0.08, True, "−30%"),
        (0.2, 0.004, False, "20.0% more"),
        (12.5, None, False, "1,250% more"),
        (-0.2963, None, False, "29.6% less"),
        (0.0, 0.05, False, "0%"),
        (-0.0004, 0.05, False, "0.04% less"),
        (None, None, False, "unknown"),
    ],
)
def test_relative(value, half_width, signed, text):
    assert w.relative(value, half_width, signed=signed) == text


@pytest.mark.parametrize(
    ("amount", "currency", "text"),
    [
        (0.31, "USD", "$0.31"),
        (0.00421, "USD", "$0.00421"),
        (0.0042149, "USD", "$0.00421"),
        (0.009999, "USD", "$0.01"),
        (0.0000012345, "USD", "$0.00000123"),
        (21432.1, "USD", "$21,400"),
        (999.7, "USD", "$1,000"),
        (99.996, "USD", "$100"),
        (412.3, "USD", "$412"),
        (12.3, "USD", "$12.30"),
        (0.31, "EUR", "EUR 0.31"),
        (-0.31, "EUR", "−EUR 0.31"),
        (-21432, "USD", "−$21,400"),
        (0, "USD", "$0.00"),
        (1234567, "USD", "$1,230,000"),
        (None, "USD", "unknown"),
        (math.nan, "EUR", "unknown"),
    ],
)
def test_money(amount, currency, text):
    assert w.money(amount, currency) == text


def test_money_with_an_interval_follows_it():
    assert w.money(0.31237, "USD", 0.0045) == "$0.312"
    assert w.money(0.31237, "USD", 0.045) == "$0.31"
    assert w.money(0.31237, "USD", 0.4) == "$0.31"
    assert w.money(31.237, "USD", 4) == "$31"
    assert w.money(5923, "USD", 0.004) == "$5,920"


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (20000, "$20k"),
        (0, "0"),
        (0.5, "$0.50"),
        (3, "$3"),
        (1500, "$1.5k"),
        (-2e6, "−$2M"),
        (None, "unknown"),
    ],
)
def test_money_on_an_axis(amount, text):
    assert w.money_short(amount) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (3, "$3.00 per million"),
        (0.075, "$0.075 per million"),
        (0.1 + 0.2, "$0.30 per million"),
        (None, "unknown"),
    ],
)
def test_price(amount, text):
    assert w.price(amount) == text


def test_counts_in_tables_sentences_and_on_axes():
    assert w.count(184200) == "184,200"
    assert w.count(0) == "0"
    assert w.count_words(184200) == "184,200"
    assert w.count_words(1_204_331) == "1.2 million"
    assert w.count_words(3e9) == "3 billion"
    assert w.count_short(18000) == "18k"
    assert w.count_short(999_999) == "1M"
    assert w.count_short(1_234_567) == "1.23M"
    assert w.count_short(500) == "500"
    assert w.count_short(1500) == "1,500"
    assert w.count_short(10) == "10"
    assert [f(None) for f in (w.count, w.count_words, w.count_short)] == ["unknown"] * 3


def test_what_was_chosen_keeps_the_digits_it_was_chosen_with():
    assert [w.level(x) for x in (0.95, 0.995, 0.9, 1, 0.0001, None)] == [
        *("95%", "99.5%", "90%", "100%", "0.01%", "unknown")
    ]
    assert [w.margin(x) for x in (0.05, 0.025, 0.01, 0.1, 0, None)] == [
        *("5 points", "2.5 points", "1 point", "10 points", "0 points", "unknown")
    ]


def test_plural():
    assert w.plural(1, "task") == "1 task"
    assert w.plural(2, "task") == "2 tasks"
    assert w.plural(0, "query", "queries") == "0 queries"
    assert w.plural(1253, "call") == "1,253 calls"
    assert w.plural(None, "task") == "unknown"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.002, "p = 0.002"),
        (0.0004, "p < 0.001"),
        (0.001, "p = 0.001"),
        (0.0496, "p = 0.0496"),
        (0.0512, "p = 0.051"),
        (0.5, "p = 0.50"),
        (1.0, "p = 1.00"),
        (0.0, "p < 0.001"),
        (None, "unknown"),
    ],
)
def test_p_value(p, text):
    assert w.p_value(p) == text


def test_latency():
    assert w.latency(840) == "840 ms"
    assert w.latency(1800) == "1.8 s"
    assert w.latency(999.7) == "1.0 s"
    assert w.latency(0.42) == "0.42 ms"
    assert w.latency(184_000) == "184 s"
    assert w.latency(None) == "unknown"


def test_dates_and_times():
    assert w.date("2026-11-29") == "29 Nov 2026"
    assert w.date(dt.date(2026, 1, 2)) == "2 Jan 2026"
    assert w.date("2026-11-29T23:30:00-02:00") == "30 Nov 2026"
    assert w.timestamp("2026-11-29T14:05:00Z") == "29 Nov 2026, 14:05 UTC"
    assert w.timestamp(dt.datetime(2026, 11, 29, 14, 5)) == "29 Nov 2026, 14:05 UTC"  # noqa: DTZ001 - the case meant
    assert w.date(None) == w.timestamp(None) == w.date("") == "unknown"
    with pytest.raises(ValueError, match="tomorrow"):
        w.date("tomorrow")


def test_ranks():
    assert w.rank_range(1, 2) == "1–2"
    assert w.rank_range(6, 6) == "6"
    assert w.rank_range(None, 2) == "unknown"


def test_lists_and_hashes():
    assert w.sentence_list([]) == ""
    assert w.sentence_list(["a"]) == "a"
    assert w.sentence_list(["a", "b"]) == "a and b"
    assert w.sentence_list(["a", "b", "c"]) == "a, b and c"
    assert w.sentence_list(["a", "b", "c", "d"], most=2) == "a, b and 2 more"
    assert w.short_hash("9f2c" + "0" * 56 + "41ab") == "9f2c…41ab"
    assert w.short_hash(None) == w.unknown() == "unknown"


def test_a_table_cell_is_written_by_the_unit_of_its_column():
    assert w.cell(0.684, "share") == "68.4%"
    assert w.cell(0.059, "points") == "+5.9"
    assert w.cell(-0.3, "relative") == "−30.0%"
    assert w.cell(0.31, "money", "EUR") == "EUR 0.31"
    assert w.cell(5400, "count") == "5,400"
    assert w.cell(0.002, "p") == "0.002"
    assert w.cell(840, "milliseconds") == "840 ms"
    assert w.cell(1.23456, "number") == "1.23"
    assert w.cell("Aster 5", "text") == "Aster 5"
    assert w.cell(True, "text") == "yes"
    assert w.cell(None, "share") == w.cell(math.nan, "share") == "unknown"


def test_plain_numbers():
    assert w.number(1.23456) == "1.23"
    assert w.number(1234.5) == "1,230"
    assert w.number(-1.5, 0.35, signed=True) == "−1.5"
    assert w.number(0) == "0"
