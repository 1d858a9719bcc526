"""Pages in process: the real app on a store of the test's own, closed and forgotten afterwards."""

import os
from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from data.store import Store, default_path
from tests.data.store_files import load

ROOT = Path(__file__).resolve().parents[2]


class App:
    """The running app with words for what a test asks of it."""

    def __init__(self):
        self.at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)

    def open(self, slug="overview", **query):
        """Open a page as a person does who follows a link."""
        for name, value in query.items():
            self.at.query_params[name] = value
        self.at.run()
        if slug != "overview":
            self.at.switch_page(f"pages/{slug}.py").run()
        return self

    @property
    def html(self):
        """All own HTML of the page but its style."""
        bodies = [item.proto.body for item in self.at.get("html")]
        return "\n".join(body for body in bodies if not body.startswith("<style>"))

    def press(self, key):
        self.at.button(key=key).click().run()
        return self

    def keys(self, kind):
        return [item.key for item in self.at.get(kind)]

    def charts(self):
        return self.at.get("plotly_chart")

    def check(self):
        """No page ends in Streamlit's own red box."""
        assert not self.at.exception, [item.message for item in self.at.exception]
        return self


@pytest.fixture
def app(monkeypatch):
    """The app as it runs once its process has answered a first request.

    AppTest begins every run as a fresh process would, which runs the files in pages/ without their frame; the
    browser tests cover that first request.
    """
    begin = PagesManager.__init__

    def begun(self, *arguments, **named):
        begin(self, *arguments, **named)
        PagesManager.uses_pages_directory = False

    monkeypatch.setattr(PagesManager, "__init__", begun)
    yield App()
    # The store is one for the process; the next test must find it free and nothing of this one in caches.
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.fixture
def stored():
    """Put rows into the workspace of the test before the app opens it."""

    def put(*files):
        with Store.open(default_path()) as store:
            for number, rows in enumerate(files):
                load(store, rows, name=f"file{number}.csv", repeat="add")

    assert "SWITCHOVER_DB" not in os.environ
    return put
