"""Findings about the data under a leaderboard: coverage, runs, costs."""

from collections.abc import Iterator

from analysis import wording
from analysis.leaderboard.family import LEAST_TASKS
from analysis.leaderboard.picture import Picture
from analysis.leaderboard.scores import Score
from analysis.results import Finding

#: Gap between the mean over tasks and the mean over rows that is worth a word (significance.md T1).
ROW_GAP = 0.005
#: Names listed in a sentence before "and n more".
NAMES = 4


def too_little(picture: Picture) -> Iterator[Finding]:
    """Nothing to compare: no contender, one contender, no score, too few tasks, no shared tasks."""
    if not picture.scored:
        yield Finding(
            "unknown",
            "No contender has a score on this benchmark.",
            "Import results with a score or a passed column.",
        )
        return
    silent = [score.contender for score in picture.scores if score.mean is None]
    if silent:
        yield Finding(
            "unknown",
            f"{wording.sentence_list(silent, NAMES)} {_have(len(silent))} no scored run and so no score.",
            "An outcome that is not known is not a failure.",
        )
    if len(picture.scored) == 1:
        yield Finding(
            "unknown", f"{picture.scored[0].contender} is the only contender, so there is nothing to compare."
        )
    tasks = len(picture.cells.tasks)
    if tasks < LEAST_TASKS:
        yield Finding(
            "undecided",
            f"{wording.plural(tasks, 'task')} cannot carry a verdict; it needs {LEAST_TASKS}.",
            "With so few tasks one lucky answer moves the score by many points.",
        )
    apart = [
        pair for pair in picture.pairs if pair.tasks == 0 and pair.a not in silent and pair.b not in silent
    ]
    if apart:
        yield Finding(
            "unknown",
            f"{apart[0].a} and {apart[0].b} share no tasks and cannot be compared{_more(len(apart))}.",
            "A difference is taken on tasks that both have.",
        )


def coverage(picture: Picture) -> Iterator[Finding]:
    """Who lacks tasks, and tasks nobody has."""
    total = len(picture.cells.tasks)
    lacking = [score for score in picture.scored if not score.complete]
    if lacking:
        names = [f"{score.contender} ({_tasks(score)})" for score in lacking]
        who = wording.sentence_list(names, NAMES)
        text = f"{who} cover fewer than all {wording.plural(total, 'task')} and have no rank."
        if len(lacking) == 1:
            text = f"{lacking[0].contender} covers {_tasks(lacking[0])} of {total} tasks and has no rank."
        yield Finding(
            "caution",
            text,
            "Means over different tasks are not comparable; pairs use the tasks both have.",
        )
    elif len(picture.scored) > 1 and picture.missing == "absent":
        who = "Both" if len(picture.scored) == 2 else f"All {len(picture.scored)}"
        yield Finding(
            "good",
            f"{who} contenders have a score on all {wording.plural(total, 'task')}.",
            "Every pair rests on all tasks.",
        )
    empty = len(picture.stored.tasks) - total
    if empty:
        yield Finding(
            "caution",
            f"{wording.plural(empty, 'task')} of the benchmark {_have(empty)} no score from any contender "
            f"compared here and {'is' if empty == 1 else 'are'} left out.",
            "Counting missing tasks as failed would include them.",
        )
    if picture.missing == "fail":
        absent = int((picture.stored.rows == 0).sum())
        if absent:
            yield Finding(
                "caution",
                f"{wording.plural(absent, 'missing cell')} of {wording.count(picture.stored.rows.size)} "
                f"{'counts' if absent == 1 else 'count'} as failed.",
                "A task that was never run says nothing about the contender.",
            )


def _tasks(score: Score) -> int:
    return 0 if score.moments is None else score.moments.tasks


def unscored(picture: Picture) -> Iterator[Finding]:
    """Runs without an outcome."""
    count = sum(score.unscored_rows for score in picture.scores)
    if not count:
        return
    total = int(picture.stored.rows.sum())
    fate = "left out" if picture.missing == "absent" else "counted as failed"
    verb = f"{_have(count)} no score and {'is' if count == 1 else 'are'} {fate}"
    most = max(picture.scores, key=lambda score: score.unscored_rows)
    yield Finding(
        "caution",
        f"{wording.plural(count, 'run')} of {wording.count(total)} {verb}; most belong to {most.contender} "
        f"({wording.count(most.unscored_rows)}).",
        "Runs that crash on hard tasks flatter a contender when they are left out.",
    )


def uneven_runs(picture: Picture) -> Iterator[Finding]:
    """Tasks with different numbers of runs, and what pooling rows would say instead."""
    if not picture.scored:
        return
    fewest = min(score.fewest_runs for score in picture.scored)
    most = max(score.most_runs for score in picture.scored)
    if fewest == most:
        return
    yield Finding(
        "caution",
        f"Tasks ran {wording.count(fewest)} to {wording.count(most)} times; each task has one weight, "
        "whatever its runs.",
        "Pooled rows would let the tasks with most runs decide.",
    )
    turned = _turned(picture.scored)
    if turned is not None:
        ahead, behind = turned
        yield Finding(
            "caution",
            f"By rows {behind.contender} is ahead of {ahead.contender} "
            f"({wording.share(behind.mean_rows)} against {wording.share(ahead.mean_rows)}), by tasks behind "
            f"({wording.share(behind.mean)} against {wording.share(ahead.mean)}).",
            "Rows weigh tasks by their runs; this page weighs every task alike.",
        )
        return
    widest = max(picture.scored, key=lambda score: abs(_row_gap(score)))
    if abs(_row_gap(widest)) > ROW_GAP:
        yield Finding(
            "caution",
            f"{widest.contender} scores {wording.share(widest.mean)} over tasks but "
            f"{wording.share(widest.mean_rows)} over rows.",
            "Rows weigh tasks by their runs; this page weighs every task alike.",
        )


def _row_gap(score: Score) -> float:
    if score.mean is None or score.mean_rows is None:
        return 0.0
    return score.mean_rows - score.mean


def _turned(scored: tuple[Score, ...]) -> tuple[Score, Score] | None:
    """The first pair, best first, that rows put in the other order."""
    for place, ahead in enumerate(scored):
        for behind in scored[place + 1 :]:
            if (
                ahead.mean is None
                or behind.mean is None
                or ahead.mean_rows is None
                or behind.mean_rows is None
            ):
                continue
            if behind.mean < ahead.mean - 1e-9 and behind.mean_rows > ahead.mean_rows + 1e-9:
                return ahead, behind
    return None


def single_runs(picture: Picture) -> Iterator[Finding]:
    """One run a task: run noise cannot be told from skill."""
    once = [score.contender for score in picture.scored if score.most_runs == 1]
    if not once:
        return
    who = (
        "Each task ran once"
        if len(once) == len(picture.scored)
        else (f"{wording.sentence_list(once, NAMES)} ran each task once")
    )
    yield Finding(
        "unknown",
        f"{who}, so run noise is unknown.",
        "The interval still covers it, for it is part of the spread over tasks.",
    )


def costs(picture: Picture) -> Iterator[Finding]:
    """Unknown costs and mixed currencies; silent where no contender has a cost at all."""
    known = [score for score in picture.scores if score.usage.currency is not None]
    if not known:
        return
    lacking = [
        f"{score.contender} ({wording.count(score.usage.unknown_cost_rows)} of {wording.plural(rows, 'run')})"
        for score, rows in zip(picture.scores, picture.stored.rows.sum(axis=1).tolist(), strict=True)
        if score.usage.unknown_cost_rows
    ]
    if lacking:
        yield Finding(
            "unknown",
            f"The cost of some runs is unknown: {wording.sentence_list(lacking, NAMES)}.",
            "A cost per task is shown only when every run has one; unknown is never counted as 0.",
        )
    mixed = [score.contender for score in known if score.usage.currency == "mixed"]
    if mixed:
        yield Finding(
            "unknown",
            f"{wording.sentence_list(mixed, NAMES)} {_have(len(mixed))} costs in several "
            "currencies, so the cost per task is unknown.",
            "Amounts of different currencies do not add up.",
        )
    currencies = sorted({score.usage.currency for score in known if score.usage.currency} - {"mixed"})
    if len(currencies) > 1:
        yield Finding(
            "caution",
            f"Costs are in {wording.sentence_list(currencies)}; compare them after conversion.",
            "No exchange rate is applied here.",
        )


def _more(count: int) -> str:
    return f", nor can {wording.plural(count - 1, 'other pair')}" if count > 1 else ""


def _have(count: int) -> str:
    return "has" if count == 1 else "have"
