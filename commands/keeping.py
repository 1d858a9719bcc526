"""Commands that keep what is loaded: backup, restore, and export of everything."""

import argparse
from pathlib import Path
from typing import Any

from commands.parsing import Output, add_command, open_store, store_path
from data.backup import backup, restore
from data.export import export_everything


def add(commands: Any) -> None:
    """Add backup, restore and export."""
    keeping = add_command(commands, "backup", "Write the whole store to one new file.", _backup)
    keeping.add_argument("file", metavar="FILE", help="the file to write; nothing may lie there yet")
    back = add_command(
        commands, "restore", "Put a backup in the place of the store, which is set aside.", _restore
    )
    back.add_argument("file", metavar="FILE", help="a file that `backup` wrote")
    back.add_argument("--replace", action="store_true", help="also where the store holds data already")
    out = add_command(
        commands, "export", "Write everything that is loaded and counts as Parquet and CSV.", _export
    )
    out.add_argument("file", metavar="FILE", help="the ZIP file to write; nothing may lie there yet")


def _backup(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        made = backup(store, options.file)
    return {
        "file": str(made.path),
        "bytes": made.size_bytes,
        "revision": made.revision,
        "batches": made.batches,
        "_text": [f"{made.path}: {made.batches} imports, {_size(made.size_bytes)}"],
    }


def _restore(options: argparse.Namespace) -> Output:
    done = restore(store_path(options), Path(options.file), replace=options.replace)
    lines = [f"{done.path}: {done.batches} imports restored from {options.file}"]
    if done.set_aside is not None:
        lines.append(f"the store before it lies in {done.set_aside}")
    return {
        "store": str(done.path),
        "revision": done.revision,
        "batches": done.batches,
        "set_aside": None if done.set_aside is None else str(done.set_aside),
        "_text": lines,
    }


def _export(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        made = export_everything(store, options.file)
    counted = ", ".join(f"{count:,} {kind}" for kind, count in made.rows.items()) or "no rows"
    return {
        "file": str(made.path),
        "bytes": made.size_bytes,
        "sha256": made.sha256,
        "rows": dict(made.rows),
        "_text": [f"{made.path}: {counted}, {_size(made.size_bytes)}"],
    }


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e5 else f"{count / 1e3:,.1f} kB"
