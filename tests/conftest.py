"""What all tests share: their own workspace, a store, the real data beside the project, and no network."""

import ipaddress
import os
import shutil
import socket
from pathlib import Path

import pytest
from hypothesis import settings

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
#: Files whose tests take seconds each and hang little on the Python version; the fast tier leaves them out.
SLOW = {
    "data": (
        "test_backup",
        "test_export",
        "test_fuzz",
        "test_round_trip",
        "test_real_files",
        "test_store_overlaps",
    ),
    "pages": ("test_leaderboard_sections", "test_data_page", "test_leaderboard_page"),
    "report": ("test_whole_path", "test_page_in_browser", "test_formats"),
    "tests": ("test_bootstrap", "test_docs", "test_style", "test_layers"),
    "analysis": ("test_board_calibration",),
}
SLOW_NAMES = {name for names in SLOW.values() for name in names}
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Every run tries the cases of every other run, and a busy machine fails no test.
settings.register_profile("switchover", derandomize=True, deadline=None, database=None)
settings.load_profile("switchover")


def pytest_addoption(parser):
    parser.addoption("--full", action="store_true", help="also run simulations at their stated size")


def pytest_collection_modifyitems(config, items):
    skip = pytest.mark.skip(reason="a simulation at its stated size takes minutes; --full runs it")
    for item in items:
        if TESTS / "browser" in item.path.parents:
            item.add_marker(pytest.mark.browser)
        if item.path.stem in SLOW_NAMES:
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("full") and not config.getoption("--full"):
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def own_workspace(tmp_path, monkeypatch):
    """No setting of the person who runs the tests reaches them, and no test reaches that person's workspace."""
    for name in [name for name in os.environ if name.startswith(("SWITCHOVER_", "STREAMLIT_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("SWITCHOVER_HOME", str(tmp_path / "workspace"))


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Fail a test that looks up or connects to anything but this machine, even where the error is swallowed."""
    attempts = []
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def check(address):
        host = address[0] if isinstance(address, tuple) else None
        if host is not None and not is_this_machine(host):
            attempts.append(host)
            raise OSError(f"tests may not reach {host!r}")

    def guarded_look_up(host, *rest, **more):
        check((host or "",))
        return look_up(host, *rest, **more)

    def guarded_connect(self, address):
        check(address)
        return connect(self, address)

    def guarded_connect_ex(self, address):
        check(address)
        return connect_ex(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
    yield attempts
    assert not attempts, f"the test tried to reach {attempts}"


def is_this_machine(host):
    host = host.decode() if isinstance(host, bytes) else host
    if host in ("", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


@pytest.fixture
def store(tmp_path):
    """An empty store of the test's own, closed after it."""
    from data.store import Store

    opened = Store.open(tmp_path / "workspace" / "switchover.duckdb")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def shared_data():
    """Find a file of the real data that lies beside the project; the test is skipped where it is absent."""

    def find(*parts):
        path = ROOT.parent.joinpath("shared", "real", *parts)
        if not path.exists():
            pytest.skip(f"the real data set {'/'.join(parts) or 'folder'} does not lie beside the project")
        return path

    return find


@pytest.fixture(scope="session")
def chromium_path():
    """The Chromium that ``run.py test`` found, else one on the path; None leaves it to Playwright's own."""
    names = (os.environ.get("CHROMIUM"), *CHROMIUM_NAMES)
    return next(filter(None, (shutil.which(name) for name in names if name)), None)
