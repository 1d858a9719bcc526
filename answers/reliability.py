"""How much of a score is luck of the run: pass^k, pass@k and the split of variance, for one contender."""

from dataclasses import dataclass
from typing import Any

from analysis import wording
from analysis.figures import Line, Lines
from analysis.leaderboard import reliability
from analysis.leaderboard.result import Reliability
from analysis.results import Status, ordered
from answers.base import Answer, Column, Fact, Headline, Question, Table
from answers.evals import choose_one, read_evals
from answers.parameters import Parameters, parameter
from data import provenance, queries
from data.store import Store

#: pass^k beyond the runs at hand is undefined; asking for more than this is a slip.
MOST_RUNS = 1000


@dataclass(frozen=True, kw_only=True)
class ReliabilityParameters(Parameters):
    """What can be asked about the run noise of one contender."""

    benchmark: str = parameter(help="the benchmark, as named in the files")
    model: str = parameter(help="the model or contender")
    k: int | None = parameter(
        default=None,
        low=1,
        high=MOST_RUNS,
        unit="runs",
        help="up to how many runs in a row (default: all there are)",
    )
    metric: str | None = parameter(default=None, help="which metric, where the files have several")


def ask(store: Store, parameters: ReliabilityParameters) -> Answer:
    """Split the score of one contender into what repeats and what does not.

    Raises:
        InputError: the benchmark, the model or the metric is not loaded, or the model has several variants.
    """
    evals = read_evals(store, parameters.benchmark, metric=parameters.metric)
    chosen = choose_one(evals, parameters.model)
    means = queries.eval_run_means(store, parameters.benchmark, metric=parameters.metric)
    runs = means[means["contender"] == chosen]
    result = reliability(
        evals.cells,
        chosen,
        parameters.k,
        run_means=tuple(zip(runs["run"], runs["mean"], runs["tasks"].astype(int), strict=True)),
    )
    return Answer(
        question=QUESTION.name,
        asked=f"Does {chosen} solve a task of {parameters.benchmark} in every run?",
        parameters=parameters,
        headline=_headline(result, parameters.benchmark),
        findings=ordered(result.findings),
        payload=payload(result),
        tables=(_table(result),),
        figures=_figures(result),
        sources=provenance.sources(store, parameters.benchmark, (chosen,)),
        fingerprint=provenance.fingerprint(store, parameters.benchmark),
        method=(
            "pass^k is the mean over tasks of C(c, k) / C(r, k), pass@k of 1 - C(r - c, k) / C(r, k), for c "
            "solved of r runs; a task with fewer than k runs is left out and counted. The variance within "
            "tasks is the mean over tasks of the variance between runs."
        ),
        revision=store.revision,
        result=result,
    )


def payload(result: Reliability) -> dict[str, Any]:
    """The JSON object of the headless contract."""
    return {
        "model": result.model,
        "pass_hat_k": {str(k): value for k, value in result.pass_hat_k.items()},
        "pass_at_k": {str(k): value for k, value in result.pass_at_k.items()},
        "pass_hat_k_se": {str(k): value for k, value in result.pass_hat_k_se.items()},
        "pass_at_k_se": {str(k): value for k, value in result.pass_at_k_se.items()},
        "tasks_with_k_runs": {str(k): count for k, count in result.tasks_with_k_runs.items()},
        "within": result.within,
        "between": result.between,
        "flip_share": result.flip_share,
        "tasks": result.tasks,
        "runs_per_task": result.runs_per_task,
        "run_means": [{"run": run, "mean": mean, "tasks": tasks} for run, mean, tasks in result.run_means],
    }


def _headline(result: Reliability, benchmark: str) -> Headline:
    status, word, sentence = _verdict(result, benchmark)
    most = max(_usable(result), default=None)
    facts = (
        Fact("Tasks", wording.count(result.tasks)),
        Fact("Runs a task", wording.number(result.runs_per_task)),
        *((Fact(f"Solved {most} times of {most}", wording.share(result.pass_hat_k[most])),) if most else ()),
    )
    return Headline(status, word, sentence, "", facts)


def _verdict(result: Reliability, benchmark: str) -> tuple[Status, str, str]:
    if result.flip_share is None:
        return (
            "unknown",
            "Run noise unknown",
            f"{result.model} ran each task of {benchmark} once: run noise is unknown.",
        )
    flips = wording.share(result.flip_share)
    return (
        "good" if result.flip_share == 0 else "caution",
        "Steady" if result.flip_share == 0 else "Varies",
        f"{flips} of the tasks of {benchmark} are solved in some runs of {result.model}, failed in others.",
    )


def _table(result: Reliability) -> Table:
    columns = (
        Column("k", "Runs", "count"),
        Column("pass_hat_k", "All k solve it", "share", "pass^k"),
        Column("pass_at_k", "Any of k solves it", "share", "pass@k"),
        Column("tasks", "Tasks with k runs", "count"),
    )
    rows = tuple(
        (k, result.pass_hat_k[k], result.pass_at_k[k], result.tasks_with_k_runs[k]) for k in result.pass_hat_k
    )
    return Table("reliability", "Solved every time, solved at least once", columns, rows)


def _usable(result: Reliability) -> list[int]:
    """The k that rest on at least half of the tasks: beyond, other tasks are compared, not more runs."""
    return [
        k
        for k, value in result.pass_hat_k.items()
        if value is not None and 2 * result.tasks_with_k_runs[k] >= result.tasks
    ]


def _figures(result: Reliability) -> tuple[Lines, ...]:
    drawn = _usable(result)
    if len(drawn) < 2:
        return ()
    known = {k: result.pass_hat_k[k] for k in drawn}
    any_of = {k: result.pass_at_k[k] for k in drawn}
    most = max(drawn)
    every, one = wording.share(known[most]), wording.share(known[1])
    title = f"All of {most} runs solve {every} of tasks, a single run {one}"
    return (
        Lines(
            name="runs",
            title=title,
            subtitle="Share of tasks that all of k runs solve (pass^k) and that any of them solves (pass@k).",
            lines=(
                Line("any of k", tuple(map(float, any_of)), tuple(any_of.values())),
                Line("all of k", tuple(map(float, known)), tuple(known.values()), main=True),
            ),
            x_title="Runs k",
            x_unit="count",
            y_unit="share",
            takeaway=f"{title}.",
        ),
    )


QUESTION = Question(
    name="reliability",
    title="Run noise of one model: pass^k, pass@k, within and between tasks.",
    parameters=ReliabilityParameters,
    compute=ask,
    fingerprint=lambda store, parameters: provenance.fingerprint(store, parameters.benchmark),
)
