"""Evidence: an answer pinned with its data fingerprint, so that a decision can rest on it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from analysis import wording
from analysis.results import Finding
from answers import register
from answers.base import Answer, Figure, Headline, Table
from answers.parameters import as_dict, build
from data import records
from data.errors import InputError
from data.sources import SourceFile
from data.store import Store
from report import canonical
from report.versions import versions

#: What a seal cannot cover: itself, the pin's name and the clock.
_OUTSIDE = ("id", "pinned_at", "digest")

#: Tells the data's fingerprint now, for a question's name and its parameters.
FingerprintNow = Callable[[Store, str, Mapping[str, Any]], str]


@dataclass(frozen=True)
class Evidence:
    """One pinned answer.

    ``id`` follows from the question and its parameters: asking once more replaces the pin. ``digest`` is the
    SHA-256 of the canonical JSON of everything but ``id``, ``pinned_at`` and itself. ``payload`` and
    ``parameters`` hold JSON's own types.
    """

    id: str
    question: str
    asked: str
    parameters: Mapping[str, Any]
    headline: Headline
    findings: tuple[Finding, ...]
    payload: Mapping[str, Any]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    sources: tuple[SourceFile, ...]
    fingerprint: str
    method: str
    versions: Mapping[str, str]
    pinned_at: str
    digest: str


@dataclass(frozen=True)
class PinState:
    """A pin and whether the data under it are still those it was made from; ``reason`` says why not."""

    evidence: Evidence
    stale: bool
    reason: str = ""


def timestamp(now: datetime) -> str:
    """``now`` in UTC to the second, as records keep times.

    Raises:
        ValueError: ``now`` has no time zone.
    """
    if now.tzinfo is None:
        raise ValueError("a time without a zone cannot be recorded")
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def seal(evidence: Evidence | Mapping[str, Any]) -> str:
    """The digest that evidence, or the JSON object of one, should carry."""
    return canonical.digest(
        {name: value for name, value in canonical.plain(evidence).items() if name not in _OUTSIDE}
    )


def from_answer(answer: Answer, pinned_at: str) -> Evidence:
    """``answer`` as evidence, without storing it; ``pinned_at`` as :func:`timestamp` writes it."""
    parameters = canonical.plain(as_dict(answer.parameters))
    shared = {
        name: getattr(answer, name)
        for name in (field.name for field in fields(Evidence))
        if hasattr(answer, name) and name != "parameters"
    }
    loose = Evidence(
        id=canonical.digest([answer.question, parameters])[:12],
        parameters=parameters,
        versions=versions(),
        pinned_at=pinned_at,
        digest="",
        **shared,
    )
    made: Evidence = canonical.rebuild(Evidence, canonical.plain(loose), "evidence")
    return replace(made, digest=seal(made))


def read_evidence(body: str) -> Evidence:
    """Evidence from the store's JSON text.

    Raises:
        InputError: the text is damaged or written by another version.
    """
    made: Evidence = canonical.rebuild(Evidence, canonical.parse(body.encode(), "a pin"), "pin")
    return made


def ask_again(store: Store, question: str, parameters: Mapping[str, Any]) -> Answer:
    """The question answered on the store's data of now.

    Raises:
        InputError: the question is unknown, a parameter is wrong, or its data are not loaded.
    """
    entry = register.question(question)
    return entry.ask(store, build(entry.parameters, parameters))


def fingerprint_now(store: Store, question: str, parameters: Mapping[str, Any]) -> str:
    """The fingerprint that the question's answer would carry now.

    Raises:
        InputError: as :func:`ask_again`.
    """
    entry = register.question(question)
    if entry.fingerprint is None:
        return ask_again(store, question, parameters).fingerprint
    return entry.fingerprint(store, build(entry.parameters, parameters))


def pin(store: Store, answer: Answer, now: datetime) -> Evidence:
    """Keep ``answer`` as evidence. The same answer pinned twice is one pin, with its first time.

    Asking again with the same parameters replaces the pin; records keep their own copy.
    """
    made = from_answer(answer, timestamp(now))
    kept = next((old for old in _stored(store) if old.id == made.id), None)
    if kept is not None and kept.digest == made.digest:
        return kept
    records.save_evidence(store, made.id, canonical.canonical(made))
    return made


def list_pins(store: Store, fingerprint: FingerprintNow = fingerprint_now) -> tuple[PinState, ...]:
    """All pins with whether their data have changed since, in the order of the questions, then of pinning."""
    return tuple(_state(store, evidence, fingerprint) for evidence in _stored(store))


def get_pin(store: Store, pin_id: str) -> Evidence:
    """The pin of that id.

    Raises:
        InputError: there is none; the message lists the ids that exist.
    """
    stored = _stored(store)
    for evidence in stored:
        if evidence.id == pin_id:
            return evidence
    known = ", ".join(evidence.id for evidence in stored)
    raise InputError(f"no pin {pin_id!r}; {f'choose one of {known}' if known else 'nothing is pinned yet'}")


def repin(store: Store, pin_id: str, now: datetime) -> Evidence:
    """Ask a pin's question again on the data of now and keep the new answer in its place.

    Raises:
        InputError: no such pin, or its question can no longer be answered.
    """
    old = get_pin(store, pin_id)
    return pin(store, ask_again(store, old.question, old.parameters), now)


def unpin(store: Store, pin_id: str) -> None:
    """Forget a pin; records that rest on it keep their copy.

    Raises:
        InputError: no such pin.
    """
    get_pin(store, pin_id)
    records.delete_evidence(store, pin_id)


def _stored(store: Store) -> tuple[Evidence, ...]:
    found = [read_evidence(body) for body in records.list_evidence(store)]
    return tuple(sorted(found, key=_place))


def _place(evidence: Evidence) -> tuple[int, str, str]:
    questions = list(register.QUESTIONS)
    known = evidence.question in questions
    place = questions.index(evidence.question) if known else len(questions)
    return place, evidence.pinned_at, evidence.id


def _state(store: Store, evidence: Evidence, fingerprint: FingerprintNow) -> PinState:
    try:
        now = fingerprint(store, evidence.question, evidence.parameters)
    except InputError as error:
        return PinState(evidence, stale=True, reason=f"cannot be asked again: {error}")
    if now == evidence.fingerprint:
        return PinState(evidence, stale=False)
    day = wording.date(evidence.pinned_at)
    return PinState(evidence, stale=True, reason=f"the data have changed since it was pinned on {day}")
