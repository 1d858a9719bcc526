"""Set Switchover up and start it, with nothing but Python.

python3 run.py                 make .venv and serve the dashboard on 127.0.0.1; options go on to Streamlit
python3 run.py test            make .venv-test, find or fetch a Chromium, run every check and every test
python3 run.py test --full     the same, with simulations at their stated size
python3 run.py test --fast     the fast tests, no browser, in an environment of this Python version alone
python3 run.py test OPTIONS    only pytest, with these options

The syntax stays within what Python 3.6 can parse, so that an old Python gets a sentence, not a syntax error.
"""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
SUPPORTED = ("3.12", "3.13", "3.11")  # in order of preference
PORT = 8501
SIGN_OF_LIFE = 10  # seconds
RUNTIME = ("requirements",)
DEVELOPMENT = (*RUNTIME, "requirements-dev")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHECKS = (("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",))


def say(text: str) -> None:
    """Print a line at once, also into a pipe."""
    print(text, flush=True)


def find_python(version: str) -> str:
    """Path of a working ``pythonX.Y`` on the search path or among pyenv's versions; empty: none."""
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [shutil.which(name), *sorted(pyenv.glob(f"versions/{version}.*/bin/{name}"))]
    for candidate in candidates:
        # pyenv puts a stand-in on the path for versions that are switched off, so only an answer counts.
        if candidate and runs(candidate, f"import sys; assert sys.version.startswith('{version}.')"):
            return str(candidate)
    return ""


def runs(python: str, code: str) -> bool:
    """Whether this interpreter starts and runs ``code`` without an error."""
    quiet = subprocess.DEVNULL
    try:
        return not subprocess.call([python, "-c", code], stdin=quiet, stdout=quiet, stderr=quiet)
    except OSError:
        return False


def become(command: "list[str]") -> None:
    """Go on as another program: its signals and exit status are then this one's."""
    if os.name == "nt":
        sys.exit(subprocess.call(command))  # execv on Windows returns to the prompt at once
    os.execv(command[0], command)  # noqa: S606 - no shell is wanted


VERSION = ".".join(map(str, sys.version_info[:2]))
if VERSION not in SUPPORTED:
    found = next(filter(None, map(find_python, SUPPORTED)), "")
    if not found:
        sys.exit(
            f"Switchover needs Python 3.11, 3.12 or 3.13; this is {VERSION} and no other is on the path. "
            "Install one, then run this command again with it."
        )
    become([found, str(Path(__file__).resolve()), *sys.argv[1:]])


class SetupError(Exception):
    """The set-up cannot go on; the message says what to do."""


def python_of(folder: Path) -> Path:
    """The interpreter of a virtual environment."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def ensure_environment(folder: Path, names: "tuple[str, ...]") -> Path:
    """Make the virtual environment unless it is complete and current; returns its interpreter.

    ``names`` are the requirement lists, each with its lock beside it. The stamp stays empty until the
    installation is complete, so that an interrupted one is recognised and made anew.

    Raises:
        SetupError: the folder is somebody else's, venv is missing, or the installation failed.
    """
    lists = [ROOT / f"{name}{suffix}" for name in names for suffix in (".txt", ".lock")]
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in lists)).hexdigest()
    wanted = json.dumps({"packages": digest, "python": VERSION, "folder": str(folder)})
    stamp, python = folder / "switchover.json", python_of(folder)
    if stamp.exists():
        if python.exists() and stamp.read_text(encoding="utf-8") == wanted:
            return python
        say(f"Remaking {folder.name}: it is incomplete, was moved, or holds other packages.")
        shutil.rmtree(folder)
    elif folder.exists():
        raise SetupError(
            f"{folder.name} was not made by this command. Move it away, then run this command again."
        )
    started = time.monotonic()
    for install in (install_with_uv, install_with_pip):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        stamp.touch()
        if install(folder, lists):
            break
    stamp.write_text(wanted, encoding="utf-8")
    say(f"{folder.name} is ready after {time.monotonic() - started:.0f} s.")
    return python


def install_arguments(lists: "list[Path]") -> "list[str]":
    """Requirements by name, exact versions by the lock."""
    return [word for path in lists for word in ("-c" if path.suffix == ".lock" else "-r", str(path))]


def install_with_uv(folder: Path, lists: "list[Path]") -> bool:
    """Use uv where it is installed. False when it is absent or failed, as where only pip knows the mirror."""
    uv = shutil.which("uv")
    if not uv:
        return False
    say(f"Installing into {folder.name} with uv and Python {VERSION} ...")
    make = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
    install = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python_of(folder))]
    if not subprocess.call(make) and not subprocess.call(install + install_arguments(lists)):
        return True
    say("uv could not finish; starting over with pip.")
    return False


def install_with_pip(folder: Path, lists: "list[Path]") -> bool:
    """Use the pip that comes with Python; always True.

    Raises:
        SetupError: Python came without venv, or pip failed; the message holds the end of what pip said.
    """
    if not runs(sys.executable, "import ensurepip, venv"):
        raise SetupError(
            f"this Python came without venv. On Debian or Ubuntu: apt-get install python{VERSION}-venv "
            "(with sudo if you are not root). Then run this command again."
        )
    say(f"Making {folder.name} with Python {VERSION} ...")
    run_checked([sys.executable, "-m", "venv", str(folder)], "the virtual environment could not be made")
    say("Installing packages, about 800 MB on disk; the first time takes one to three minutes ...")
    pip = [str(python_of(folder)), "-m", "pip", "install", "--compile", "--no-input", "--progress-bar=off"]
    run_checked([*pip, *install_arguments(lists)], "the packages could not be installed")
    return True


def run_checked(command: "list[str]", failure: str) -> None:
    """Run quietly but for a sign of life every few seconds.

    Raises:
        SetupError: the command failed; the message is ``failure`` and the command's last lines.
    """
    # Compiled packages start seconds faster, so the variable that forbids compiling is not handed on.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONUNBUFFERED"] = "1"  # or an error would come before the lines that led to it
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "output")
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
            )
        started = time.monotonic()
        while True:
            try:
                process.wait(timeout=SIGN_OF_LIFE)
                break
            except subprocess.TimeoutExpired:
                say(f"  {time.monotonic() - started:.0f} s: {progress(lines_of(log))} ...")
        lines = lines_of(log)
    if process.returncode:
        end = "\n  ".join(lines[-12:])
        raise SetupError(
            f"{failure}:\n  {end}\n"
            "Check the connection or proxy and the free space, then run this command again."
        )


def lines_of(log: Path) -> "list[str]":
    """What a running command has written so far."""
    return log.read_text(encoding="utf-8", errors="replace").splitlines()


def progress(lines: "list[str]") -> str:
    """How far pip is, by what it said."""
    if any(line.startswith("Installing collected packages") for line in lines):
        return "unpacking packages"
    found = sum(line.startswith("Collecting") for line in lines)
    return f"{found} packages found" if found else "at work"


def free_port() -> int:
    """Streamlit's usual port when it is free, else one that the system gives."""
    for port in (PORT, 0):
        with socket.socket() as probe:
            if os.name == "posix":  # elsewhere the option would let two servers share a port
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise SetupError("no port is free on 127.0.0.1")


def serve(options: "list[str]") -> None:
    """Start the dashboard; does not return."""
    python = ensure_environment(ROOT / ".venv", RUNTIME)
    defaults = [
        "--server.address=127.0.0.1",
        "--server.showEmailPrompt=false",  # it would ask for an address before it serves anything
        "--server.fileWatcherType=none",  # the workspace and the environment lie among the watched files
    ]
    if not any(option.startswith("--server.port") for option in options):
        port = free_port()
        defaults += [f"--server.port={port}", "--logger.hideWelcomeMessage=true"]
        say(f"Switchover: http://127.0.0.1:{port}  (Ctrl+C stops it)")
    os.chdir(str(ROOT))  # Streamlit reads .streamlit/config.toml from here
    become([str(python), "-m", "streamlit", "run", str(ROOT / "app.py"), *defaults, *options])


def find_chromium(python: Path) -> str:
    """Path of a Chromium for the browser tests, installed where there is none; empty: Playwright's own.

    Raises:
        SetupError: none was found and none could be installed.
    """
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), "")
    if found:
        return found
    apt = shutil.which("apt-get")
    if apt and hasattr(os, "geteuid") and os.geteuid() == 0:
        say("Installing Chromium from Debian's packages ...")
        environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
            subprocess.call([apt, *words], env=environment, stdin=subprocess.DEVNULL)
        found = shutil.which("chromium") or ""
        if found:
            return found
    say("Asking Playwright for its own Chromium ...")
    if subprocess.call([str(python), "-m", "playwright", "install", "chromium"], stdin=subprocess.DEVNULL):
        raise SetupError(
            "no Chromium was found or could be installed. Install chromium or google-chrome, "
            "or run `python3 run.py test --fast` to leave the browser tests out."
        )
    return ""


def test(options: "list[str]") -> int:
    """Run the checks and tests; the exit status is that of the first to fail, or 0."""
    fast = "--fast" in options
    options = [option for option in options if option != "--fast"]
    selected = [option for option in options if option != "--full"]
    python = ensure_environment(ROOT / (f".venv-fast-{VERSION}" if fast else ".venv-test"), DEVELOPMENT)
    environment = dict(os.environ)
    if not fast:
        environment["CHROMIUM"] = find_chromium(python)
    failed = []
    for words in CHECKS if not fast and not selected else ():
        say(f"== {' '.join(words)}")
        if subprocess.call([str(python), "-m", *words], cwd=str(ROOT)):
            failed.append(words[0])
    say(f"== pytest on Python {VERSION}{', fast tier' if fast else ''}")
    pytest = [str(python), "-m", "pytest", *(["-m", "not browser and not slow"] if fast else []), *options]
    if not selected:
        pytest += ["-n", "auto", "--dist", "worksteal"]
    status = subprocess.call(pytest, cwd=str(ROOT), env=environment)
    if failed:
        say(f"Failed before pytest: {', '.join(failed)}.")
    return status or int(bool(failed))


def main(arguments: "list[str]") -> int:
    """Take the words of the command line; the exit status."""
    try:
        if arguments[:1] == ["test"]:
            return test(arguments[1:])
        if arguments[:1] in (["-h"], ["--help"]):
            say(__doc__ or "")
            return 0
        serve(arguments)
    except SetupError as error:
        sys.stderr.write(f"Set-up stopped: {error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped. Run the command again to go on.\n")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
