import pytest
from hypothesis import given
from hypothesis import strategies as st

from charts import scale


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20))
def test_a_span_holds_its_values_and_is_never_empty(values):
    low, high = scale.span(values)
    assert low < high
    assert low <= min(values)
    assert max(values) <= high


def test_no_values_have_no_span():
    with pytest.raises(ValueError, match="at least one"):
        scale.span([])


@given(st.floats(-1e4, 1e4), st.floats(1e-3, 1e4))
def test_ticks_are_round_few_and_inside(low, width):
    ticks = scale.ticks(low, low + width)
    assert 1 <= len(ticks) <= 8
    assert all(low - 1e-6 <= tick <= low + width + 1e-6 for tick in ticks)


def test_ticks_of_an_empty_range():
    assert scale.ticks(0.5, 0.5) == (0.5,)


@pytest.mark.parametrize(
    ("values", "unit", "texts"),
    [
        ((0, 0.2, 0.4), "share", ("0", "20%", "40%")),
        ((0.495, 0.5), "share", ("49.5%", "50.0%")),
        ((-0.1, 0, 0.1), "points", ("−10", "0", "10")),
        ((0, 20000), "money", ("0", "$20k")),
        ((500, 18000), "count", ("500", "18k")),
        ((1.5, 2.0), "number", ("1.5", "2.0")),
        ((0.5,), "share", ("50%",)),
    ],
)
def test_tick_texts(values, unit, texts):
    assert scale.tick_texts(values, unit) == texts


def test_a_share_has_no_tick_where_none_can_lie():
    assert scale.share_ticks(-0.06, 1.06) == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
