"""The frame around every page: the guard, the held store, errors in words."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from data.store import Store, default_path
from tests.pages.conftest import ROOT
from ui import asking, navigation

SLUGS = [screen.slug for screen in navigation.SCREENS]


def test_every_screen_has_its_file_and_every_file_its_screen():
    files = {path.stem for path in (ROOT / "pages").glob("*.py")}
    assert files == set(SLUGS)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_page_calls_the_guard_before_anything_else(slug):
    lines = (ROOT / "pages" / f"{slug}.py").read_text(encoding="utf-8").splitlines()
    calls = [line for line in lines if line and not line.startswith(("from ", "import ", '"""'))]
    assert calls[0] == "navigation.guard()"


@pytest.mark.parametrize("slug", SLUGS)
def test_an_empty_workspace_opens_on_every_page(app, slug):
    app.open(slug).check()
    assert "Problem" not in app.html


@pytest.mark.parametrize("slug", SLUGS)
def test_a_held_store_says_who_holds_it_and_what_to_do(app, slug):
    path = default_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    with Store.open(path):
        app.open(slug).check()
        assert "The store is held by process" in app.html
        assert "Stop that process" in app.html
        assert "try_again" in app.keys("button")
    app.press("try_again").check()
    assert "held by" not in app.html


def test_a_fault_of_the_program_is_told_in_words_without_a_traceback_on_the_page(app, stored, monkeypatch):
    from tests.pages.eval_rows import results

    stored(results({"A": 0.5, "B": 0.2}))

    def fail(*_):
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(asking, "ask", fail)
    app.open("leaderboard").check()
    assert "stopped on a fault of the program" in app.html
    assert "planted" not in app.html
    assert "planted" in app.at.code[0].value


def test_a_damaged_store_is_told_in_words(app):
    path = default_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"not a database, and long enough to be one" * 400)
    app.open("leaderboard").check()
    assert "sw-verdict sw-bad" in app.html


def test_a_page_started_alone_goes_through_the_frame():
    """A fresh process runs a deep link's file without app.py, as AppTest does on every run."""
    lone = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    lone.switch_page("pages/leaderboard.py")
    del lone.session_state[navigation.FRAMED]
    try:
        lone.run()
        assert not lone.exception
        assert [title.value for title in lone.title] == ["Leaderboard"]
        assert any(item.proto.body.startswith("<style>") for item in lone.get("html"))
        assert lone.session_state[navigation.FRAMED]
    finally:
        st.cache_resource.clear()
        st.cache_data.clear()
