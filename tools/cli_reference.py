"""Write docs/cli.md from the command line's own parser: ``python -m tools.cli_reference``."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from cli import parser

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"

INTRODUCTION = """# Command line

`python cli.py [--db PATH] COMMAND … [--json]` does what the pages do, for scripts and pipelines. The store is
`--db` (inbox and spool beside it), else `switchover.duckdb` in `SWITCHOVER_HOME`, else in `workspace/`.

Exit 0 on success, 2 on bad input with one line on stderr, 1 only for a fault of the program. With `--json`
stdout is exactly one JSON object: numbers unrounded, unknown as null.
`python -m tools.cli_reference` writes this page.
"""


def page() -> str:
    """The whole reference as Markdown."""
    return "\n".join([INTRODUCTION, *_commands(parser(), "")]).rstrip() + "\n"


def _actions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    return command._actions  # noqa: SLF001 - argparse has no public way to list arguments


def _groups(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    groups = [action.choices for action in _actions(command) if isinstance(action.choices, dict)]
    return {name: inner for group in groups for name, inner in group.items()}


def _commands(command: argparse.ArgumentParser, path: str) -> Iterator[str]:
    for name, inner in _groups(command).items():
        whole = f"{path} {name}".strip()
        if _groups(inner):
            yield from _commands(inner, whole)
            continue
        yield f"## `{whole}`\n"
        yield f"{inner.description}\n"
        yield from _arguments(inner)
        yield ""


def _arguments(command: argparse.ArgumentParser) -> Iterator[str]:
    actions = [action for action in _actions(command) if action.dest not in ("help", "json")]
    if actions:
        yield "| argument | meaning |"
        yield "|---|---|"
    for action in actions:
        name = " ".join(action.option_strings) or str(action.metavar or action.dest).upper()
        value = (
            f" {action.metavar or action.dest.upper()}" if action.option_strings and action.nargs != 0 else ""
        )
        choices = f" One of {', '.join(action.choices)}." if action.choices else ""
        meaning = f"{(action.help or '').replace('%%', '%').rstrip('.')}.{choices}".replace(
            "|", "\\|"
        ).strip()
        yield f"| `{name}{value}` | {meaning} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
