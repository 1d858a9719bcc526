"""What the pinned answers recommend, by one stated rule, and how the person's choice stands to it."""

from collections.abc import Iterable
from dataclasses import dataclass

from analysis import wording
from analysis.results import Status
from report.evidence import Evidence, PinState
from report.options import Board
from report.plaintext import sentence

RULE = (
    "A contender is recommended when every pinned leaderboard leaves it alone in front: the only one that "
    "may be the best, or the only one shown to solve more than the baseline. Without one shown to solve "
    "more, the baseline stays. A bad answer to another question stops a recommendation; a caution, a bad "
    "finding or changed data makes it conditional."
)


@dataclass(frozen=True)
class Recommendation:
    """The rule's outcome. ``options`` are the contenders it names: none where there is no clear choice."""

    status: Status
    word: str
    sentence: str
    options: tuple[str, ...]
    conditions: tuple[str, ...]
    rule: str


@dataclass(frozen=True)
class Verdict:
    """The box on the first page: how the decision stands to the evidence, and the decision in a sentence."""

    status: Status
    word: str
    sentence: str
    explanation: str


def recommend(pins: Iterable[PinState], boards: tuple[Board, ...]) -> Recommendation:
    """Apply :data:`RULE`."""
    states = tuple(pins)
    others = [state.evidence for state in states if state.evidence.question != "leaderboard"]
    stops = tuple(evidence.headline.sentence for evidence in others if evidence.headline.status == "bad")
    if stops:
        return Recommendation("bad", "Not recommended", _and("Do not switch", stops), (), stops, RULE)
    if not boards:
        text = "Pin a leaderboard: without one no option is compared."
        return Recommendation("unknown", "Evidence missing", text, (), (), RULE)
    status, text, options = _in_front(boards)
    conditions = _conditions(states)
    if status == "good" and conditions:
        return Recommendation("caution", "Go on, with conditions", text, options, conditions, RULE)
    words: dict[Status, str] = {
        "good": "Recommended",
        "bad": "Not recommended",
        "unknown": "Evidence missing",
    }
    return Recommendation(status, words.get(status, "No clear choice"), text, options, conditions, RULE)


def _and(start: str, reasons: tuple[str, ...]) -> str:
    return f"{start}: {reasons[0]}" if reasons else f"{start}."


def _in_front(boards: tuple[Board, ...]) -> tuple[Status, str, tuple[str, ...]]:
    stands = [_stand(board) for board in boards]
    names = tuple(name for name in stands[0] if all(name in others for others in stands))
    where = wording.sentence_list([board.benchmark for board in boards], most=3)
    if len(names) == 1:
        return *_one(names[0], boards, where), names
    return *_none_or_many(names, boards, where, unranked=not all(stands)), names


def _one(name: str, boards: tuple[Board, ...], where: str) -> tuple[Status, str]:
    """One contender in front: a baseline that nothing beats, or the one to move to."""
    baseline = boards[0].baseline
    if all(board.baseline == name and not board.leading for board in boards):
        if any(board.unsettled for board in boards):
            return "undecided", f"Stay on {name}: nothing is shown to solve more of {where} yet."
        return "bad", f"Stay on {name}: nothing is shown to solve more of {where}."
    if baseline and baseline != name:
        return "good", f"Move from {baseline} to {name}, which is shown to solve more of {where}."
    return "good", f"Use {name}: no other contender may be the best on {where}."


def _none_or_many(
    names: tuple[str, ...], boards: tuple[Board, ...], where: str, *, unranked: bool
) -> tuple[Status, str]:
    if unranked:
        return "unknown", f"{where} ranks no contender."
    if not names:
        return "undecided", f"The benchmarks put different contenders in front: {where}."
    listed = wording.sentence_list(names, most=4)
    if all(board.baseline for board in boards):
        more = f"{listed} are shown to solve more of {where}; which of them is open."
        return "undecided", f"Move from {boards[0].baseline}: {more}"
    return "undecided", f"Any of {listed} may be the best on {where}."


def _stand(board: Board) -> tuple[str, ...]:
    """The contenders a board supports: those in front, else its baseline."""
    return board.leading or ((board.baseline,) if board.baseline else ())


def _conditions(states: tuple[PinState, ...]) -> tuple[str, ...]:
    conditions = []
    for state in states:
        evidence = state.evidence
        if evidence.headline.status == "caution":
            conditions.append(evidence.headline.sentence)
        conditions += [finding.text for finding in evidence.findings if finding.status == "bad"]
        if state.stale:
            conditions.append(f'The answer to "{evidence.asked}" is older than the data.')
    return tuple(dict.fromkeys(conditions))


def verdict(recommendation: Recommendation, choice: str, chosen: str, pins: tuple[Evidence, ...]) -> Verdict:
    """The box: the person's choice, coloured by how it stands to the recommendation.

    ``chosen`` is the option the choice names, empty where the choice is in the person's own words.
    """
    because = " ".join(dict.fromkeys(sentence(evidence.headline.sentence) for evidence in pins[:2]))
    line = sentence(choice)
    if recommendation.status in ("undecided", "unknown"):
        return Verdict(recommendation.status, recommendation.word, line, because)
    if not chosen:
        return Verdict("unknown", "In own words", line, because)
    if chosen in recommendation.options:
        if recommendation.status == "bad":
            return Verdict("good", "As recommended", line, because)
        return Verdict(recommendation.status, recommendation.word, line, because)
    return Verdict("caution", "Against the recommendation", line, because)


def differs(recommendation: Recommendation, chosen: str) -> bool | None:
    """Whether the chosen option is another than recommended; None where that cannot be told."""
    if not chosen or not recommendation.options or recommendation.status in ("undecided", "unknown"):
        return None
    return chosen not in recommendation.options
