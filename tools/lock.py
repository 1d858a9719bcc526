"""Make the lock files anew: exact versions of every package, for each Python that Switchover runs on.

Run ``python3 -m tools.lock`` in the project's folder after a change of a requirements file. Python 3.11, 3.12
and 3.13 must be on the path or among pyenv's versions, because packages differ between them.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from run import DEVELOPMENT, ROOT, SUPPORTED, find_python, python_of, say

VERSIONS = sorted(SUPPORTED)
HEADER = "# Exact versions for Python 3.11 to 3.13. Made by `python3 -m tools.lock`; not edited by hand.\n"
Pins = dict[str, str]


def resolve(python: Path, folder: Path, arguments: Iterable[str]) -> Pins:
    """The versions that pip would install on this Python: name -> version."""
    report = folder / "report.json"
    command = [str(python), "-m", "pip", "install", "-qq", "--dry-run", "--ignore-installed"]
    subprocess.run(
        [*command, "--only-binary", ":all:", "--report", str(report), *arguments], check=True, cwd=ROOT
    )
    items = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {canonical(item["metadata"]["name"]): item["metadata"]["version"] for item in items}


def canonical(name: str) -> str:
    """A package's name as the registry compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def lock_text(pins: Mapping[str, Pins]) -> str:
    """One line a package, or a line for each Python where versions differ. ``pins`` is by Python."""
    lines = []
    for name in sorted({name for of_python in pins.values() for name in of_python}):
        versions = {python: of_python[name] for python, of_python in pins.items() if name in of_python}
        if len(versions) == len(pins) and len(set(versions.values())) == 1:
            lines.append(f"{name}=={next(iter(versions.values()))}")
        else:
            lines += [
                f'{name}=={version} ; python_version == "{python}"' for python, version in versions.items()
            ]
    return HEADER + "\n".join(lines) + "\n"


def main() -> int:
    """Resolve both requirement lists on every Python and write both lock files."""
    runtime: dict[str, Pins] = {}
    development: dict[str, Pins] = {}
    for version in VERSIONS:
        interpreter = find_python(version)
        if not interpreter:
            say(f"Python {version} is needed to lock its packages; install it, then run this command again.")
            return 2
        say(f"Resolving for Python {version} ...")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            subprocess.run([interpreter, "-m", "venv", str(folder / "venv")], check=True)
            python = python_of(folder / "venv")
            runtime[version] = resolve(python, folder, ["-r", "requirements.txt"])
            pinned = folder / "pinned.txt"
            pinned.write_text(lock_text({version: runtime[version]}), encoding="utf-8")
            lists = [word for listed in DEVELOPMENT for word in ("-r", f"{listed}.txt")]
            everything = resolve(python, folder, ["-c", str(pinned), *lists])
            development[version] = {
                package: pin for package, pin in everything.items() if package not in runtime[version]
            }
    (ROOT / "requirements.lock").write_text(lock_text(runtime), encoding="utf-8")
    (ROOT / "requirements-dev.lock").write_text(lock_text(development), encoding="utf-8")
    say(f"Locked {len(runtime[version])} packages and {len(development[version])} for the tests.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
