"""Which program and libraries computed a number."""

import platform
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

#: Libraries whose version can move a number.
LIBRARIES = ("duckdb", "numpy", "pandas", "scipy", "statsmodels")


@cache
def app_version() -> str:
    """The version of Switchover, from its project file."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["project"]["version"])


def versions() -> dict[str, str]:
    """Versions by name: ``switchover``, ``python`` and each of :data:`LIBRARIES`."""
    found = {name: metadata.version(name) for name in LIBRARIES}
    return {"switchover": app_version(), "python": platform.python_version(), **found}
