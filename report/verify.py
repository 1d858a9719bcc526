"""Check a record: is it as it was written, and do its numbers come out again from the data at hand?

Three checks. The seals show whether a part was changed after it was written. The parts that follow from the
evidence (verdict, recommendation, options, files) are made again. Every question is asked again with its
parameters, and each cell that comes out otherwise is named. Seals show change, not authorship: whoever edits
a record can seal it anew, but not make the data agree with it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from data.batches import list_batches
from data.errors import InputError
from data.sources import SourceFile
from data.store import Store
from report import canonical
from report.differences import ABSENT, Difference, compare, compare_tables, without_new_fields
from report.evidence import Evidence, PinState, ask_again, from_answer, seal
from report.record import Record, derive, from_document, list_records, seals
from report.versions import app_version, versions

#: Parts of an answer that must come out again; sources are compared as files, the fingerprint first.
_ANSWERED = ("asked", "headline", "findings", "payload", "tables", "figures", "method")
#: Counts of a file that do not depend on what was imported before it.
_COUNTED = ("rows_read", "rows_loaded", "rows_rejected", "rows_duplicate")
_DERIVED = ("verdict", "recommendation", "boards", "settling", "origins", "methods")


@dataclass(frozen=True)
class Verification:
    """``ok`` when nothing differs. ``notes`` tell what may explain a difference, such as other versions."""

    ok: bool
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "ok": self.ok,
            "differences": [asdict(difference) for difference in self.differences],
            "notes": list(self.notes),
        }


def verify(store: Store, document: bytes, file_name: str) -> Verification:
    """Check the JSON export ``document`` against itself and against the data in ``store``.

    Raises:
        InputError: the bytes are no decision record of this version; one line.
    """
    recorded = from_document(document, file_name)
    body: dict[str, Any] = canonical.parse(document, file_name)  # as written, for what its seals cover
    found: list[Difference] = []
    fresh: list[Evidence] = []
    for index, pin in enumerate(recorded.evidence):
        where, path = f"evidence {index + 1} ({pin.question})", f"$.evidence[{index}]"
        written = body["evidence"][index]
        again, differences = _ask(store, pin, written, where, path)
        if seal(written) != pin.digest:
            differences = _edited(
                differences,
                Difference(f"{where}, its digest", f"{path}.digest", pin.digest, seal(written), "edited"),
            )
        fresh.append(again)
        found += differences
    found += _sealed(body, list(_derived(recorded, body, fresh)), store)
    return Verification(not found, tuple(found), _notes(recorded))


def _ask(
    store: Store, pin: Evidence, written: dict[str, Any], where: str, path: str
) -> tuple[Evidence, list[Difference]]:
    """The evidence made anew (the recorded one where that cannot be) and where the two differ."""
    try:
        answer = ask_again(store, pin.question, pin.parameters)
    except InputError as error:
        loaded = {(batch.file, batch.sha256) for batch in list_batches(store)}
        lost = [source for source in pin.sources if (source.file, source.sha256) not in loaded]
        missing = [_missing(source, f"{path}.sources", None) for source in lost]
        return pin, [*missing, Difference(where, path, pin.headline.sentence, str(error), "not asked")]
    again = from_answer(answer, pin.pinned_at)
    differences = list(_files(pin.sources, again.sources, f"{path}.sources"))
    if again.fingerprint != pin.fingerprint:
        rows = f"{where}, the rows behind it"
        fingerprints = (pin.fingerprint, again.fingerprint)
        differences.append(Difference(rows, f"{path}.fingerprint", *fingerprints, "data changed"))
    new = _as_then(written, canonical.plain(again), pin.versions)
    for name in _ANSWERED:
        comparing = compare_tables if name == "tables" else compare
        said = where if name in ("payload", "tables") else f"{where}, {name}"
        differences += comparing(written[name], new[name], where=said, path=f"{path}.{name}")
    return replace(again, id=pin.id, sources=pin.sources), differences


def _as_then(written: Any, made: Any, then: Mapping[str, str]) -> Any:
    """``made`` without the fields that the version which wrote the record did not know."""
    as_now = then.get("switchover") == app_version()
    return made if as_now else without_new_fields(written, made)


def _edited(differences: list[Difference], broken: Difference) -> list[Difference]:
    """Differences of evidence that no longer fits its digest.

    On unchanged data what comes out otherwise is what was edited; else nobody can tell, and the digest is
    named beside it.
    """
    if {difference.kind for difference in differences} == {"value"}:
        return [replace(difference, kind="edited") for difference in differences]
    return [broken, *differences]


def _files(recorded: Sequence[SourceFile], fresh: Sequence[SourceFile], path: str) -> Iterator[Difference]:
    """Files by name and hash; the order of imports and their numbers do not matter."""
    now = {(source.file, source.sha256): source for source in fresh}
    then = {(source.file, source.sha256): source for source in recorded}
    others = {source.file: source.sha256 for source in fresh}
    for key, source in then.items():
        if key not in now:
            yield _missing(source, path, others.get(source.file))
            continue
        for name in _COUNTED:
            old, new = getattr(source, name), getattr(now[key], name)
            if old != new:
                said = f"file {source.file}, {name.replace('_', ' ')}"
                yield Difference(said, f"{path}.{name}", old, new, "value")
    for key, source in now.items():
        if key not in then:
            yield Difference(f"file {source.file}", path, ABSENT, source.sha256, "file added")


def _missing(source: SourceFile, path: str, other: str | None) -> Difference:
    """A file that is not loaded; ``other`` is the hash of one of its name that is."""
    said = f"file {source.file} ({source.sha256})"
    return Difference(said, path, source.sha256, other or ABSENT, "file missing")


def _derived(recorded: Record, body: Mapping[str, Any], fresh: Sequence[Evidence]) -> Iterator[Difference]:
    """What follows from the evidence and the choice, made again from the evidence of now."""
    pins = [PinState(pin, stale=pin.id in recorded.stale) for pin in fresh]
    made = canonical.plain(derive(pins, recorded.choice))
    for name in _DERIVED:
        now = _as_then(body[name], made[name], recorded.versions)
        yield from compare(body[name], now, where=_said(name), path=f"$.{name}")
    yield from compare(
        body["choice"]["differs"], made["differs"], where="choice, differs", path="$.choice.differs"
    )


def _said(part: str) -> str:
    return {"boards": "options", "origins": "files", "settling": "what would settle it"}.get(part, part)


def _sealed(body: Mapping[str, Any], derived: list[Difference], store: Store) -> Iterator[Difference]:
    """Derived parts that differ, as edits where their seal is broken, and every other broken seal."""
    now, then = seals(body), body["seals"]
    broken = {name for name in now.keys() | then.keys() if now.get(name) != then.get(name)}
    kept = _stored(body, store)
    for name in sorted(broken):
        said, path = _said(name).replace("_", " "), f"$.{name}"
        if any(_part(difference) == name for difference in derived):
            continue
        if kept is not None:
            yield from compare(body.get(name), kept.get(name), where=said, path=path, kind="edited")
        else:
            yield Difference(f"{said}, its seal", path, then.get(name), now.get(name), "edited")
    for difference in derived:
        yield replace(difference, kind="edited") if _part(difference) in broken else difference


def _part(difference: Difference) -> str:
    return re.split(r"[.\[]", difference.path, maxsplit=2)[1]


def _stored(body: Mapping[str, Any], store: Store) -> dict[str, Any] | None:
    """The store's own copy of this record, told by its seals, which an editor of the text leaves alone."""
    for made in list_records(store):
        if made.record_id == body["record_id"] and made.seals == body["seals"]:
            copy: dict[str, Any] = canonical.plain(made)
            return copy
    return None


def _notes(recorded: Record) -> tuple[str, ...]:
    now = versions()
    told = [
        f"{name} is {now.get(name, 'absent')} here and was {version} when this was recorded"
        for name, version in sorted(recorded.versions.items())
        if now.get(name) != version
    ]
    if now.get("switchover") != recorded.versions.get("switchover"):
        told.append("fields that the version which wrote the record did not know are not compared")
    return tuple(told)
