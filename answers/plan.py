"""How many tasks, runs and how much money tell two contenders apart, from the variance measured so far."""

import math
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from analysis import wording
from analysis.figures import Line, Lines
from analysis.leaderboard.planner import Plan, plan
from analysis.leaderboard.reach import reach
from analysis.statistics.cells import Cells
from answers.base import Answer, Column, Fact, Headline, Question, Table
from answers.evals import choose_one, read_evals
from answers.parameters import Parameters, parameter
from data import provenance
from data.errors import InputError
from data.store import Store


@dataclass(frozen=True, kw_only=True)
class PlanParameters(Parameters):
    """What can be asked of the planner."""

    benchmark: str = parameter(help="the benchmark, as named in the files")
    a: str = parameter(help="one contender")
    b: str = parameter(help="the other contender")
    difference: float | None = parameter(
        default=None, low=-1.0, high=1.0, unit="share", help="the true gap you want to be able to show"
    )
    runs: int | None = parameter(
        default=None, low=1, high=1000, help="runs of each task (default: as loaded)"
    )
    cost_per_task: float | None = parameter(
        default=None, low=0.0, help="money for writing or owning one more task"
    )
    cost_per_run: float | None = parameter(
        default=None,
        low=0.0,
        help="money for one more run of both (default: from the loaded costs, if known)",
    )
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of the verdict"
    )
    power: float = parameter(
        default=0.8, low=0.5, high=1.0, open_bounds=True, unit="share", help="share of such gaps to be found"
    )
    comparisons: int = parameter(default=1, low=1, high=100_000, help="how many verdicts share the error")
    metric: str | None = parameter(default=None, help="which metric, where the files have several")


def ask(store: Store, parameters: PlanParameters) -> Answer:
    """Plan the next evaluation of two contenders.

    Raises:
        InputError: the benchmark or a contender is not loaded, both are one, or the difference is 0.
    """
    evals = read_evals(store, parameters.benchmark, metric=parameters.metric)
    a, b = (choose_one(evals, name) for name in (parameters.a, parameters.b))
    if a == b:
        raise InputError(f"--a and --b both name {a!r}; give two contenders")
    if parameters.difference == 0:
        raise InputError("--difference must not be 0: no number of tasks shows a gap of nothing")
    measured, currency = _measured_cost(evals.cells, a, b)
    cost_per_run = measured if parameters.cost_per_run is None else parameters.cost_per_run
    settings: dict[str, Any] = {
        "difference": parameters.difference,
        "confidence": parameters.confidence,
        "power": parameters.power,
        "comparisons": parameters.comparisons,
        "cost_per_task": parameters.cost_per_task,
        "cost_per_run": cost_per_run,
    }
    result = plan(evals.cells, a, b, runs=parameters.runs, **settings)
    return Answer(
        question=QUESTION.name,
        asked=f"What would tell {a} from {b} on {parameters.benchmark}?",
        parameters=parameters,
        headline=_headline(result, cost_per_run, currency),
        findings=result.findings,
        payload=payload(result, cost_per_run, currency),
        tables=(_table(result),),
        figures=_figures(result),
        sources=provenance.sources(store, parameters.benchmark, (a, b)),
        fingerprint=provenance.fingerprint(store, parameters.benchmark),
        method=(
            f"n = (z + z)² (ω² + σ²a/K + σ²b/K) · design effect / difference², with variances measured on "
            f"{wording.plural(result.tasks, 'shared task')}, {wording.level(result.power)} power and "
            f"{wording.level(result.confidence)} confidence over "
            f"{wording.plural(result.comparisons, 'comparison')}. More runs shrink the noise of runs alone."
        ),
        revision=store.revision,
        result=result,
    )


def _measured_cost(cells: Cells, a: str, b: str) -> tuple[float | None, str | None]:
    """Money for one run of both on one task, where every scored row of both has a cost in one currency."""
    used = cells.resources
    total = 0.0
    currencies = set()
    for name in (a, b):
        row = cells.index(name)
        known, rows = int(used.cost_rows[row].sum()), int(cells.rows[row].sum())
        if known == 0 or known < rows:
            return None, None
        total += float(used.cost[row][used.cost_rows[row] > 0].sum()) / known
        currencies.add(used.currencies[row])
    currency = currencies.pop()
    return (total, currency) if not currencies and currency not in (None, "mixed") else (None, None)


def payload(result: Plan, cost_per_run: float | None, currency: str | None) -> dict[str, Any]:
    """The JSON object of the headless contract."""
    names = [field.name for field in fields(result) if field.name not in ("findings", "curve")]
    curve = [{"runs": runs, "detectable": gap, "tasks_needed": tasks} for runs, gap, tasks in result.curve]
    found = asdict(replace(result, findings=()))
    return {
        **{name: found[name] for name in names},
        "cost_per_run": cost_per_run,
        "cost_of_runs": _cost_of_runs(result, cost_per_run),
        "run_gain": run_gain(result),
        "currency": currency,
        "curve": curve,
    }


def _cost_of_runs(result: Plan, cost_per_run: float | None) -> float | None:
    """Money for the runs alone, where what a task costs is not known."""
    if result.tasks_needed is None or cost_per_run is None:
        return None
    return result.tasks_needed * result.runs * cost_per_run


def run_gain(result: Plan) -> float | None:
    """Share by which one more run of each task narrows what can be seen; None where run noise is unknown."""
    if result.omega2 is None or result.within_a is None or result.within_b is None:
        return None
    noise = result.within_a + result.within_b
    now, then = (result.omega2 + noise / runs for runs in (result.runs, result.runs + 1))
    return 1 - math.sqrt(then / now) if now > 0 else None


def _gain_words(result: Plan) -> str:
    gain = run_gain(result)
    if gain is None:
        return "What a further run of each task would add is unknown: run noise has not been measured."
    if gain < 0.001:
        return "A further run of each task adds nothing: runs hardly vary."
    noise = ((result.within_a or 0.0) + (result.within_b or 0.0)) / result.runs
    tasks = (result.omega2 or 0.0) > noise
    why = "tasks differ more than runs do" if tasks else "most of the spread is luck of the run"
    return f"One more run of each task narrows what can be seen by {wording.share(gain)}: {why}."


def _money_words(result: Plan, cost_per_run: float | None, currency: str | None) -> str:
    if result.cost is not None:
        return f", about {wording.money(result.cost, currency or 'USD')}"
    runs_alone = _cost_of_runs(result, cost_per_run)
    if runs_alone is None:
        return ""
    return f", about {wording.money(runs_alone, currency or 'USD')} for the runs"


def _headline(result: Plan, cost_per_run: float | None, currency: str | None) -> Headline:
    runs = f"{wording.plural(result.runs, 'run')} each"
    if result.detectable is None:
        return Headline(
            "unknown",
            "Too few tasks",
            f"{result.a} and {result.b} leave nothing to plan from at {runs}.",
            result.findings[0].text if result.findings else "",
            (),
        )
    facts = [Fact("Seen today", wording.points(result.detectable))]
    if result.floor is not None:
        facts.append(Fact("Floor with endless runs", wording.points(result.floor)))
    if result.runs_best is not None:
        facts.append(Fact("Cheapest", f"{wording.plural(result.runs_best, 'run')} a task"))
    if result.difference is None or result.tasks_needed is None:
        reach_today = wording.points(result.detectable)
        sentence = f"{wording.plural(result.tasks, 'task')}, {runs}, show gaps above {reach_today}."
        return Headline("undecided", "Reach", sentence, _gain_words(result), tuple(facts))
    gap = wording.margin(abs(result.difference))
    money = _money_words(result, cost_per_run, currency)
    sentence = f"{wording.count(result.tasks_needed)} tasks, {runs}, show a gap of {gap}{money}."
    enough = result.tasks_needed <= result.tasks
    enough_words = "Today's tasks are enough."
    more = f"That is {wording.plural(result.tasks_needed - result.tasks, 'task')} more than today."
    return Headline(
        status="good" if enough else "undecided",
        word="Enough tasks" if enough else "More tasks needed",
        sentence=sentence,
        explanation=f"{enough_words if enough else more} {_gain_words(result)}",
        facts=tuple(facts),
    )


def _table(result: Plan) -> Table:
    columns = (
        Column("runs", "Runs a task", "count"),
        Column("detectable", "Seen with today's tasks", "spread"),
        Column("tasks_needed", "Tasks needed", "count"),
    )
    return Table("plan", "Runs against tasks", columns, result.curve)


def _figures(result: Plan) -> tuple[Lines, ...]:
    seen = {runs: gap for runs, gap, _ in result.curve}
    if result.detectable is not None:
        seen[result.runs] = result.detectable
    needed = max(result.tasks_needed or 0, 6 * result.tasks)
    lines = []
    for runs in sorted({1, result.runs} & set(seen)):
        x, y = zip(*reach(seen[runs], result.tasks, most=min(needed, 50 * result.tasks)), strict=True)
        label = wording.plural(runs, "run")
        lines.append(Line(label, tuple(map(float, x)), tuple(y), main=runs == result.runs))
    if not lines:
        return ()
    gain = (
        result.detectable is not None and result.floor is not None and result.floor > 0.8 * result.detectable
    )
    title = "More tasks help; more runs hardly do" if gain else "More tasks narrow what can be seen"
    return (
        Lines(
            name="reach",
            title=title,
            subtitle=(
                f"Smallest difference, in points, found with {wording.level(result.power)} power at "
                f"{wording.level(result.confidence)} confidence."
            ),
            lines=tuple(lines),
            x_title="Tasks",
            x_unit="count",
            y_unit="points",
            marker=float(result.tasks),
            marker_label=f"today {wording.count(result.tasks)}",
            takeaway=f"{title}. {result.tasks:,} tasks show {wording.points(result.detectable)}.",
        ),
    )


QUESTION = Question(
    name="plan",
    title="Plan tasks, runs and money to tell two models apart.",
    parameters=PlanParameters,
    compute=ask,
    fingerprint=lambda store, parameters: provenance.fingerprint(store, parameters.benchmark),
)
