"""run.py: the two commands of the README, and the lock files they install from."""

import ast
import os
import re
import runpy
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

import run
from tools import lock

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")


def lines(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pins(name, python):
    """Package -> version that a lock file gives on this Python."""
    found = {}
    for line in lines(name):
        requirement = Requirement(line)
        if requirement.marker is None or Marker(str(requirement.marker)).evaluate({"python_version": python}):
            (exact,) = requirement.specifier
            assert exact.operator == "=="
            assert requirement.name not in found
            found[requirement.name] = exact.version
    return found


def program(folder, name, text="exit 0"):
    """A program for the search path: a shell script of one line."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def path(tmp_path, monkeypatch):
    """A search path with nothing on it, and no pyenv."""
    folder = tmp_path / "a path"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return folder


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project folder, with a space in its name, whose requirement lists are empty."""
    folder = tmp_path / "my project"
    folder.mkdir()
    for name in run.DEVELOPMENT:
        for suffix in (".txt", ".lock"):
            (folder / f"{name}{suffix}").write_text("", encoding="utf-8")
    monkeypatch.setattr(run, "ROOT", folder)
    return folder


@pytest.fixture
def installs(monkeypatch):
    """Record installations instead of doing them."""
    done = []

    def install(folder, lists):
        run.python_of(folder).parent.mkdir()
        run.python_of(folder).touch()
        done.append([path.name for path in lists])
        return True

    monkeypatch.setattr(run, "install_with_uv", lambda folder, lists: False)
    monkeypatch.setattr(run, "install_with_pip", install)
    return done


# The locks


@pytest.mark.parametrize("python", PYTHONS)
def test_every_requirement_is_locked_within_its_range(python):
    runtime, development = pins("requirements.lock", python), pins("requirements-dev.lock", python)
    assert not runtime.keys() & development.keys()
    for name, locked in (("requirements.txt", runtime), ("requirements-dev.txt", runtime | development)):
        for requirement in map(Requirement, lines(name)):
            assert requirement.specifier.contains(locked[lock.canonical(requirement.name)]), requirement


def test_a_lock_has_one_line_where_all_agree_and_one_a_python_where_not():
    by_python = {
        "3.11": {"a": "1", "b": "1"},
        "3.12": {"a": "1", "b": "2"},
        "3.13": {"a": "1", "b": "2", "c": "3"},
    }
    body = lock.lock_text(by_python).splitlines()[1:]
    assert body == [
        "a==1",
        'b==1 ; python_version == "3.11"',
        'b==2 ; python_version == "3.12"',
        'b==2 ; python_version == "3.13"',
        'c==3 ; python_version == "3.13"',
    ]


def test_pyproject_and_bootstrap_name_the_same_pythons():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'requires-python = ">=3.11,<3.14"' in text
    assert sorted(run.SUPPORTED) == list(PYTHONS)


# Which Python


def test_an_old_python_can_parse_the_bootstrap():
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 6))


@pytest.mark.parametrize("version", [(3, 9, 18), (3, 14, 0)])
def test_another_python_is_told_which_are_needed(monkeypatch, path, version):
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setattr(Path, "home", lambda: path)
    with pytest.raises(SystemExit, match=r"needs Python 3\.11, 3\.12 or 3\.13; this is 3\.\d+ and no other"):
        runpy.run_path(str(ROOT / "run.py"))


def test_another_python_hands_over_to_one_that_fits(monkeypatch, path):
    class HandedOverError(Exception):
        pass

    def execute(program, arguments):
        raise HandedOverError(arguments)

    program(path, "python3.13")
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    monkeypatch.setattr(sys, "argv", ["run.py", "test", "--fast"])
    monkeypatch.setattr(os, "execv", execute)
    with pytest.raises(HandedOverError) as handed:
        runpy.run_path(str(ROOT / "run.py"))
    assert handed.value.args[0] == [str(path / "python3.13"), str(ROOT / "run.py"), "test", "--fast"]


def test_a_python_that_does_not_start_is_passed_over(path, tmp_path):
    program(path, "python3.12", "exit 127")
    assert run.find_python("3.12") == ""
    working = program(tmp_path / "pyenv" / "versions" / "3.12.1" / "bin", "python3.12")
    assert run.find_python("3.12") == str(working)


# The environment


def test_the_second_start_installs_nothing(project, installs):
    first = run.ensure_environment(project / ".venv", run.RUNTIME)
    assert run.ensure_environment(project / ".venv", run.RUNTIME) == first
    assert installs == [["requirements.txt", "requirements.lock"]]


def test_changed_requirements_are_installed_anew(project, installs):
    run.ensure_environment(project / ".venv", run.RUNTIME)
    (project / "requirements.lock").write_text("a==1\n", encoding="utf-8")
    run.ensure_environment(project / ".venv", run.RUNTIME)
    assert len(installs) == 2


def test_an_interrupted_installation_is_made_anew(project, installs, monkeypatch):
    def interrupted(folder, lists):
        (folder / "half").touch()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(run, "install_with_pip", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.ensure_environment(project / ".venv", run.RUNTIME)
    run.ensure_environment(project / ".venv", run.RUNTIME)
    assert not (project / ".venv" / "half").exists()
    assert len(installs) == 1


def test_a_moved_project_is_installed_anew(project, installs, monkeypatch):
    run.ensure_environment(project / ".venv", run.RUNTIME)
    moved = project.rename(project.with_name("moved"))
    monkeypatch.setattr(run, "ROOT", moved)
    run.ensure_environment(moved / ".venv", run.RUNTIME)
    assert len(installs) == 2


def test_an_environment_of_somebody_else_is_left_alone(project, installs):
    (project / ".venv").mkdir()
    (project / ".venv" / "mine").touch()
    with pytest.raises(run.SetupError, match=r"\.venv was not made by this command\. Move it away"):
        run.ensure_environment(project / ".venv", run.RUNTIME)
    assert (project / ".venv" / "mine").exists()


def test_pip_makes_a_working_environment_in_a_path_with_spaces(project, path):
    python = run.ensure_environment(project / ".venv", run.DEVELOPMENT)
    assert run.runs(str(python), f"import sys; assert sys.prefix == {str(project / '.venv')!r}")


def test_uv_is_used_where_it_is_there_and_compiles(project, path, monkeypatch):
    program(path, "uv", f'printf "%s\\n" "$@" > "{project}/asked"')
    monkeypatch.setattr(run, "install_with_pip", lambda folder, lists: pytest.fail("uv had done it"))
    run.ensure_environment(project / ".venv", run.RUNTIME)
    asked = (project / "asked").read_text(encoding="utf-8").splitlines()
    assert asked[:2] == ["pip", "install"]
    assert "--compile-bytecode" in asked
    assert asked[-4:] == ["-r", str(project / "requirements.txt"), "-c", str(project / "requirements.lock")]


def test_pip_takes_over_where_uv_fails(project, path, monkeypatch, capfd):
    program(path, "uv", "exit 1")
    seen = []
    monkeypatch.setattr(
        run, "install_with_pip", lambda folder, lists: not seen.append(sorted(folder.iterdir()))
    )
    run.ensure_environment(project / ".venv", run.RUNTIME)
    assert seen == [[project / ".venv" / "switchover.json"]]
    assert "starting over with pip" in capfd.readouterr().out


def test_a_missing_venv_module_is_named_with_its_package(project, path, monkeypatch):
    monkeypatch.setattr(run, "runs", lambda python, code: False)
    with pytest.raises(run.SetupError, match=rf"apt-get install python{re.escape(run.VERSION)}-venv"):
        run.ensure_environment(project / ".venv", run.RUNTIME)


def test_a_failed_installation_shows_the_end_of_what_was_said(capfd):
    code = "import sys; print('\\n'.join(map(str, range(30)))); sys.exit('no such package')"
    with pytest.raises(run.SetupError) as stopped:
        run.run_checked([sys.executable, "-c", code], "the packages could not be installed")
    message = str(stopped.value)
    assert message.startswith("the packages could not be installed:")
    assert "no such package" in message
    assert "\n  5\n" not in message
    assert capfd.readouterr().out == ""


def test_a_long_installation_shows_how_far_it_is(monkeypatch, capfd):
    monkeypatch.setattr(run, "SIGN_OF_LIFE", 0.1)
    code = "import time; print('Collecting a'); time.sleep(.5); print('Installing collected packages: a'); time.sleep(.5)"
    run.run_checked([sys.executable, "-c", code], "not installed")
    shown = capfd.readouterr().out
    assert "1 packages found" in shown
    assert "unpacking packages" in shown


def test_packages_are_compiled_even_where_that_is_switched_off(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    run.run_checked([sys.executable, "-c", "import sys; assert not sys.dont_write_bytecode"], "not compiled")


# Serving


@pytest.fixture
def started(project, monkeypatch):
    """The command that ``serve`` turned into."""
    commands = []
    monkeypatch.setattr(run, "ensure_environment", lambda folder, names: run.python_of(folder))
    monkeypatch.setattr(run, "become", commands.append)
    monkeypatch.chdir(project)
    return commands


def test_the_dashboard_is_served_to_this_machine_only(started, project, capfd):
    assert run.main([]) == 0
    (command,) = started
    assert command[:5] == [
        str(project / ".venv" / "bin" / "python"), "-m", "streamlit", "run", str(project / "app.py"),
    ]  # fmt: skip
    assert {"--server.address=127.0.0.1", "--server.showEmailPrompt=false"} <= set(command)
    (port,) = [word.removeprefix("--server.port=") for word in command if word.startswith("--server.port=")]
    assert f"http://127.0.0.1:{port} " in capfd.readouterr().out


def test_options_go_on_to_streamlit(started):
    run.main(["--server.port=8600", "--server.address=0.0.0.0", "--theme.base=dark"])
    # Streamlit takes the last of an option that comes twice.
    assert started[0][-3:] == ["--server.port=8600", "--server.address=0.0.0.0", "--theme.base=dark"]
    assert sum("--server.port" in word for word in started[0]) == 1


def test_a_taken_port_is_left_to_its_owner(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        monkeypatch.setattr(run, "PORT", taken)
        free = run.free_port()
    assert free not in (0, taken)
    assert run.free_port() == taken


# Testing


@pytest.fixture
def calls(project, path, monkeypatch):
    """Commands that ``test`` started, as (words after the interpreter); the first word in ``failing`` fails."""
    done, failing = [], set()

    def call(command, **more):
        words = [word.replace(str(project), "") for word in command[2:]]
        done.append((words, more.get("env")))
        return int(words[0] in failing)

    monkeypatch.setattr(run, "ensure_environment", lambda folder, names: run.python_of(folder))
    monkeypatch.setattr(run.subprocess, "call", call)
    call.done, call.failing = done, failing
    return call


def test_all_checks_run_and_pytest_comes_last(calls, path):
    chromium = program(path, "chromium")
    assert run.main(["test", "--full"]) == 0
    assert [words for words, _ in calls.done] == [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["mypy"],
        ["pytest", "--full", "-n", "auto", "--dist", "worksteal"],
    ]
    assert calls.done[-1][1]["CHROMIUM"] == str(chromium)


def test_a_failed_check_fails_the_whole_and_hides_nothing(calls, path, capfd):
    program(path, "google-chrome")
    calls.failing.add("mypy")
    assert run.main(["test"]) == 1
    assert [words[0] for words, _ in calls.done][-1] == "pytest"
    assert capfd.readouterr().out.endswith("Failed before pytest: mypy.\n")


def test_options_run_pytest_alone_and_fast_needs_no_browser(calls, path):
    assert run.main(["test", "--fast", "-k", "rank"]) == 0
    assert calls.done == [(["pytest", "-m", "not browser and not slow", "-k", "rank"], dict(os.environ))]


def test_a_missing_chromium_is_fetched_by_playwright_or_said(calls, path, monkeypatch, capfd):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert run.main(["test"]) == 0
    assert calls.done[0][0] == ["playwright", "install", "chromium"]
    calls.failing.add("playwright")
    assert run.main(["test"]) == 1
    assert "Install chromium or google-chrome" in capfd.readouterr().err


def test_root_on_debian_gets_chromium_from_its_packages(project, path, monkeypatch):
    log = project / "asked"
    body = f'echo "$@" >> "{log}"; for last; do :; done; if [ "$last" = chromium ]; then printf "" > "{path}/chromium"; '
    program(path, "apt-get", body + f'/bin/chmod +x "{path}/chromium"; fi')
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert run.find_chromium(Path(sys.executable)) == str(path / "chromium")
    assert log.read_text(encoding="utf-8").splitlines()[-1].startswith("install -y")


# From outside


def test_help_works_from_any_folder(tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "run.py", "--help"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "python3 run.py test" in done.stdout


def test_the_installed_interpreter_check_leaves_streams_alone():
    assert not run.runs("/nowhere/python", "pass")
    assert not run.runs(sys.executable, "raise SystemExit(3)")
