"""The guards in conftest.py hold: no network, no setting of the person who runs the tests."""

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

CONFTEST = Path(__file__).with_name("conftest.py")


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.org"])
def test_another_machine_cannot_be_reached(no_network, host):
    with pytest.raises(OSError, match="may not reach"):
        socket.create_connection((host, 80), timeout=1)
    assert no_network == [host]
    no_network.clear()


def test_a_library_cannot_reach_another_machine(no_network):
    with pytest.raises(urllib.error.URLError, match="may not reach"):
        urllib.request.urlopen("http://example.org", timeout=1)
    no_network.clear()


def test_this_machine_can_be_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=5).close()


def test_settings_do_not_leak_and_swallowed_attempts_and_full_size_are_seen(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST.read_text())
    (tmp_path / "test_inner.py").write_text(
        "import contextlib, os, socket, pytest\n"
        "def test_settings(tmp_path):\n"
        "    assert 'SWITCHOVER_USAGE_URL' not in os.environ\n"
        "    assert os.environ['SWITCHOVER_HOME'].startswith(str(tmp_path))\n"
        "def test_swallowed():\n"
        "    with contextlib.suppress(OSError), socket.socket() as probe:\n"
        "        probe.connect(('192.0.2.1', 80))\n"
        "@pytest.mark.full\n"
        "def test_large(): pass\n"
    )
    configuration = "[pytest]\nmarkers =\n  full: large\n  browser: real\n"
    (tmp_path / "pytest.ini").write_text(configuration)
    command = [sys.executable, "-m", "pytest", "-rs", "-p", "no:cacheprovider", str(tmp_path)]
    environment = os.environ | {"SWITCHOVER_USAGE_URL": "x"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "2 passed, 1 skipped, 1 error" in done.stdout
    assert "tried to reach ['192.0.2.1']" in done.stdout
    assert "--full runs it" in done.stdout
    full = subprocess.run([*command, "--full"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "3 passed, 1 error" in full.stdout
