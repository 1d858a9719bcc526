"""Draw the README's picture: the Leaderboard page on the sample data, in a real Chromium.

Run ``.venv-test/bin/python -m tools.screenshot`` in the project's folder after a change of the page.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from urllib.parse import quote

from playwright.sync_api import sync_playwright

from run import CHROMIUM_NAMES, ROOT, free_port, say

PICTURE = ROOT / "docs" / "img" / "leaderboard.png"
READY = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  return app && app.getAttribute('data-test-script-state') === 'notRunning'
    && document.querySelector('.js-plotly-plot') && !document.querySelector('[data-stale=true]');
}"""


def wait_for(url: str) -> None:
    """Return when the server answers.

    Raises:
        TimeoutError: it does not within a minute.
    """
    for _ in range(120):
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2):  # noqa: S310 - our own server
                return
        except OSError:
            time.sleep(0.5)
    raise TimeoutError(f"{url} did not answer within a minute")


def draw(url: str, benchmark: str) -> None:
    """Photograph the page at a laptop's size."""
    executable = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1000}, color_scheme="light")
        page.goto(f"{url}/leaderboard?benchmark={quote(benchmark)}")
        page.wait_for_function(READY, timeout=60_000)
        page.wait_for_timeout(1500)  # fonts settle after the last draw
        page.screenshot(path=PICTURE)
        browser.close()


def main() -> None:
    """Load the sample into a workspace of its own, serve it, photograph it."""
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "SWITCHOVER_HOME": home}
        subprocess.run([sys.executable, "cli.py", "sample"], cwd=ROOT, env=environment, check=True)
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
        command += ["--server.fileWatcherType=none"]
        server = subprocess.Popen([*command, f"--server.port={port}"], cwd=ROOT, env=environment)
        try:
            wait_for(f"http://127.0.0.1:{port}")
            draw(f"http://127.0.0.1:{port}", "Sample: bug fixes")
        finally:
            server.terminate()
            server.wait()
    say(f"Wrote {PICTURE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
