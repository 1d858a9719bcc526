"""Where the numbers of a record come from, and what would settle what is open."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis import wording
from data.sources import SourceFile
from report.evidence import Evidence
from report.plaintext import one_line, sentence

#: Lines that say what would settle an open question; beyond this many nobody acts on them.
MOST_SETTLING = 6
#: The fact of a verdict card that says what would settle it.
_SETTLES = ("To settle it", "Would settle it", "Would change it")
_OPEN = ("undecided", "unknown", "caution")


@dataclass(frozen=True)
class Origin:
    """One file behind the numbers, and in ``covers`` what the pinned answers read from it."""

    file: str
    sha256: str
    kind: str
    format: str
    rows_read: int
    rows_kept: int
    rows_set_aside: int
    rows_duplicate: int
    rows_superseded: int
    covers: tuple[str, ...]


def origins(pins: Sequence[Evidence], covered: Mapping[str, str]) -> tuple[Origin, ...]:
    """Each file once, by name and hash. ``covered`` tells in words what a pin covers, by pin id."""
    files: dict[tuple[str, str], SourceFile] = {}
    covering: dict[tuple[str, str], dict[str, None]] = {}
    for pin in pins:
        for source in pin.sources:
            key = (source.file, source.sha256)
            files[key] = source
            covering.setdefault(key, {})[covered[pin.id]] = None
    return tuple(_origin(files[key], tuple(covering[key])) for key in sorted(files))


def _origin(source: SourceFile, covering: tuple[str, ...]) -> Origin:
    return Origin(
        file=source.file,
        sha256=source.sha256,
        kind=source.kind,
        format=source.format,
        rows_read=source.rows_read,
        rows_kept=source.rows_loaded,
        rows_set_aside=source.rows_rejected,
        rows_duplicate=source.rows_duplicate,
        rows_superseded=source.rows_superseded,
        covers=covering,
    )


def _leaderboard(payload: Mapping[str, Any]) -> str:
    models = wording.plural(len(payload["models"]), "model")
    return f"{payload['benchmark']}: {models}, {wording.plural(payload['tasks'], 'task')}"


_COVERS: dict[str, Callable[[Mapping[str, Any]], str]] = {"leaderboard": _leaderboard}


def covers(pin: Evidence) -> str:
    """What a pin's data cover, in words; the question where nothing better is known."""
    return _COVERS[pin.question](pin.payload) if pin.question in _COVERS else pin.asked


def settling(pins: Sequence[Evidence]) -> tuple[str, ...]:
    """What would settle the open questions: from verdict cards first, then from findings.

    A finding's reason is taken where the data are undecided or unknown, for it says what is lacking.
    """
    lines: dict[str, None] = {}
    for pin in pins:
        if pin.headline.status in _OPEN:
            for fact in pin.headline.facts:
                if fact.label in _SETTLES:
                    lines[f"{one_line(pin.asked)} {fact.label}: {sentence(fact.value, keep=True)}"] = None
    for pin in pins:
        for finding in pin.findings:
            if finding.status in ("undecided", "unknown") and finding.reason:
                lines[f"{sentence(finding.text)} {sentence(finding.reason)}"] = None
    return tuple(lines)[:MOST_SETTLING]
