"""Which of two contenders varies more from run to run, on the tasks both ran several times."""

from dataclasses import asdict, dataclass

from analysis import wording
from analysis.leaderboard import consistency
from analysis.leaderboard.result import Consistency
from analysis.results import Finding, Status
from answers.base import Answer, Column, Fact, Headline, Question, Table
from answers.evals import choose_one, read_evals
from answers.parameters import Parameters, parameter
from data import provenance
from data.errors import InputError
from data.store import Store


@dataclass(frozen=True, kw_only=True)
class ConsistencyParameters(Parameters):
    """What can be asked about the run noise of two contenders."""

    benchmark: str = parameter(help="the benchmark, as named in the files")
    a: str = parameter(help="one contender")
    b: str = parameter(help="the other contender")
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of the interval"
    )
    metric: str | None = parameter(default=None, help="which metric, where the files have several")


def ask(store: Store, parameters: ConsistencyParameters) -> Answer:
    """Compare the variance between runs of two contenders.

    Raises:
        InputError: the benchmark or a contender is not loaded, or both are one.
    """
    evals = read_evals(store, parameters.benchmark, metric=parameters.metric)
    a, b = (choose_one(evals, name) for name in (parameters.a, parameters.b))
    if a == b:
        raise InputError(f"--a and --b both name {a!r}; give two contenders")
    result = consistency(evals.cells, a, b, confidence=parameters.confidence)
    payload = asdict(result)
    return Answer(
        question=QUESTION.name,
        asked=f"Does {a} or {b} vary more from run to run on {parameters.benchmark}?",
        parameters=parameters,
        headline=_headline(result, parameters.confidence),
        findings=_findings(result),
        payload=payload | {"steadier": _steadier(result)},
        tables=(_table(result),),
        figures=(),
        sources=provenance.sources(store, parameters.benchmark, (a, b)),
        fingerprint=provenance.fingerprint(store, parameters.benchmark),
        method=(
            "The mean over tasks both ran at least twice of the variance between runs of one less that of "
            "the other, with clustered errors and t over clusters."
        ),
        revision=store.revision,
        result=result,
    )


def _steadier(result: Consistency) -> str | None:
    """The contender that varies less, where the interval says so."""
    if result.low is None or result.high is None:
        return None
    return result.b if result.low > 0 else result.a if result.high < 0 else None


def _headline(result: Consistency, confidence: float) -> Headline:
    if result.difference is None:
        return Headline(
            "unknown",
            "Run noise unknown",
            f"{result.a} and {result.b} share no task that both ran twice.",
            "Two runs of some tasks with both would show it.",
            (),
        )
    facts = (
        Fact("Difference of variances", wording.number(result.difference, _half(result), signed=True)),
        Fact(f"{wording.level(confidence)} interval", _interval(result)),
        Fact("Tasks both repeated", wording.count(result.tasks)),
        Fact("p", wording.p_number(result.p)),
    )
    status: Status = "undecided"
    steadier = _steadier(result)
    if steadier is not None:
        other = result.a if steadier == result.b else result.b
        sentence = f"{steadier} varies less from run to run than {other}."
        return Headline("good", "Steadier", sentence, "", facts)
    sentence = f"Whether {result.a} or {result.b} varies more from run to run is undecided."
    return Headline(status, "Undecided", sentence, "", facts)


def _half(result: Consistency) -> float | None:
    return None if result.low is None or result.high is None else (result.high - result.low) / 2


def _interval(result: Consistency) -> str:
    if result.low is None or result.high is None:
        return "no interval"
    return wording.interval(result.low, result.high, "number", signed=True)


def _findings(result: Consistency) -> tuple[Finding, ...]:
    if result.difference is None:
        return (
            Finding("unknown", "Run noise is unknown.", "No task has two scored runs of both contenders."),
        )
    if result.se is None or result.se == 0:
        return (
            Finding(
                "unknown",
                f"{wording.plural(result.tasks, 'repeated task')} show no spread to judge by.",
                "An interval needs at least two clusters whose variances differ.",
            ),
        )
    return ()


def _table(result: Consistency) -> Table:
    columns = (
        Column("a", "Model"),
        Column("b", "Against"),
        Column("difference", "Variance between runs, difference", "number", "first minus second"),
        Column("low", "Interval from", "number"),
        Column("high", "Interval to", "number"),
        Column("p", "p", "p"),
        Column("tasks", "Tasks both repeated", "count"),
        Column("clusters", "Clusters", "count"),
    )
    row = tuple(getattr(result, column.name) for column in columns)
    return Table("consistency", "Variance between runs", columns, (row,))


QUESTION = Question(
    name="consistency",
    title="Compare the run noise of two models.",
    parameters=ConsistencyParameters,
    compute=ask,
    fingerprint=lambda store, parameters: provenance.fingerprint(store, parameters.benchmark),
)
