"""The decision record: pinned evidence, what it recommends, what a person decided, and why.

Everything an export shows is in the record. The parts in :class:`Derived` follow from the evidence and the
choice alone, so that ``verify`` can make them again.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from data import records
from data.errors import InputError
from data.store import Store
from report import canonical
from report.evidence import Evidence, PinState, list_pins, timestamp
from report.options import Board, boards, match_option
from report.plaintext import one_line
from report.provenance import Origin, covers, origins, settling
from report.recommendation import Recommendation, Verdict, differs, recommend, verdict
from report.versions import versions

SCHEMA = "switchover decision record"
SCHEMA_VERSION = 1
PROFILES = ("interactive", "batch", "research")
#: Longest text a person may type into one field, in characters.
LONGEST = 4000

_RECORD_ID = re.compile(r"([0-9]{4})-([0-9]{3,9})")
_TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Choice:
    """What the person decided. ``option`` is the option it names, empty for a choice in own words.

    ``differs`` tells whether the option is another than recommended; None where that cannot be told.
    """

    text: str
    option: str
    differs: bool | None
    reasons: str
    decided_by: str
    consulted: str


@dataclass(frozen=True)
class Derived:
    """What follows from the evidence and the choice, and from nothing else."""

    verdict: Verdict
    recommendation: Recommendation
    differs: bool | None
    boards: tuple[Board, ...]
    settling: tuple[str, ...]
    origins: tuple[Origin, ...]
    methods: tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """A decision with its evidence. ``stale`` holds the ids of evidence older than the data at ``created``.

    ``seals`` maps each part to the SHA-256 of its canonical JSON; they show change, not authorship.
    """

    schema: Literal["switchover decision record"]
    schema_version: Literal[1]
    record_id: str
    title: str
    status: Literal["proposed", "accepted"]
    created: str
    profile: Literal["interactive", "batch", "research"] | None
    verdict: Verdict
    recommendation: Recommendation
    choice: Choice
    evidence: tuple[Evidence, ...]
    stale: tuple[str, ...]
    boards: tuple[Board, ...]
    watch: tuple[str, ...]
    reopen: tuple[str, ...]
    settling: tuple[str, ...]
    origins: tuple[Origin, ...]
    methods: tuple[str, ...]
    versions: Mapping[str, str]
    seals: Mapping[str, str]


def record(
    store: Store,
    choice: str,
    *,
    now: datetime,
    title: str | None = None,
    profile: str | None = None,
    reasons: str = "",
    decided_by: str = "",
    option: str | None = None,
    watch: Sequence[str] = (),
    reopen: Sequence[str] = (),
    consulted: str = "",
) -> Record:
    """Record a decision on all pinned evidence and keep it in the store.

    With ``decided_by`` the record is accepted, without it proposed. ``option`` names the option chosen where
    the choice's words do not.

    Raises:
        InputError: no choice, nothing pinned, an unknown profile or option, or a text too long.
    """
    _check(choice, profile, {"title": title or "", "reasons": reasons, "decided-by": decided_by})
    pins = list_pins(store)
    if not pins:
        raise InputError("nothing is pinned; pin an answer first (Pin to decision, or decision pin QUESTION)")
    made = compose(
        pins,
        record_id=_next_id([read_record(body).record_id for body in records.list_decisions(store)], now),
        created=timestamp(now),
        title=one_line(title or "") or one_line(pins[0].evidence.asked),
        profile=profile,
        choice=Choice(
            text=one_line(choice),
            option=_option(choice, option, pins),
            differs=None,
            reasons=one_line(reasons),
            decided_by=one_line(decided_by),
            consulted=one_line(consulted),
        ),
        watch=_lines(watch),
        reopen=_lines(reopen),
    )
    records.save_decision(store, made.record_id, canonical.canonical(made))
    return made


def compose(
    pins: Sequence[PinState],
    *,
    record_id: str,
    created: str,
    title: str,
    profile: str | None,
    choice: Choice,
    watch: tuple[str, ...] = (),
    reopen: tuple[str, ...] = (),
) -> Record:
    """The record of a choice on ``pins``, sealed; a pure function of its arguments."""
    derived = derive(pins, choice)
    fields: dict[str, Any] = {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        "record_id": record_id,
        "title": title,
        "status": "accepted" if choice.decided_by else "proposed",
        "created": created,
        "profile": profile,
        "verdict": derived.verdict,
        "recommendation": derived.recommendation,
        "choice": replace(choice, differs=derived.differs),
        "evidence": [state.evidence for state in pins],
        "stale": [state.evidence.id for state in pins if state.stale],
        "boards": derived.boards,
        "watch": watch,
        "reopen": reopen,
        "settling": derived.settling,
        "origins": derived.origins,
        "methods": derived.methods,
        "versions": versions(),
        "seals": {},
    }
    loose: Record = canonical.rebuild(Record, canonical.plain(fields))
    return replace(loose, seals=seals(loose))


def derive(pins: Sequence[PinState], choice: Choice) -> Derived:
    """The parts of a record that follow from its evidence and choice."""
    evidence = tuple(state.evidence for state in pins)
    plain_boards = boards(evidence)
    recommendation = recommend(pins, plain_boards)
    return Derived(
        verdict=verdict(recommendation, choice.text, choice.option, evidence),
        recommendation=recommendation,
        differs=differs(recommendation, choice.option),
        boards=boards(evidence, chosen=choice.option, recommended=recommendation.options),
        settling=settling(evidence, plain_boards),
        origins=origins(evidence, {pin.id: covers(pin) for pin in evidence}),
        methods=tuple(dict.fromkeys(pin.method for pin in evidence)),
    )


def seals(document: Record | Mapping[str, Any]) -> dict[str, str]:
    """The digest of every part of a record, or of the JSON object of one, but of the seals themselves.

    Evidence is sealed by its own digests.
    """
    body = canonical.plain(document)
    body["evidence"] = [[pin["id"], pin["pinned_at"], pin["digest"]] for pin in body["evidence"]]
    return {name: canonical.digest(part) for name, part in sorted(body.items()) if name != "seals"}


def read_record(body: str) -> Record:
    """A record from the store's JSON text.

    Raises:
        InputError: the text is damaged or written by another version.
    """
    return from_document(body.encode("utf-8"), "a stored record")


def from_document(document: bytes, name: str) -> Record:
    """A record from the bytes of its JSON export.

    Raises:
        InputError: the bytes are no decision record; one line that says what to give instead.
    """
    value = canonical.parse(document, name)
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise InputError(f"{name} is not a decision record; export one with decision export --format json")
    if value.get("schema_version") != SCHEMA_VERSION:
        shown = canonical.canonical(value.get("schema_version"))[:20]
        raise InputError(f"{name} is of record version {shown}; this program reads version {SCHEMA_VERSION}")
    made: Record = canonical.rebuild(Record, value)
    if not _RECORD_ID.fullmatch(made.record_id) or not _is_time(made.created):
        raise InputError(f"{name} has no record number or time; the document is damaged, export it again")
    return made


def _is_time(text: str) -> bool:
    try:
        datetime.strptime(text, _TIME).replace(tzinfo=UTC)
    except ValueError:
        return False
    return True


def list_records(store: Store) -> tuple[Record, ...]:
    """All records, oldest first."""
    found = [read_record(body) for body in records.list_decisions(store)]
    return tuple(sorted(found, key=lambda made: (made.created, made.record_id)))


def get_record(store: Store, record_id: str | None = None) -> Record:
    """The record of that id; without one the newest.

    Raises:
        InputError: there is no record, or none of that id.
    """
    found = list_records(store)
    if not found:
        raise InputError("no decision is recorded yet; record one with decision record --choice TEXT")
    if record_id is None:
        return found[-1]
    for made in found:
        if made.record_id == record_id:
            return made
    raise InputError(f"no record {record_id!r}; choose one of {', '.join(made.record_id for made in found)}")


def _check(choice: str, profile: str | None, texts: Mapping[str, str]) -> None:
    if not one_line(choice):
        raise InputError("the choice is empty; say in a few words what you decide (--choice TEXT)")
    if profile is not None and profile not in PROFILES:
        raise InputError(f"--profile cannot be {profile!r}; choose one of {', '.join(PROFILES)}")
    for name, text in {"choice": choice, **texts}.items():
        if len(text) > LONGEST:
            raise InputError(f"--{name} has {len(text):,} characters; a record holds {LONGEST:,}, shorten it")


def _option(choice: str, option: str | None, pins: Sequence[PinState]) -> str:
    names = [found.name for board in boards(state.evidence for state in pins) for found in board.options]
    if option is None:
        return match_option(choice, names)
    if option not in names:
        known = ", ".join(dict.fromkeys(names)) or "none is pinned"
        raise InputError(f"no option {option!r} in the pinned leaderboards; options: {known}")
    return option


def _lines(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line for text in lines if (line := one_line(text)))


def _next_id(known: Sequence[str], now: datetime) -> str:
    year = int(timestamp(now)[:4])
    numbers = [
        int(found[2]) for name in known if (found := _RECORD_ID.fullmatch(name)) and int(found[1]) == year
    ]
    return f"{year}-{max(numbers, default=0) + 1:03d}"
