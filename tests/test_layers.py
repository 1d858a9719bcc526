"""The import contract of docs/architecture.md: imports point down only, and each library stays in its layer."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

#: What each layer may import of the project, beside itself. A layer may skip levels and never climbs.
ALLOWED = {
    "app": {"ui", "report", "charts", "answers", "analysis", "data"},
    "pages": {"ui", "report", "charts", "answers", "analysis", "data"},
    "ui": {"report", "charts", "answers", "analysis", "data"},
    "cli": {"commands", "report", "answers", "analysis", "data"},
    "commands": {"report", "answers", "analysis", "data"},
    "report": {"charts", "answers", "analysis", "data"},
    "charts": {"analysis"},
    "answers": {"analysis", "data"},
    "analysis": set(),
    "data": set(),
}
#: Names of this project that no layer imports.
OUTSIDE = {"run", "tests", "tools", "benchmarks"}
#: Libraries that only these layers know.
KEPT = {
    "duckdb": {"data"},
    "streamlit": {"app", "pages", "ui"},
    "plotly": {"charts", "ui"},
    "matplotlib": {"charts"},
}
#: The libraries of analysis; threadpoolctl keeps sums in one order whatever the thread count.
ANALYSIS_LIBRARIES = {"numpy", "scipy", "pandas", "statsmodels", "threadpoolctl"}
#: Screens and the command line manage files; what the store says comes to them through answers.
FILES_ONLY = {"app", "pages", "ui", "cli", "commands"}
QUERY_MODULES = ("data.queries",)

LONGEST_FILE = 400
LONGEST_PAGE = 150


def layer_of(path, root):
    first = path.relative_to(root).parts[0]
    return first.removesuffix(".py")


def source_files(root):
    """Python files of the layers, as (layer, path, dotted module)."""
    for layer in ALLOWED:
        single = root / f"{layer}.py"
        for path in [single] if single.exists() else sorted((root / layer).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            yield layer, path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path, module):
    """(line, dotted name) of every import, at the top, in a function, or by name through importlib."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join(filter(None, (*above, base)))
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = ast.unparse(node.func)
            if called in {"importlib.import_module", "import_module", "__import__"}:
                yield node.lineno, str(node.args[0].value)


def question_of(module, root):
    """The question a module of analysis belongs to; empty for what questions share."""
    parts = module.split(".")
    if len(parts) < 2 or parts[0] != "analysis" or parts[1] == "statistics":
        return ""
    return parts[1] if (root / "analysis" / parts[1]).is_dir() else ""


def violations(root):
    """Every import that breaks the contract, as one sentence each."""
    return [
        f"{path.relative_to(root)}:{line} {problem}"
        for layer, path, module in source_files(root)
        for line, name in imported(path, module)
        if (problem := judge(layer, module, name, root))
    ]


def judge(layer, module, name, root):
    """What is wrong with this import; empty when nothing is."""
    top = name.partition(".")[0]
    if top in ALLOWED or top in OUTSIDE:
        return judge_own(layer, module, name, root)
    analysis_only = ANALYSIS_LIBRARIES | sys.stdlib_module_names
    if layer not in KEPT.get(top, {layer}) or (layer == "analysis" and top not in analysis_only):
        return f"{layer} may not import {top}"
    return ""


def judge_own(layer, module, name, root):
    top = name.partition(".")[0]
    if top != layer and top not in ALLOWED[layer]:
        return f"{layer} may not import {top} ({name})"
    if layer in FILES_ONLY and any(f"{name}.".startswith(f"{query}.") for query in QUERY_MODULES):
        return f"{layer} may use data for files only ({name})"
    question = question_of(name, root)
    if layer == "analysis" and question and question != question_of(module, root):
        return f"{module} may not import the question {question} ({name})"
    return ""


def too_long(root):
    """Files over their length, unless a comment ``# long: reason`` stands in them; pages have no such way out."""
    found = []
    hidden = re.compile(r"^[._]")
    for path in sorted(root.rglob("*.py")):
        if any(hidden.match(part) for part in path.relative_to(root).parts[:-1]):
            continue
        text = path.read_text(encoding="utf-8")
        page = layer_of(path, root) == "pages"
        limit = LONGEST_PAGE if page else LONGEST_FILE
        if text.count("\n") > limit and (page or not re.search(r"^# long: \w+ \w+", text, re.MULTILINE)):
            found.append(f"{path.relative_to(root)} has more than {limit} lines")
    return found


def not_pages(root, slugs):
    """What lies in ``pages/`` and is no screen of the navigation, or is missing there."""
    lying = {
        path.relative_to(root / "pages").as_posix() for path in (root / "pages").rglob("*") if path.is_file()
    }
    lying = {name for name in lying if "__pycache__" not in name}
    return sorted(lying ^ {f"{slug}.py" for slug in slugs})


def test_imports_point_down_only():
    assert violations(ROOT) == []


def test_no_file_is_too_long():
    assert too_long(ROOT) == []


def test_pages_holds_pages_and_nothing_else():
    from ui.navigation import SCREENS

    assert not_pages(ROOT, [screen.slug for screen in SCREENS]) == []


def test_every_layer_of_the_document_is_held():
    table = (
        (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## Layers")[1].split("##")[0]
    )
    rows = re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`([a-z]+)(?:/|\.py)`", row)}
    assert named == set(ALLOWED)


def test_analysis_works_without_store_screen_and_drawing():
    code = (
        "import sys, pkgutil, importlib\n"
        "for name in ('streamlit', 'duckdb', 'plotly', 'matplotlib'): sys.modules[name] = None\n"
        "import analysis\n"
        "found = [m.name for m in pkgutil.walk_packages(analysis.__path__, 'analysis.')]\n"
        "for name in found: importlib.import_module(name)\n"
        "print(len(found))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 5


GOOD = {
    "app.py": "from ui import frame\n",
    "cli.py": "from answers import register\nfrom data.store import Store\n",
    "pages/board.py": "import streamlit\nfrom ui import frame\n",
    "ui/frame.py": "import streamlit\nimport plotly.graph_objects\nfrom charts import forest\n",
    "report/pin.py": "from charts import forest\nfrom data.store import Store\n",
    "charts/forest.py": "import matplotlib\nfrom analysis.results import Finding\n",
    "answers/register.py": "from analysis.board import run\nfrom data import queries\n",
    "analysis/results.py": "import numpy\n",
    "analysis/statistics/mean.py": "from analysis import results\n",
    "analysis/board/run.py": "from analysis.statistics import mean\nfrom . import result\n",
    "analysis/board/result.py": "from ..results import Finding\n",
    "analysis/cost/run.py": "import scipy.stats\n",
    "data/store.py": "import duckdb\n",
    "data/queries.py": "from data.store import Store\n",
}
BAD = [
    (
        "data/store.py",
        "import duckdb\ndef late():\n    from analysis import results\n",
        "data may not import analysis",
    ),
    ("data/store.py", "import streamlit\n", "data may not import streamlit"),
    ("analysis/results.py", "import pandas, duckdb\n", "analysis may not import duckdb"),
    ("analysis/results.py", "from plotly import graph_objects\n", "analysis may not import plotly"),
    ("analysis/results.py", "import requests\n", "analysis may not import requests"),
    ("analysis/board/run.py", "from analysis.cost.run import x\n", "may not import the question cost"),
    ("analysis/board/run.py", "from analysis import cost\n", "may not import the question cost"),
    ("analysis/board/run.py", "from ..cost import run\n", "may not import the question cost"),
    ("analysis/statistics/mean.py", "from analysis.board import run\n", "may not import the question board"),
    ("charts/forest.py", "from data.store import Store\n", "charts may not import data"),
    ("charts/forest.py", "import duckdb\n", "charts may not import duckdb"),
    ("answers/register.py", "from report import pin\n", "answers may not import report"),
    ("answers/register.py", "import ui.frame\n", "answers may not import ui"),
    ("report/pin.py", "import streamlit as st\n", "report may not import streamlit"),
    ("report/pin.py", "import importlib\nimportlib.import_module('cli')\n", "report may not import cli"),
    ("ui/frame.py", "from data.queries import eval_cells\n", "ui may use data for files only"),
    ("ui/frame.py", "from pages import board\n", "ui may not import pages"),
    ("cli.py", "from data import queries\n", "cli may use data for files only"),
    ("cli.py", "from ui import frame\n", "cli may not import ui"),
    ("cli.py", "import tests.helpers\n", "cli may not import tests"),
    ("app.py", "import matplotlib.pyplot\n", "app may not import matplotlib"),
]


def grow(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_a_sound_tree_passes(tmp_path):
    grow(tmp_path, GOOD)
    assert violations(tmp_path) == []
    assert too_long(tmp_path) == []
    assert not_pages(tmp_path, ["board"]) == []


@pytest.mark.parametrize(("name", "text", "problem"), BAD)
def test_a_climbing_import_is_found(tmp_path, name, text, problem):
    grow(tmp_path, GOOD | {name: text})
    (found,) = violations(tmp_path)
    assert found.startswith(name)
    assert problem in found


def test_long_files_and_strangers_among_pages_are_found(tmp_path):
    long = "x = 1\n" * (LONGEST_FILE + 1)
    excused = "# long: one table of constants\n" + long
    grow(tmp_path, {"data/a.py": long, "data/b.py": excused, "data/c.py": "# long:\n" + long})
    grow(tmp_path, {"pages/p.py": excused, "pages/_helper.py": "", ".venv/x.py": long})
    assert [found.split()[0] for found in too_long(tmp_path)] == ["data/a.py", "data/c.py", "pages/p.py"]
    assert not_pages(tmp_path, ["p", "gone"]) == ["_helper.py", "gone.py"]
