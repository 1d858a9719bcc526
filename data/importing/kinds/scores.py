"""Published scores: one row a model and benchmark, known only by its number."""

from typing import Final

import duckdb

from data.importing.formats.base import RawTable
from data.importing.kinds import scan
from data.importing.kinds.base import Assignment, Field, Validated
from data.importing.kinds.checking import all_checks, typed
from data.importing.sql import fresh_name

_REQUIRED: Final = ("benchmark", "model", "score")
_TASKS: Final = frozenset(
    (
        *("task_id", "task", "instance_id", "sample_id", "question_id", "question", "problem_id", "item_id"),
        *("run", "epoch", "trial", "attempt", "attempt_no", "passed", "correct", "is_correct", "resolved"),
    )
)

FIELDS: Final = (
    Field(
        "benchmark",
        "Benchmark",
        "Name of the evaluation",
        "gpqa-diamond",
        "yes",
        ("bench", "suite", "benchmark_name", "dataset", "task"),
    ),
    Field("model", "Model", "Name of the model", "aster-5-2026-10", "yes", ("model_name", "name", "system")),
    Field(
        "score",
        "Score",
        "The published number: 0 to 1, or 74.4%",
        "74.4%",
        "yes",
        ("accuracy", "acc", "resolved_pct", "pass_rate", "resolved", "overall", "overall_acc", "result"),
        "share",
    ),
    Field(
        "n_tasks",
        "Tasks",
        "How many tasks stand behind the score",
        "198",
        synonyms=("n", "tasks", "test_cases", "num_tasks", "n_samples", "total"),
        shape="count",
    ),
    Field(
        "stderr",
        "Standard error",
        "Of the score, on the scale of the score",
        "0.031",
        synonyms=("se", "standard_error", "std_err", "acc_stderr"),
        shape="number",
    ),
    Field(
        "date",
        "Date",
        "When the score was published",
        "2026-11-03",
        synonyms=("published", "released"),
        shape="day",
    ),
    Field(
        "metric",
        "Metric",
        "Name of the score where a file holds several",
        "accuracy",
        synonyms=("metric_name",),
    ),
    Field(
        "provider",
        "Provider",
        "Who served the model",
        "anthropic",
        synonyms=("vendor", "org", "organization"),
    ),
    Field("url", "Link", "Where the score was published", "https://example.com", synonyms=("link", "source")),
)


class Scores:
    """Scores somebody else published."""

    name: Final = "scores"
    title: Final = "Published scores"
    fields: Final = FIELDS

    def missing(self, present: frozenset[str]) -> tuple[str, ...]:
        """Benchmark, model and score are needed."""
        return tuple(name for name in _REQUIRED if name not in present)

    def foreign(self, headers: frozenset[str]) -> bool:
        """A row that names a task or a run is an eval result."""
        return bool(headers & _TASKS)

    def validate(self, cursor: duckdb.DuckDBPyConnection, raw: RawTable, chosen: Assignment) -> Validated:
        """Cast and check; a published score without a score is set aside."""
        columns = [
            typed(field, chosen, raw, required=field.name in _REQUIRED)
            for field in FIELDS
            if field.name in chosen.fields
        ]
        checks = list(all_checks(columns))
        kept = {column.name: f"v_{column.name}" for column in columns}
        if "n_tasks" in kept:
            kept["n_tasks"] = "try_cast(v_n_tasks AS BIGINT)"
        if "stderr" in kept and chosen.scale is not None:
            kept["stderr"] = f"v_stderr / {chosen.scale[1] - chosen.scale[0]!r}"
        scanned = scan.scan(cursor, raw, columns, tuple(checks), kept)
        rows = fresh_name("rows")
        cursor.execute(
            f"CREATE TEMP VIEW {rows} AS SELECT * EXCLUDE (position, problem) FROM {scanned.table} "
            "WHERE problem = 0"
        )
        rejects = scan.set_aside(cursor, scanned, chosen.headers, chosen.columns)
        counts = cursor.execute(
            f"SELECT (SELECT count(*) FROM {rows}), (SELECT count(*) FROM {rejects})"
        ).fetchone()
        loaded, rejected = counts or (0, 0)
        return Validated(
            rows_table=rows,
            rejects_table=rejects,
            read=scanned.read,
            loaded=int(loaded),
            rejected=int(rejected),
            duplicate_rows=0,
            reasons=scan.reasons_of(cursor, rejects, checks),
            warnings=(),
        )
