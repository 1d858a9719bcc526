"""Small files loaded as a person would, for tests of answers."""

import csv
import io

from data.importing import ImportOptions, import_files


def text_of(rows):
    """Rows of dicts as CSV; None is an empty cell."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def load(store, folder, kind, rows, name="given.csv"):
    """Import ``rows`` as one file of ``kind`` under benchmark b."""
    path = folder / name
    path.write_text(text_of(rows), encoding="utf-8")
    return import_files(store, [path], ImportOptions(kind, None, {}, {"benchmark": "b"}))


def evals(outcomes, **by_task):
    """Rows of evals from {model: {task: [score, ...]}}; ``by_task`` maps a field to {task: value}."""
    return [
        {
            "model": model,
            "task_id": task,
            "run": run,
            "score": score,
            **{field: values[task] for field, values in by_task.items()},
        }
        for model, tasks in outcomes.items()
        for task, scores in tasks.items()
        for run, score in enumerate(scores)
    ]
