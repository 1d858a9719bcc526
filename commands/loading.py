"""Commands that put files into the store and take them out again."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from commands.parsing import Output, add_command, open_store, store_path
from data import batches, inbox
from data.errors import InputError, StoreHeldError
from data.importing import ImportOptions, import_files
from data.importing.staged import BatchReport
from data.sample import load_sample, remove_sample
from data.store import Store


def add(commands: Any) -> None:
    """Add import, batches, undo, rejects, inbox and sample."""
    loading = add_command(commands, "import", "Load files: all of them or, if one is bad, none.", _import)
    loading.add_argument("files", nargs="+", metavar="FILE", help="files to load; all of them or none")
    loading.add_argument("--kind", help="what the file holds (recognised from its content when left out)")
    loading.add_argument("--format", help="how it is written, such as wide")
    loading.add_argument(
        "--map", action="append", default=[], metavar="FIELD=COLUMN", help="field and header"
    )
    loading.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help="one value for all rows"
    )
    loading.add_argument(
        "--timezone", metavar="TZ", help="zone of times that carry none, such as Europe/Berlin"
    )
    loading.add_argument(
        "--repeat", choices=["add", "replace"], help="what to do with results that are loaded already"
    )
    loading.add_argument("--metric", metavar="M", help="the metric that counts where a file has several")
    add_command(commands, "batches", "List what was imported.", _batches)
    undo = add_command(commands, "undo", "Take an import back.", _undo)
    undo.add_argument("batch", metavar="BATCH", help="the number that `batches` lists")
    rejects = add_command(commands, "rejects", "Write the rows an import set aside to a CSV file.", _rejects)
    rejects.add_argument("batch", metavar="BATCH", help="the number that `batches` lists")
    rejects.add_argument("--out", required=True, metavar="FILE", help="the CSV file to write")
    add_command(commands, "inbox", "Import whatever lies in the inbox folder.", _inbox)
    sample = add_command(commands, "sample", "Load the sample data.", _sample)
    sample.add_argument("--remove", action="store_true", help="take the sample data out again")


def _pairs(texts: Sequence[str], flag: str) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise InputError(f"{flag} {text!r} needs the form NAME=VALUE")
        pairs[name.strip()] = value
    return pairs


def _import(options: argparse.Namespace) -> Output:
    wanted = ImportOptions(
        kind=options.kind,
        format=options.format,
        mapping=_pairs(options.map, "--map"),
        constants=_pairs(options.set, "--set"),
        timezone=options.timezone,
        repeat=options.repeat,
        metric=options.metric,
    )
    paths = [Path(name) for name in options.files]
    for path in paths:
        if not path.is_file():
            raise InputError(f"no such file: {path}")
    home = store_path(options)
    try:
        store = Store.open(home)
    except StoreHeldError as held:
        queued = inbox.queue_files(home.parent, paths, wanted)
        text = f"queued {queued.request} for process {held.pid}, which holds the store and will import it"
        return {
            "queued": True,
            "holder": held.pid,
            "request": str(queued.request),
            "batches": [],
            "_text": [text],
        }
    with store:
        inbox.commit_queued(store)
        reports = import_files(store, paths, wanted)
    return {"queued": False, **_reports(reports)}


def _reports(reports: Sequence[BatchReport]) -> Output:
    lines = []
    for report in reports:
        if report.duplicate:
            lines.append(f"{report.file}: loaded before as batch {report.batch}; nothing changed")
        else:
            lines.append(
                f"{report.file}: batch {report.batch}, {report.kind} ({report.format}): {report.read} read, "
                f"{report.loaded} loaded, {report.rejected} set aside, {report.duplicate_rows} duplicates"
            )
        lines += [f"  set aside: {count} × {reason}" for reason, count in report.reasons.items()]
        lines += [f"  note: {warning}" for warning in report.warnings]
    return {"batches": [_report(report) for report in reports], "_text": lines}


def _report(report: BatchReport) -> Output:
    return {**asdict(report), "warnings": list(report.warnings), "reasons": dict(report.reasons)}


def _batches(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        return _reports(batches.list_batches(store))


def _batch_number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise InputError(f"a batch is a whole number, not {text!r}; `batches` lists them")
    return int(text)


def _undo(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        report = batches.undo(store, _batch_number(options.batch))
    return {
        "undone": report.batch,
        "batch": _report(report),
        "_text": [f"batch {report.batch} ({report.file}) undone"],
    }


def _rejects(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        rows = batches.write_rejects(store, _batch_number(options.batch), Path(options.out))
    return {"rows": rows, "out": options.out, "_text": [f"{rows} rows written to {options.out}"]}


def _inbox(options: argparse.Namespace) -> Output:
    with Store.open(store_path(options)) as store:
        outcomes = inbox.commit_queued(store, everything=True)
    reports = [report for outcome in outcomes for report in outcome.reports]
    failed = [{"file": outcome.request, "error": outcome.error} for outcome in outcomes if outcome.error]
    output = _reports(reports)
    output["_text"] += [f"{failure['file']}: {failure['error']}" for failure in failed]
    return {**output, "failed": failed}


def _sample(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        if options.remove:
            removed = remove_sample(store)
            text = f"{len(removed)} imports of the sample taken back"
            return {"removed": [report.batch for report in removed], "batches": [], "_text": [text]}
        return _reports(load_sample(store))
