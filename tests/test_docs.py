"""What the documents say is there: commands, flags, links, packages."""

import argparse
import ast
import re
import shlex
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("app.py", "cli.py", "commands", "pages", "ui", "report", "charts", "answers", "analysis", "data")
DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
DOCUMENTS += sorted((ROOT / "docs").glob("*.md"))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def code_blocks(text):
    return [
        line
        for block in re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]


def commands(parser, path=()):
    """(words, parser) of every command of the command line."""
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for action in inner:
        for name, command in action.choices.items():
            yield from commands(command, (*path, name))
    if path and not inner:
        yield path, parser


def undocumented(found, page):
    """Commands without a section of their own, and flags or arguments their section does not name."""
    sections = dict(re.findall(r"^## `([^`]+)`\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    missing = []
    for words, parser in found:
        section = sections.get(" ".join(words))
        if section is None:
            missing.append(" ".join(words))
            continue
        flags = {flag for action in parser._actions for flag in action.option_strings} - {
            "-h",
            "--help",
            "--json",
        }
        missing += [f"{' '.join(words)} {flag}" for flag in sorted(flags) if f"`{flag}" not in section]
    extra = sections.keys() - {" ".join(words) for words, _ in found}
    return missing + [f"{name} is gone" for name in sorted(extra)]


def anchors(text):
    """The addresses of a page's headings, as they are made on the web."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(document):
    broken = []
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = document.parent / name if name else document
        if not path.exists() or (anchor and anchor not in anchors(path.read_text(encoding="utf-8"))):
            broken.append(target)
    return broken


def table_names(text, heading):
    """First column of the first table under a heading, and whether every other cell says something."""
    section = text.split(f"{heading}\n", 1)[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in row.strip("|").split("|")]
        for row in re.findall(r"^\|.*\|$", section, re.MULTILINE)
    ]
    assert all(all(cells) for cells in rows)
    return [cells[0] for cells in rows[2:]]


def third_party_imports():
    """Distributions that product code imports, in any function."""
    found = set()
    own = {name.removesuffix(".py") for name in PRODUCT}
    providers = packages_distributions()
    for name in PRODUCT:
        for path in [ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                else:
                    names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
                tops = {name.partition(".")[0] for name in names} - own - set(sys.stdlib_module_names) - {""}
                found |= {re.sub(r"[-_.]+", "-", providers[top][0]).lower() for top in tops}
    return found


def required():
    rows = [line for line in text_of("requirements.txt").splitlines() if line and not line.startswith("#")]
    return {Requirement(row).name for row in rows}


def test_every_command_and_flag_is_documented():
    from cli import parser

    assert undocumented(list(commands(parser())), text_of("docs/cli.md")) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    assert broken_links(document) == []


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_commands_of_the_documents_are_understood(name):
    """Every ``cli.py`` line parses, every other command starts a file that is there."""
    from cli import parser

    text = text_of(name)
    lines = code_blocks(text) + re.findall(r"`((?:\.venv\S*/|)(?:python|bash)[\d.]* [^`]+)`", text)
    seen = 0
    for line in lines:
        words = shlex.split(line)
        if "cli.py" in words:
            words = words[words.index("cli.py") + 1 :]
            parser().parse_args(words[: words.index("--")] if "--" in words else words)
        elif words[1:2] == ["-m"]:
            assert (ROOT / (words[2].replace(".", "/") + ".py")).exists(), line
        else:
            assert (ROOT / words[1]).exists(), line
        seen += 1
    assert seen >= 2


def test_the_commands_of_the_readme_work_one_after_the_other(tmp_path):
    """A person who copies them line by line into an empty workspace sees no error."""
    results = "model,task_id,passed\nold,t1,true\nold,t2,false\nnew,t1,true\nnew,t2,true\n"
    (tmp_path / "results.csv").write_text(results, encoding="utf-8")
    lines = [line.split("cli.py ", 1)[1] for line in code_blocks(text_of("README.md")) if "cli.py " in line]
    assert len(lines) >= 8
    for line in lines:
        command = [sys.executable, ROOT / "cli.py", *shlex.split(line)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        assert done.stderr == ""
        assert done.stdout


def test_the_bootstrap_knows_the_commands_of_the_readme():
    import run

    assert {"python3 run.py", "python3 run.py test"} <= set(code_blocks(text_of("README.md")))
    for line in re.findall(r"^python3 run\.py\S* ?\S*", run.__doc__, re.MULTILINE):
        assert line.split()[2:3] in ([], ["test"])


def test_every_package_has_its_reason():
    page = text_of("docs/dependencies.md")
    imported = table_names(page, "# Dependencies")
    indirect = table_names(page, "## Installed without being imported")
    assert sorted(imported + indirect) == sorted(required())
    assert sorted(imported) == sorted(third_party_imports())
    for line in text_of("requirements-dev.txt").splitlines():
        if line and not line.startswith("#"):
            assert Requirement(line).name in page.split("## For tests and checks")[1]


# The checks can fail


def test_a_missing_flag_and_a_gone_command_are_found():
    parser = argparse.ArgumentParser()
    steps = parser.add_subparsers()
    steps.add_parser("undo").add_argument("--all")
    steps.add_parser("rejects")
    page = "# x\n## `undo`\nTakes back.\n## `redo`\nGone.\n"
    assert undocumented(list(commands(parser)), page) == ["undo --all", "rejects", "redo is gone"]


def test_a_broken_link_is_found(tmp_path):
    (tmp_path / "other.md").write_text("# Other page\n## What it's for\n")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](other.md) [b](other.md#what-its-for) [c](other.md#gone) ![d](no.png) [e](#f) [g](https://h.example)\n"
    )
    assert broken_links(page) == ["other.md#gone", "no.png", "#f"]
