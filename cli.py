"""Switchover on the command line: the same analyses as the pages, for scripts and pipelines.

Exit 0 on success, 2 on bad input with one line on stderr, 1 only for a fault of the program. With ``--json``
stdout is exactly one JSON object.
"""

import io
import json
import sys
from collections.abc import Sequence

from commands import asking, decision, keeping, loading, serving
from commands.parsing import Output, Parser
from data.errors import InputError


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    own, rest = _cut(list(arguments))
    try:
        options = parser().parse_args(own)
        options.rest = rest
        output = options.run(options)
    except InputError as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    if options.json:
        shown = {name: value for name, value in output.items() if not name.startswith("_")}
        print(json.dumps(shown, ensure_ascii=False, allow_nan=False))
    else:
        for line in output.get("_text") or _lines(output):
            print(line)
    return int(output.get("_exit", 0))


def _cut(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split at the first bare ``--``: what follows belongs to the question that is pinned."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def parser() -> Parser:
    """The whole command line."""
    top = Parser(prog="cli.py", description=__doc__, allow_abbrev=False)
    top.add_argument("--db", metavar="PATH", help="the store; inbox and spool lie beside it")
    top.set_defaults(json=False)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for group in (loading, keeping, asking, decision, serving):
        group.add(commands)
    return top


def _lines(output: Output) -> list[str]:
    return [f"{name}: {value}" for name, value in output.items() if not name.startswith("_")]


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
