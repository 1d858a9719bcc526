"""Where the numbers of a record come from, and what would settle what is open."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis import wording
from data.sources import SourceFile
from report.evidence import Evidence
from report.options import Board
from report.plaintext import one_line

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


def _leaderboard(pin: Evidence) -> str:
    models = wording.plural(len(pin.payload["models"]), "model")
    return f"{pin.payload['benchmark']}: {models}, {wording.plural(pin.payload['tasks'], 'task')}"


def _reliability(pin: Evidence) -> str:
    return f"{pin.parameters['benchmark']}: runs of {pin.parameters['model']}"


_COVERS: dict[str, Callable[[Evidence], str]] = {"leaderboard": _leaderboard, "reliability": _reliability}


def covers(pin: Evidence) -> str:
    """What a pin's data cover, in words; the question where nothing better is known."""
    return _COVERS[pin.question](pin) if pin.question in _COVERS else pin.asked


def settling(pins: Sequence[Evidence], boards: Sequence[Board]) -> tuple[str, ...]:
    """What would settle the open questions: pairs in front that are undecided, then verdict cards."""
    by_id = {board.evidence: board for board in boards}
    lines: dict[str, None] = {}
    for pin in pins:
        if pin.id in by_id:
            lines |= dict.fromkeys(_pairs_in_front(pin, by_id[pin.id]))
        elif pin.headline.status in _OPEN:
            facts = (fact for fact in pin.headline.facts if fact.label in _SETTLES)
            lines |= dict.fromkeys(f"{one_line(pin.asked)} {fact.label}: {fact.value}." for fact in facts)
    return tuple(lines)[:MOST_SETTLING]


def _pairs_in_front(pin: Evidence, board: Board) -> Iterator[str]:
    """How many tasks would tell apart those that may be the best, or tell them from the baseline."""
    named = {board.baseline} if board.baseline else set(board.leading)
    for pair in pin.payload["pairs"]:
        ends = {pair["a"], pair["b"]}
        in_front = bool(ends & named) if board.baseline else ends <= named
        if in_front and pair["verdict"] == "undecided" and pair["tasks_to_settle"]:
            more = max(0, pair["tasks_to_settle"] - pair["tasks"])
            yield (
                f"{pair['a']} against {pair['b']} on {board.benchmark}: about "
                f"{wording.count_words(_two_digits(more))} more tasks, if the gap is as observed."
            )


def _two_digits(value: int) -> int:
    return int(float(f"{value:.1e}"))
