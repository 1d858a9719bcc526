"""Answers of the leaderboard made from stated scores, and records made of them, without a store."""

from dataclasses import asdict, dataclass

from analysis import wording
from analysis.figures import Forest, ForestRow, PairMatrix, PairTile
from analysis.leaderboard.result import ModelScore, PairDifference
from analysis.results import Finding
from answers.base import Answer, Column, Fact, Headline, Table
from answers.parameters import Parameters, parameter
from data.sources import SourceFile
from report.evidence import PinState, from_answer
from report.options import boards, match_option
from report.record import Choice, compose

NOW = "2026-11-29T10:14:00Z"
ASTER = ("Aster 5", "Borealis L", "Aster 4", "Cedar 70B", "Ember 2", "Dune mini")
SHA = "9f2c07d1" + "a5" * 26 + "41ab"


@dataclass(frozen=True, kw_only=True)
class BoardParameters(Parameters):
    benchmark: str = parameter(help="benchmark")
    model: tuple[str, ...] = parameter(default=(), help="models")
    baseline: str | None = parameter(default=None, help="baseline")
    margin: float = parameter(default=0.02, help="margin")
    confidence: float = parameter(default=0.95, help="confidence")
    correction: str = parameter(default="max-t", help="correction")


def score(name, rank, mean, half=0.037, *, cost=0.31, leading=False, tasks=300):
    known = mean is not None
    return ModelScore(
        model=name,
        mean=mean,
        se=half / 1.96 if known else None,
        low=mean - half if known else None,
        high=mean + half if known else None,
        interval_method="t over clusters",
        se_rerun=None,
        tasks=tasks,
        clusters=84,
        rows=tasks * 3,
        unscored_rows=0,
        runs_per_task=3.0,
        within=0.05,
        between=0.17,
        flip_share=0.21,
        design_effect=1.4,
        effective_tasks=214.0,
        rank=rank if known else None,
        rank_low=max(1, rank - 1) if known else None,
        rank_high=rank + 1 if known else None,
        tier="AABCCD"[min(rank - 1, 5)] if known else None,
        possible_best=leading,
        shrunk=mean,
        mean_rows=mean,
        complete=True,
        cost_per_task=cost,
        currency=None if cost is None else "USD",
        unknown_cost_rows=900 if cost is None else 0,
        output_tokens_per_success=18423.5,
        latency_ms=None,
    )


def pair(first, second, half=0.035, *, tasks=298):
    known = first.mean is not None and second.mean is not None
    gap = first.mean - second.mean if known else None
    verdict = "undecided" if not known or abs(gap) < half else "better" if gap > 0 else "worse"
    return PairDifference(
        a=first.model,
        b=second.model,
        difference=gap,
        se=half / 2.3 if known else None,
        low=gap - half if known else None,
        high=gap + half if known else None,
        p=0.001 if known else None,
        p_adjusted=0.004 if known else None,
        tasks=tasks if known else 0,
        clusters=84,
        both=150,
        only_a=40,
        only_b=22,
        neither=86,
        correlation=0.6,
        se_unpaired=0.03,
        detectable=0.051,
        tasks_to_settle=1150 if verdict == "undecided" else None,
        verdict=verdict,
        material=True,
        method="paired t over 84 clusters",
        reason="" if known else "share no scored task",
    )


def table(name, title, columns, items):
    return Table(name, title, columns, tuple(tuple(getattr(i, c.name) for c in columns) for i in items))


MODEL_COLUMNS = (
    Column("model", "Model"),
    Column("mean", "Solved", "share"),
    Column("low", "Interval from", "share"),
    Column("high", "Interval to", "share"),
    Column("cost_per_task", "Cost per task", "money"),
)
PAIR_COLUMNS = (
    Column("a", "Model"),
    Column("b", "Against"),
    Column("difference", "Difference", "points"),
    Column("verdict", "Verdict"),
)


def board_answer(
    names=ASTER,
    means=None,
    *,
    benchmark="repo-tasks",
    baseline=None,
    costs=None,
    findings=None,
    file="metr_runs.csv",
    fingerprint="data-1",
    figures=True,
    leading=2,
):
    """An answer of the leaderboard; the first ``leading`` contenders may be the best."""
    means = [0.684 - 0.021 * place for place in range(len(names))] if means is None else means
    costs = [0.31 + 0.05 * place for place in range(len(names))] if costs is None else costs
    scores = [
        score(name, place + 1, mean, cost=cost, leading=place < leading)
        for place, (name, mean, cost) in enumerate(zip(names, means, costs, strict=True))
    ]
    pairs = [pair(a, b) for i, a in enumerate(scores) for b in scores[i + 1 :]]
    if baseline is not None:
        base = next(s for s in scores if s.model == baseline)
        pairs = [pair(other, base) for other in scores if other.model != baseline]
    decided = next((p for p in pairs if p.difference is not None), None)
    payload = {
        "benchmark": benchmark,
        "models": [asdict(s) for s in scores],
        "pairs": [asdict(p) for p in pairs],
        "tasks": 300,
        "clusters": 84,
        "seed": 1,
    }
    return Answer(
        question="leaderboard",
        asked=f"Which model solves the most tasks of {benchmark}?",
        parameters=BoardParameters(benchmark=benchmark, baseline=baseline),
        headline=card(decided, scores[0]),
        findings=FINDINGS if findings is None else findings,
        payload=payload,
        tables=(
            table("models", "Scores", MODEL_COLUMNS, scores),
            table("pairs", "Pairs", PAIR_COLUMNS, pairs),
        ),
        figures=(forest_of(scores, baseline), matrix_of(scores, pairs)) if figures else (),
        sources=(source(file),),
        fingerprint=fingerprint,
        method="Paired difference of task means, errors clustered by task family, max-t over all pairs.",
        revision=3,
        result=None,
    )


def card(decided, first):
    if decided is None:
        solved = wording.share(first.mean)
        facts = (Fact("Tasks", "300"),)
        return Headline(
            "unknown", "Nothing to compare", f"{first.model} solves {solved}.", "", facts, solved, "of tasks"
        )
    half = (decided.high - decided.low) / 2
    gap = wording.points_number(decided.difference, half)
    between = wording.interval(decided.low, decided.high, "points", signed=True)
    status, word = ("good", "Better") if decided.verdict == "better" else ("undecided", "Undecided")
    facts = [Fact("Interval", f"{between} points"), Fact("Paired tasks", "298 of 300")]
    if status == "undecided":
        facts.append(Fact("To settle it", "about 1,150 tasks"))
    return Headline(
        status,
        word,
        f"{decided.a} against {decided.b} stands at {gap} points ({between}).",
        "298 paired tasks in 84 clusters.",
        tuple(facts),
        gap,
        f"points, {between}",
    )


FINDINGS = (
    Finding(
        "caution", "11 rows were set aside; they carry no score.", "the file marks them as failed to start"
    ),
    Finding(
        "undecided",
        "Aster 5 against Borealis L is undecided at +2.1 points.",
        "about 1,150 tasks would settle it",
    ),
)


def forest_of(scores, baseline):
    rows = tuple(
        ForestRow(
            label=s.model,
            value=s.mean,
            low=s.low,
            high=s.high,
            columns=(
                wording.share(s.mean),
                wording.interval(s.low, s.high, "share"),
                wording.rank_range(s.rank_low, s.rank_high),
            ),
            band=s.tier or "",
            model=s.model,
        )
        for s in scores
    )
    base = next((s.mean for s in scores if s.model == baseline), None)
    return Forest(
        name="scores",
        title=f"{scores[0].model} leads on 300 tasks",
        subtitle="Dot: share of tasks solved. Line: 95% interval over 84 clusters.",
        rows=rows,
        headers=("Solved", "95% interval", "Rank"),
        unit="share",
        axis_title="Tasks solved",
        reference=base,
        reference_label="" if base is None else "baseline",
        highlight=scores[0].model,
        takeaway=f"{scores[0].model} leads on 300 tasks. It solves {wording.share(scores[0].mean)}.",
    )


def matrix_of(scores, pairs):
    tiles = tuple(PairTile(p.a, p.b, p.difference, p.low, p.high, p.verdict) for p in pairs)
    return PairMatrix("pairs", "Pairs", "Row minus column.", tuple(s.model for s in scores), tiles)


def source(file="metr_runs.csv", batch=1, sha256=SHA):
    return SourceFile(batch, file, sha256, "evals", "csv", 5411, 5400, 11, 0, 0, "2026-11-29T09:00:00Z")


def made_record(*answers, choice="Move to Aster 5", stale=(), option=None, **fields):
    """A record of ``answers``, as ``record`` would make it."""
    pins = [
        PinState(from_answer(one, NOW), stale=place in stale)
        for place, one in enumerate(answers or (board_answer(leading=1),))
    ]
    names = [found.name for board in boards([pin.evidence for pin in pins]) for found in board.options]
    said = {name: fields.pop(name, "") for name in ("reasons", "decided_by", "consulted")}
    return compose(
        pins,
        record_id="2026-014",
        created=NOW,
        title=fields.pop("title", pins[0].evidence.asked),
        profile=fields.pop("profile", None),
        choice=Choice(text=choice, option=option or match_option(choice, names), differs=None, **said),
        **fields,
    )
