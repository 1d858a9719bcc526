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


def test_names_that_differ_in_the_middle_stay_apart():
    names = ["vendor/model-one-2026-high", "vendor/model-two-2026-high", "short", "short"]
    short = text.shortened_apart(names, 12)
    assert short[2:] == ["short", "short"]
    assert short[0] != short[1]
    assert max(map(len, short)) < len(names[0])


@given(st.lists(st.text(max_size=40), max_size=8), st.integers(4, 20))
def test_different_texts_never_read_alike(texts, most):
    short = text.shortened_apart(texts, most)
    assert len(set(short)) == len(set(texts))


def test_text_is_inert_in_plotly():
    assert text.inert("<b>x</b> $y$ & z\n\x00") == "&lt;b&gt;x&lt;/b&gt; &#36;y&#36; &amp; z"


def test_a_hover_is_broken_into_lines():
    assert text.wrapped("aaaa bbbb cccc", 9) == "aaaa bbbb<br>cccc"
