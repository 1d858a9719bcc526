from hypothesis import given
from hypothesis import strategies as st

from charts import text


@given(st.text())
def test_plain_text_is_one_visible_line(raw):
    plain = text.plain(raw)
    assert plain == " ".join(plain.split())
    assert text.plain(plain) == plain


@given(st.text(min_size=1), st.integers(4, 40))
def test_shortened_text_fits(raw, most):
    short = text.shortened(raw, most)
    assert len(short) <= most
    assert short == raw or "…" in short


def test_both_ends_of_a_name_stay():
    assert text.shortened("vendor/model-2026-11-01-high", 16) == "vendor/mo…1-high"


def test_text_is_inert_in_plotly():
    assert text.inert("<b>x</b> $y$ & z\n\x00") == "&lt;b&gt;x&lt;/b&gt; &#36;y&#36; &amp; z"


def test_a_hover_is_broken_into_lines():
    assert text.wrapped("aaaa bbbb cccc", 9) == "aaaa bbbb<br>cccc"
