"""A real server and a real Chromium for each flow, with everything they must not do written down."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOTS = Path(__file__).parent / "shots"
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
#: Streamlit's own two questions after a deep link; they answer 404 and nothing is wrong.
PROBES = re.compile(r"/[a-z_]+/_stcore/(health|host-config)$")
READY_SECONDS = 60
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return app && app.getAttribute('data-test-script-state') === 'notRunning'
    && !document.querySelector('[data-stale=true]')
    && !document.querySelector('[data-testid=stSkeleton]');
}"""


@dataclass
class Server:
    """A running dashboard with a workspace of its own."""

    url: str
    home: Path
    process: subprocess.Popen
    log: Path


@dataclass
class Watch:
    """What a page did that no page may do."""

    errors: list = field(default_factory=list)
    strangers: list = field(default_factory=list)

    def attach(self, page):
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._console)
        page.on("request", self._request)

    def _console(self, message):
        if message.type == "error" and not PROBES.search(message.location.get("url", "")):
            self.errors.append(f"{message.text} {message.location.get('url', '')}")

    def _request(self, request):
        if not re.match(r"(https?|wss?)://127\.0\.0\.1[:/]|data:|blob:", request.url):
            self.strangers.append(request.url)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def server(tmp_path):
    """A fresh server that has answered no request yet but its health check."""
    home = tmp_path / "home"
    port = free_port()
    log = tmp_path / "server.log"
    environment = {**os.environ, "SWITCHOVER_HOME": str(home), "PYTHONDONTWRITEBYTECODE": ""}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "streamlit",
                "run",
                "app.py",
                f"--server.port={port}",
                "--server.address=127.0.0.1",
                "--server.headless=true",
                "--server.fileWatcherType=none",
                "--browser.gatherUsageStats=false",
            ],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(url, process, log)
        yield Server(url, home, process, log)
    finally:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=20)
        process.kill()
        process.wait()
    text = log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback" not in text, text


def wait_until_ready(url, process, log):
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text(encoding="utf-8", errors="replace")
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer,  # noqa: S310 - own server
        ):
            if answer.read() == b"ok":
                return
        time.sleep(0.2)
    raise AssertionError(f"the server did not answer within {READY_SECONDS} s")


@pytest.fixture(scope="session")
def chromium(chromium_path):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def watch():
    """Collects errors and requests of every page of the test; both must stay empty."""
    watched = Watch()
    yield watched
    assert not watched.errors
    assert not watched.strangers


@pytest.fixture
def open_page(chromium, watch):
    """Open pages of a given width and theme; all are watched and closed."""
    contexts = []

    def make(width=1440, height=900, mode="light"):
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=mode, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        watch.attach(page)
        return page

    yield make
    for context in contexts:
        context.close()


def idle(page):
    """Wait until one script run is over and nothing on the page is stale."""
    page.wait_for_timeout(150)
    page.wait_for_function(IDLE)


def shot(page, name):
    """Keep a picture of the whole page for the person who looks at it."""
    SHOTS.mkdir(exist_ok=True)
    height = page.evaluate("document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight + 40")
    size = page.viewport_size
    page.set_viewport_size({"width": size["width"], "height": min(max(height, size["height"]), 6000)})
    page.wait_for_timeout(400)
    page.screenshot(path=SHOTS / f"{name}.png")
    page.set_viewport_size(size)
