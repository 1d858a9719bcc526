"""Findings about what a leaderboard says: small wins, extremes, luck, and what missing cells change."""

from collections.abc import Iterator

from analysis import wording
from analysis.leaderboard.picture import Picture
from analysis.leaderboard.result import PairDifference
from analysis.results import Finding

#: A leader above this share leaves little to show.
CEILING = 0.95
#: Shrinkage of the leader from which luck is worth a word.
FLATTERED = 0.002


def verdict_changes(picture: Picture) -> Iterator[Finding]:
    """Whether a verdict turns when missing outcomes count the other way."""
    if picture.other_pairs is None or not picture.pairs:
        return
    others = {frozenset((pair.a, pair.b)): pair for pair in picture.other_pairs}
    changed = []
    for pair in picture.pairs:
        other = others[frozenset((pair.a, pair.b))]
        verdict = other.verdict if other.a == pair.a else _reversed(other.verdict)
        if verdict != pair.verdict:
            changed.append((pair, verdict))
    rule = (
        "Counting missing outcomes as failed"
        if picture.missing == "absent"
        else "Leaving missing outcomes out"
    )
    if not changed:
        yield Finding(
            "good",
            f"{rule} changes none of the {wording.plural(len(picture.pairs), 'verdict')}."
            if len(picture.pairs) > 1
            else f"{rule} does not change the verdict.",
            "The answer does not hang on how missing outcomes are read.",
        )
        return
    pair, verdict = changed[0]
    yield Finding(
        "caution",
        f"{rule} changes {len(changed)} of {wording.plural(len(picture.pairs), 'verdict')}: {pair.a} against "
        f"{pair.b} turns from {pair.verdict} to {verdict}.",
        "Whether a missing outcome is a failure is for you to say; no data can.",
    )


def _reversed(verdict: str) -> str:
    return {"better": "worse", "worse": "better"}.get(verdict, verdict)


def small_wins(picture: Picture) -> Iterator[Finding]:
    """Differences that are proven and below the margin."""
    small = [pair for pair in picture.pairs if pair.verdict in ("better", "worse") and not pair.material]
    if not small:
        return
    pair = small[0]
    ahead, behind = (pair.a, pair.b) if pair.verdict == "better" else (pair.b, pair.a)
    more = f"; {wording.plural(len(small) - 1, 'other pair')} likewise" if len(small) > 1 else ""
    yield Finding(
        "caution",
        f"{ahead} solves {_gap(pair)} more than {behind}, less than the margin of "
        f"{wording.points(picture.margin)}{more}.",
        "The difference is real but below what you said matters.",
    )


def _gap(pair: PairDifference) -> str:
    half = None if pair.low is None or pair.high is None else (pair.high - pair.low) / 2
    return wording.points(None if pair.difference is None else abs(pair.difference), half)


def extremes(picture: Picture) -> Iterator[Finding]:
    """Contenders that pass or fail everything, and a benchmark near its ceiling."""
    every = [score.contender for score in picture.scored if score.mean == 1]
    none = [score.contender for score in picture.scored if score.mean == 0]
    count = len(picture.scored)
    tasks = wording.plural(len(picture.cells.tasks), "task")
    if every and len(every) == count and count > 1:
        yield Finding(
            "caution",
            f"Every contender passes all {tasks}: this benchmark cannot tell them apart.",
            "Harder tasks are needed.",
        )
        return
    if none and len(none) == count and count > 1:
        yield Finding(
            "caution",
            f"Every contender fails all {tasks}: this benchmark cannot tell them apart.",
            "Check the grader, then look for easier tasks.",
        )
        return
    for names, verb, limit in ((every, "passes", "at least"), (none, "fails", "at most")):
        for score in picture.scored:
            if score.contender not in names or score.moments is None:
                continue
            bound = score.interval.low if verb == "passes" else score.interval.high
            tail = "" if bound is None else f"; its true share is {limit} {wording.share(bound)}"
            yield Finding(
                "caution",
                f"{score.contender} {verb} all {wording.plural(score.moments.tasks, 'task')}{tail}.",
                "No failure seen is not no failure to come."
                if verb == "passes"
                else "No success seen is not no success to come.",
            )
    top = next((score for score in picture.scored if score.complete), None)
    if top is not None and top.mean is not None and CEILING < top.mean < 1 and count > 1:
        yield Finding(
            "caution",
            f"{top.contender} solves {wording.share(top.mean)}, so at most {wording.points(1 - top.mean)} "
            "are left to show an improvement.",
            "Near the ceiling a benchmark separates weak contenders only.",
        )


def identical(picture: Picture) -> Iterator[Finding]:
    """Two contenders with one and the same list of outcomes."""
    copies = [
        pair
        for pair in picture.pairs
        if pair.tasks >= 10 and pair.se == 0 and pair.difference == 0 and (pair.correlation or 0) > 1 - 1e-9
    ]
    if copies:
        pair = copies[0]
        yield Finding(
            "caution",
            f"{pair.a} and {pair.b} agree on every one of {wording.plural(pair.tasks, 'task')}; check that "
            "one is not a copy of the other.",
            "Two independent contenders rarely agree everywhere.",
        )


def flattered(picture: Picture) -> Iterator[Finding]:
    """The leader's score is the highest of several and so partly luck."""
    for row in picture.leaders[:1]:
        score, shrunk = picture.scores[row], picture.ranking.shrunk[row]
        if shrunk is None or score.mean is None or score.mean - shrunk < FLATTERED:
            continue
        yield Finding(
            "caution",
            f"{score.contender} leads with {wording.share(score.mean)}, of which luck is part: expect about "
            f"{wording.share(shrunk)} on fresh tasks.",
            "The highest of several noisy scores is too high on average (empirical Bayes).",
        )


def too_many_pairs(picture: Picture) -> Iterator[Finding]:
    """Joint draws given up for size."""
    if picture.exceeded:
        yield Finding(
            "caution",
            f"{wording.plural(len(picture.pairs), 'pair')} on different tasks are too many to draw jointly, "
            "so the correction is Bonferroni.",
            "It is valid but wider than max-T; choose fewer contenders or a baseline.",
        )
