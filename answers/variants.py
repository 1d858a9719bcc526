"""What changed between the logs of one model's variants, said before any verdict on them."""

from itertools import combinations

from analysis import wording
from analysis.results import Finding
from answers.base import Column, Table
from answers.evals import Evals
from data import queries
from data.store import Store

#: More pairs of variants than this are named, not spelled out.
MOST_PAIRS = 6


def changed_settings(
    store: Store, benchmark: str, contenders: tuple[str, ...], evals: Evals
) -> tuple[Table, ...]:
    """One table a pair of variants of one model: setting, value in the first, value in the second."""
    model_of = dict(zip(evals.contenders, evals.models, strict=True))
    pairs = [(a, b) for a, b in combinations(contenders, 2) if model_of[a] == model_of[b]]
    changes = []
    for first, second in pairs[:MOST_PAIRS]:
        rows = queries.benchmark_settings_difference(store, benchmark, first, second)
        if rows:
            columns = (Column("setting", "Setting"), Column("a", first), Column("b", second))
            title = f"What changed between {first} and {second}"
            changes.append(Table("changes", title, columns, tuple(tuple(row) for row in rows)))
    return tuple(changes)


def settings_findings(changes: tuple[Table, ...]) -> tuple[Finding, ...]:
    """A caution for each pair of variants whose settings differ: the gap may be theirs, not the model's."""
    findings = []
    for table in changes:
        first, second = table.columns[1].label, table.columns[2].label
        settings = wording.sentence_list([str(row[0]) for row in table.rows], most=4)
        findings.append(
            Finding(
                "caution",
                f"{first} and {second} were run with different settings: {settings}.",
                "a difference between them may come from the settings",
            )
        )
    return tuple(findings)
