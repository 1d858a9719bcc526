"""The leaderboard in sentences: the question, the verdict and the method."""

from dataclasses import replace

from analysis import wording
from analysis.leaderboard.result import Leaderboard, ModelScore, PairDifference, Verdict
from analysis.results import Status
from answers.base import Fact, Headline, Strip

_CORRECTIONS = {
    "max-t": "a simultaneous critical value (max-t, {draws} seeded draws) over {pairs}",
    "holm": "Holm's correction over {pairs}",
    "none": "no correction over {pairs}",
}

_TURNED: dict[Verdict, Verdict] = {
    "better": "worse",
    "worse": "better",
    "equivalent": "equivalent",
    "undecided": "undecided",
}


def asked(result: Leaderboard, benchmark: str) -> str:
    """The question in words."""
    if result.baseline is not None:
        others = [score.model for score in result.models if score.model != result.baseline]
        if len(others) == 1:
            return f"Should we move from {result.baseline} to {others[0]}?"
        return f"Which model solves more of {benchmark} than {result.baseline}?"
    if len(result.pairs) == 1:
        return f"Is {result.pairs[0].a} better than {result.pairs[0].b} on {benchmark}?"
    return f"Which model solves the most tasks of {benchmark}?"


def headline(result: Leaderboard, benchmark: str) -> Headline:
    """The verdict card: about the pair asked for, the baseline, or else the leader."""
    if not result.models:
        return Headline("unknown", "Too few tasks", f"{benchmark} has no scored task.", "", ())
    if len(result.models) == 1 or not result.pairs:
        return _alone(result, benchmark)
    pair = deciding(result)
    if pair is None:
        return _alone(result, benchmark)
    return _compared(result, pair)


def method(result: Leaderboard) -> str:
    """One paragraph that a colleague can check."""
    unit = "task clusters" if result.by == "cluster" and result.clusters < result.tasks else "tasks"
    if result.also_by == "domain":
        unit += f" and domains (t with {max(result.groups - 1, 0)} degrees of freedom)"
    pairs = wording.plural(result.family_size, "pair")
    correction = _CORRECTIONS[result.correction].format(draws=wording.count(result.draws), pairs=pairs)
    absent = "counts as failed" if result.missing == "fail" else "is left out"
    return (
        f"Each score is the mean over tasks of the mean over runs. Standard errors come from the spread over "
        f"{unit}; differences are paired on the tasks both models ran, with {correction}. A task without a "
        f"score {absent}. Intervals are {wording.level(result.confidence)}; differences under "
        f"{wording.margin(result.margin)} are called immaterial."
    )


def _alone(result: Leaderboard, benchmark: str) -> Headline:
    score = result.models[0]
    solved = _solved(score)
    if len(result.models) == 1:
        why = "One model is loaded on this benchmark; load a second one to compare."
    else:
        why = "No two of these models share a scored task, so nothing can be compared."
    return Headline(
        status="unknown",
        word="Nothing to compare",
        sentence=f"{score.model} solves {solved} of {benchmark}.",
        explanation=why,
        facts=_facts(
            ("Interval", _score_interval(score)),
            ("Tasks", wording.count(score.tasks)),
            ("Runs a task", _runs(score.runs_per_task)),
        ),
        number=solved,
        number_unit="of tasks",
    )


def _solved(score: ModelScore) -> str:
    return wording.share(score.mean, _half(score.low, score.high))


def _half(low: float | None, high: float | None) -> float | None:
    return None if low is None or high is None else (high - low) / 2


def _score_interval(score: ModelScore) -> str:
    if score.low is None or score.high is None:
        return "no interval"
    return wording.interval(score.low, score.high, "share", half_width=_half(score.low, score.high))


def _runs(runs: float | None) -> str:
    return wording.unknown() if runs is None else f"{runs:g}" if runs == round(runs) else f"{runs:.1f}"


def _facts(*pairs: tuple[str, str]) -> tuple[Fact, ...]:
    return tuple(Fact(label, value) for label, value in pairs if value)


def deciding(result: Leaderboard) -> PairDifference | None:
    """The pair the card is about: the best candidate against the baseline, else leader against next."""
    if len(result.pairs) == 1:
        return result.pairs[0]
    order = {score.model: index for index, score in enumerate(result.models)}
    known = [pair for pair in result.pairs if pair.difference is not None]
    if not known:
        return None
    if result.baseline is not None:
        return min(known, key=lambda pair: order[pair.a])
    leader = result.models[0].model
    ahead = [pair for pair in known if leader in (pair.a, pair.b)]
    if not ahead:
        return known[0]
    return min(ahead, key=lambda pair: order[pair.b if pair.a == leader else pair.a])


def _compared(result: Leaderboard, pair: PairDifference) -> Headline:
    if pair.difference is None:
        return Headline(
            status="unknown",
            word="Too few tasks",
            sentence=f"{pair.a} and {pair.b} share no scored task.",
            explanation="Run both models on shared tasks to compare them.",
            facts=(),
        )
    if result.baseline is None and len(result.models) > 2 and pair.difference < 0:
        pair = turned(pair)
    status, word = _verdict(pair)
    return Headline(
        status=status,
        word=word,
        sentence=_sentence(result, pair),
        explanation=_explanation(result, pair),
        facts=_facts(
            ("Interval", _pair_interval(pair, " points")),
            ("Paired tasks", f"{wording.count(pair.tasks)} of {wording.count(result.tasks)}"),
            ("p" if result.correction == "none" else "Adjusted p", wording.p_number(pair.p_adjusted)),
            ("To settle it", _to_settle(pair)),
        ),
        number=wording.points_number(pair.difference, _half(pair.low, pair.high), signed=True),
        number_unit=f"points, {_pair_interval(pair)}",
        strip=_strip(pair),
    )


def _strip(pair: PairDifference) -> Strip | None:
    if pair.difference is None or pair.low is None or pair.high is None:
        return None
    return Strip(pair.difference, pair.low, pair.high, 0.0, "no change")


def turned(pair: PairDifference) -> PairDifference:
    """The comparison read from the other side."""
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        difference=_minus(pair.difference),
        low=_minus(pair.high),
        high=_minus(pair.low),
        only_a=pair.only_b,
        only_b=pair.only_a,
        verdict=_TURNED[pair.verdict],
    )


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def too_few(pair: PairDifference) -> bool:
    """Fewer than 10 shared tasks or 6 clusters: no verdict is possible on this file."""
    return pair.tasks < 10 or pair.clusters < 6


def _verdict(pair: PairDifference) -> tuple[Status, str]:
    if pair.verdict == "better":
        return ("good", "Better") if pair.material else ("caution", "Better, but little")
    if pair.verdict == "worse":
        return "bad", "Worse"
    if pair.verdict == "equivalent":
        return "caution", "Within the margin"
    return ("unknown", "Too few tasks") if too_few(pair) else ("undecided", "Undecided")


def _sentence(result: Leaderboard, pair: PairDifference) -> str:
    gap = wording.points(abs(pair.difference or 0.0), _half(pair.low, pair.high))
    if pair.verdict == "better":
        return f"{pair.a} solves {gap} more of your tasks than {pair.b}{_rivals(result, pair)}."
    if pair.verdict == "worse":
        return f"{pair.a} solves {gap} fewer of your tasks than {pair.b}."
    if pair.verdict == "equivalent":
        margin = wording.margin(result.margin)
        return f"{pair.a} and {pair.b} differ by less than your margin of {margin}."
    signed = wording.points(pair.difference, _half(pair.low, pair.high), signed=True)
    if too_few(pair):
        return f"{pair.a} against {pair.b}: {signed} on {wording.plural(pair.tasks, 'task')} decides nothing."
    return f"{pair.a} against {pair.b} is undecided at {signed}."


def _rivals(result: Leaderboard, pair: PairDifference) -> str:
    """Contenders that the one in front is not separated from, said in one breath."""
    open_rivals = [
        other.b if other.a == pair.a else other.a
        for other in result.pairs
        if pair.a in (other.a, other.b) and other.verdict in ("undecided", "equivalent")
    ]
    if not open_rivals or {pair.a, pair.b} >= set(open_rivals):
        return ""
    return f"; {wording.sentence_list(open_rivals, most=2)} may be as good"


def _explanation(result: Leaderboard, pair: PairDifference) -> str:
    seen = wording.plural(pair.tasks, "shared task")
    if pair.verdict == "equivalent":
        return f"The whole interval lies inside the margin on {seen}: let cost and speed decide."
    if pair.verdict != "undecided":
        limit = (
            "" if pair.material else f" That is below the {wording.margin(result.margin)} that matter to you."
        )
        solved = f"Of {seen}, {pair.a} alone solved {pair.only_a:,} and {pair.b} alone {pair.only_b:,}."
        return solved + limit
    if pair.reason:
        return f"{pair.reason[:1].upper()}{pair.reason[1:].rstrip('.')}."
    if pair.detectable is None:
        return f"{seen[:1].upper()}{seen[1:]} cannot order them."
    return f"These {seen} can only show differences above {wording.points(pair.detectable)}."


def _pair_interval(pair: PairDifference, unit: str = "") -> str:
    if pair.low is None or pair.high is None:
        return "no interval"
    ends = wording.interval(pair.low, pair.high, "points", signed=True, half_width=_half(pair.low, pair.high))
    return f"{ends}{unit}"


def _to_settle(pair: PairDifference) -> str:
    if pair.verdict != "undecided" or pair.tasks_to_settle is None:
        return ""
    more = max(pair.tasks_to_settle - pair.tasks, 0)
    return f"about {wording.count_words(_two_digits(more))} more tasks" if more else ""


def _two_digits(value: int) -> int:
    """A plan is never exact: two leading digits are all it supports."""
    scale: int = 10 ** max(len(str(value)) - 2, 0)
    return round(value / scale) * scale


def forest_title(result: Leaderboard) -> str:
    """What the forest plot shows, as a sentence."""
    first = [score.model for score in result.models if score.possible_best]
    ranked = sum(score.rank is not None for score in result.models)
    if ranked < 2:
        return f"{wording.plural(len(result.models), 'model')} on {wording.plural(result.tasks, 'task')}"
    if len(first) == 1:
        return f"{first[0]} is ahead of all {ranked - 1} others" if ranked > 2 else f"{first[0]} is ahead"
    if len(first) == ranked:
        return f"This set cannot order these {ranked} models: any could be first"
    return f"{len(first)} of {ranked} models could be first"


def matrix_title(result: Leaderboard) -> str:
    """How many pairs are decided, as a sentence."""
    undecided = sum(pair.verdict == "undecided" for pair in result.pairs)
    close = sum(pair.verdict == "equivalent" for pair in result.pairs)
    differ = len(result.pairs) - undecided - close
    parts = [
        f"{differ} of {wording.plural(len(result.pairs), 'pair')} {'differs' if differ == 1 else 'differ'}"
    ]
    parts += [f"{close} within the margin"] if close else []
    parts += [f"{undecided} undecided"] if undecided else []
    return "; ".join(parts)
