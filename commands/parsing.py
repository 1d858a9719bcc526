"""What all commands share: the parser, flags from declared parameters, and the store they open."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from answers.parameters import Parameters, specifications
from data import inbox
from data.errors import InputError
from data.store import Store, default_path

#: What a command prints: one JSON object; ``_text`` holds the lines for people.
Output = dict[str, Any]


class Parser(argparse.ArgumentParser):
    """argparse that reports a wrong command line as one line of bad input."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage above the message."""
        raise InputError(f"{message} (see {self.prog} --help)")


def add_command(commands: Any, name: str, text: str, run: Callable[[Any], Output]) -> argparse.ArgumentParser:
    """Add a command with its own ``--json``."""
    added: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=text, allow_abbrev=False
    )
    added.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON object")
    added.set_defaults(run=run)
    return added


def add_parameters(added: argparse.ArgumentParser, parameters: type[Parameters]) -> None:
    """Make one flag of each declared parameter; values stay text and are checked by ``build``."""
    for spec in specifications(parameters):
        text = f"{spec.help}{f' ({spec.unit})' if spec.unit else ''}".replace("%", "%%")
        if spec.kind is bool:
            added.add_argument(spec.flag, dest=spec.name, action="store_true", default=None, help=text)
            continue
        default = "" if spec.default in (None, ()) else f" [default {spec.default}]"
        choices = f" One of {', '.join(spec.choices)}." if spec.choices else ""
        added.add_argument(
            spec.flag,
            dest=spec.name,
            action="append" if spec.many else "store",
            metavar=spec.name.upper(),
            help=text + choices + default,
        )


def store_path(options: argparse.Namespace) -> Path:
    """Where this command's store lies."""
    return default_path(options.db or os.environ.get("SWITCHOVER_DB"))


def open_store(options: argparse.Namespace) -> Store:
    """Open the store and commit what other processes left in its inbox meanwhile."""
    store = Store.open(store_path(options))
    inbox.commit_queued(store)
    return store
