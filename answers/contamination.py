"""Does a model do better on public tasks than its peers do: a sign that it has seen them."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from analysis import wording
from analysis.figures import Forest, ForestRow
from analysis.leaderboard.contamination import Contamination, Excess, contamination
from answers.base import Answer, Column, Fact, Headline, Question, Table
from answers.evals import choose_contenders, read_evals
from answers.parameters import Parameters, parameter
from data import provenance
from data.errors import InputError
from data.store import Store


@dataclass(frozen=True, kw_only=True)
class ContaminationParameters(Parameters):
    """What can be asked about public against private tasks."""

    benchmark: str = parameter(help="the benchmark, as named in the files")
    public: str = parameter(default="public", help="the split everyone may have seen")
    private: str = parameter(default="private", help="the split nobody outside has seen")
    reference: tuple[str, ...] = parameter(
        default=(), help="models taken to be clean (default: each model against all others)"
    )
    confidence: float = parameter(
        default=0.95, low=0.5, high=1.0, open_bounds=True, unit="share", help="confidence of every test"
    )
    metric: str | None = parameter(default=None, help="which metric, where the files have several")


def ask(store: Store, parameters: ContaminationParameters) -> Answer:
    """Compare public with private tasks.

    Raises:
        InputError: the benchmark, a split or a reference is not loaded.
    """
    evals = read_evals(store, parameters.benchmark, metric=parameters.metric)
    splits = sorted({split for split in evals.cells.splits if split is not None})
    for flag, split in (("--public", parameters.public), ("--private", parameters.private)):
        if split not in splits:
            listed = f"it has: {', '.join(splits[:8])}" if splits else "its files name no splits"
            raise InputError(f"{flag} {split!r} is no split of benchmark {parameters.benchmark!r}; {listed}")
    if parameters.public == parameters.private:
        raise InputError("--public and --private name one split; they must differ")
    result = contamination(
        evals.cells,
        public=parameters.public,
        private=parameters.private,
        references=choose_contenders(evals, parameters.reference),
        confidence=parameters.confidence,
    )
    return Answer(
        question=QUESTION.name,
        asked=f"Has a model seen the public tasks of {parameters.benchmark}?",
        parameters=parameters,
        headline=_headline(result),
        findings=result.findings,
        payload=_payload(result),
        tables=(_table(result),),
        figures=_figures(result),
        sources=provenance.sources(store, parameters.benchmark, None),
        fingerprint=provenance.fingerprint(store, parameters.benchmark),
        method=(
            "Excess gap = (public minus private) of a model less that of its references on those tasks; "
            "one-sided test with clustered errors, Holm over models. It shows a pattern that contamination "
            "or over-tuning would leave, not its cause."
        ),
        revision=store.revision,
        result=result,
    )


def _payload(result: Contamination) -> dict[str, Any]:
    found = asdict(replace(result, findings=()))
    found.pop("findings")
    return found


def _headline(result: Contamination) -> Headline:
    tested = [one for one in result.models if one.excess is not None]
    if not tested:
        return Headline(
            "unknown",
            "Cannot be told",
            "No model has enough public and private tasks beside others.",
            result.findings[0].text if result.findings else "",
            (),
        )
    first = tested[0]
    facts = (
        Fact("Public tasks", wording.count(first.public_tasks)),
        Fact("Private tasks", wording.count(first.private_tasks)),
        Fact("Could have seen", wording.points(first.detectable)),
    )
    suspects = [one for one in tested if one.suspicious]
    if suspects:
        worst = suspects[0]
        return Headline(
            "caution",
            "Public tasks stand out",
            f"{worst.model} gains {wording.points(worst.excess)} more on public tasks than its peers.",
            "That is consistent with contamination or over-tuning; other causes are possible.",
            facts,
        )
    return Headline(
        "undecided",
        "Nothing stands out",
        "No model gains more on public tasks than this file can tell from chance.",
        _limit(first),
        facts,
    )


def _limit(first: Excess) -> str:
    if first.detectable is None:
        return ""
    return f"An excess below {wording.points(first.detectable)} would mostly stay unseen."


def _table(result: Contamination) -> Table:
    columns = (
        Column("model", "Model"),
        Column("public", "Public", "share"),
        Column("private", "Private", "share"),
        Column("gap", "Gap", "points", "public minus private"),
        Column("excess", "More than its peers", "points", "the part of the gap that peers do not show"),
        Column("se", "Standard error", "spread"),
        Column("p", "p", "p", "one-sided, that the excess is above 0"),
        Column("p_adjusted", "Adjusted p", "p"),
        Column("detectable", "Could have seen", "spread"),
        Column("public_tasks", "Public tasks", "count"),
        Column("private_tasks", "Private tasks", "count"),
    )
    rows = tuple(tuple(getattr(one, column.name) for column in columns) for one in result.models)
    return Table("contamination", "Public against private", columns, rows)


def _figures(result: Contamination) -> tuple[Forest, ...]:
    """Each model's excess with the two-sided interval that matches its one-sided test."""
    tested = [one for one in result.models if one.excess is not None]
    if not tested:
        return ()
    level = wording.level(1 - 2 * (1 - result.confidence))
    suspects = [one.model for one in tested if one.suspicious]
    stand = "stands" if len(suspects) == 1 else "stand"
    title = (
        f"{wording.sentence_list(suspects, most=3)} {stand} out on {result.public} tasks"
        if suspects
        else f"No model stands out on {result.public} tasks beyond chance"
    )
    return (
        Forest(
            name="contamination",
            title=title,
            subtitle=(
                f"Points gained from {result.private} to {result.public} tasks beyond what its peers gain. "
                f"Line: {level} interval."
            ),
            rows=tuple(_row(one, level) for one in tested),
            headers=("More than peers", "Interval", "Adjusted p"),
            unit="points",
            axis_title="Excess gain on public tasks, points",
            reference=0.0,
            reference_label="as its peers",
            takeaway=f"{title}. Largest excess: {tested[0].model}, {wording.points(tested[0].excess)}.",
        ),
    )


def _row(one: Excess, level: str) -> ForestRow:
    low, high = one.low, None
    if one.excess is not None and low is not None:
        high = 2 * one.excess - low
    half = None if one.excess is None or low is None else one.excess - low
    excess = wording.points_number(one.excess, half)
    between = "no interval"
    if low is not None and high is not None:
        between = wording.interval(low, high, "points", signed=True, half_width=half)
    return ForestRow(
        label=one.model,
        value=one.excess,
        low=low,
        high=high,
        columns=(excess, between, wording.p_number(one.p_adjusted)),
        model=one.model,
        hover=f"excess {excess} points; {level} interval {between}",
    )


QUESTION = Question(
    name="contamination",
    title="Compare public with private tasks: does a model stand out?",
    parameters=ContaminationParameters,
    compute=ask,
    fingerprint=lambda store, parameters: provenance.fingerprint(store, parameters.benchmark),
)
