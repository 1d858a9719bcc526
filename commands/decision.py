"""Commands that pin evidence, record a decision, write it as a document and check it."""

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from answers.register import QUESTIONS, question
from commands.asking import answer_to, said
from commands.parsing import Output, Parser, add_command, add_parameters, open_store
from data.errors import InputError
from report.evidence import Evidence, list_pins, pin
from report.formats import FORMATS, export
from report.record import PROFILES, Record, get_record, list_records, record
from report.verify import verify


def add(commands: Any) -> None:
    """Add pin, list, record, export and verify."""
    decision = commands.add_parser("decision", help="Pin evidence, record a decision, export and verify it.")
    steps = decision.add_subparsers(dest="step", metavar="STEP", required=True, parser_class=Parser)
    pinning = add_command(steps, "pin", "Pin an answer: decision pin QUESTION -- FLAGS", _pin)
    pinning.add_argument("question", metavar="QUESTION", help=f"one of {', '.join(QUESTIONS)}")
    add_command(steps, "list", "List pinned evidence and recorded decisions.", _list)
    recording = add_command(steps, "record", "Record what was decided, on the pinned evidence.", _record)
    recording.add_argument("--choice", required=True, metavar="TEXT", help="what you decided")
    recording.add_argument("--title", metavar="T", help="the question that was decided")
    recording.add_argument("--profile", choices=PROFILES, help="what the model is for")
    recording.add_argument("--reasons", default="", metavar="TEXT", help="why, in your words")
    recording.add_argument("--decided-by", default="", metavar="NAME", help="who decided")
    recording.add_argument("--consulted", default="", metavar="NAMES", help="who was asked")
    recording.add_argument(
        "--option", metavar="MODEL", help="the option chosen, where the choice does not name it"
    )
    recording.add_argument(
        "--watch", action="append", default=[], metavar="TEXT", help="what to watch (repeatable)"
    )
    recording.add_argument(
        "--reopen", action="append", default=[], metavar="TEXT", help="what reopens it (repeatable)"
    )
    exporting = add_command(steps, "export", "Write a recorded decision as a document.", _export)
    exporting.add_argument("--format", required=True, choices=sorted(FORMATS), help="what to write")
    exporting.add_argument("--out", required=True, metavar="FILE", help="where to write it")
    exporting.add_argument("--record", metavar="ID", help="which record (default: the latest)")
    verifying = add_command(steps, "verify", "Recompute a JSON record and name what differs.", _verify)
    verifying.add_argument("file", metavar="FILE", help="a decision record in JSON")
    verifying.add_argument("--strict", action="store_true", help="exit 3 when anything differs")


def _pin(options: argparse.Namespace) -> Output:
    entry = question(options.question)
    flags = Parser(prog=f"decision pin {entry.name} --", allow_abbrev=False)
    add_parameters(flags, entry.parameters)
    with open_store(options) as store:
        answer = answer_to(store, entry, vars(flags.parse_args(options.rest)))
        pinned = pin(store, answer, _now())
    text = f"pinned as {pinned.id}: {pinned.headline.sentence}"
    return {**_pinned(pinned, stale=False), **said(answer), "_text": [text]}


def _pinned(evidence: Evidence, *, stale: bool) -> Output:
    return {
        "pin": evidence.id,
        "question": evidence.question,
        "asked": evidence.asked,
        "sentence": evidence.headline.sentence,
        "status": evidence.headline.status,
        "pinned_at": evidence.pinned_at,
        "fingerprint": evidence.fingerprint,
        "stale": stale,
    }


def _list(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        pins = [_pinned(state.evidence, stale=state.stale) for state in list_pins(store)]
        records = [_recorded(made) for made in list_records(store)]
    lines = [f"pin {one['pin']}{' (stale)' if one['stale'] else ''}: {one['sentence']}" for one in pins]
    lines += [f"record {one['record']} ({one['status']}): {one['choice']}" for one in records]
    return {"pins": pins, "records": records, "_text": lines or ["nothing is pinned yet"]}


def _recorded(made: Record) -> Output:
    return {
        "record": made.record_id,
        "title": made.title,
        "status": made.status,
        "created": made.created,
        "choice": made.choice.text,
        "recommended": made.recommendation.sentence,
        "pins": [evidence.id for evidence in made.evidence],
    }


def _record(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        made = record(
            store,
            options.choice,
            now=_now(),
            title=options.title,
            profile=options.profile,
            reasons=options.reasons,
            decided_by=options.decided_by,
            option=options.option,
            watch=options.watch,
            reopen=options.reopen,
            consulted=options.consulted,
        )
    return {**_recorded(made), "_text": [f"record {made.record_id} ({made.status}): {made.choice.text}"]}


def _export(options: argparse.Namespace) -> Output:
    with open_store(options) as store:
        made = get_record(store, options.record)
    content = export(made, options.format)
    out = Path(options.out)
    try:
        out.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {out}: {error.strerror}") from error
    return {
        "record": made.record_id,
        "format": options.format,
        "out": str(out),
        "bytes": len(content),
        "_text": [f"record {made.record_id} written to {out} ({len(content):,} bytes)"],
    }


def _verify(options: argparse.Namespace) -> Output:
    path = Path(options.file)
    try:
        document = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    with open_store(options) as store:
        checked = verify(store, document, path.name)
    lines = [
        f"{one.where}: recorded {one.recorded}, recomputed {one.recomputed}" for one in checked.differences
    ]
    text = [*(lines or ["every number comes out again"]), *checked.notes]
    return {**checked.to_dict(), "_text": text, "_exit": 3 if options.strict and not checked.ok else 0}


def _now() -> datetime:
    return datetime.now(UTC)
