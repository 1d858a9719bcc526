"""The means that an Inspect log states in its results block, as published scores."""

import math
from collections.abc import Mapping
from typing import Any

from data.importing.formats.inspect_log import Log
from data.importing.formats.inspect_scores import published_scores
from data.importing.formats.inspect_text import clean

COLUMNS = ("benchmark", "model", "provider", "metric", "score", "stderr", "n_tasks", "date")
_MEANS = ("accuracy", "mean")


def published_rows(log: Log) -> tuple[tuple[str | None, ...], ...]:
    """One row (``COLUMNS``) for each scorer whose results hold an accuracy or a mean from 0 to 1.

    ``n_tasks`` counts tasks: finished samples divided by epochs.
    """
    spec = log.spec
    model = clean(spec.get("model") or "")
    provider = model.split("/", 1)[0] if "/" in model else None
    rows: list[tuple[str | None, ...]] = []
    for score in published_scores(log.header):
        values = _values(score.get("metrics"))
        mean = next((values[name] for name in _MEANS if name in values), None)
        if mean is None or not 0 <= mean <= 1:
            continue
        error = values.get("stderr")
        rows.append(
            (
                clean(spec.get("task") or ""),
                model,
                provider,
                _metric(score),
                repr(mean),
                None if error is None or error <= 0 else repr(error),
                _tasks(log, score),
                clean(spec.get("created") or "")[:10] or None,
            )
        )
    return tuple(rows)


def _values(metrics: Any) -> dict[str, float]:
    if not isinstance(metrics, Mapping):
        return {}
    return {
        clean(name): float(metric["value"])
        for name, metric in metrics.items()
        if isinstance(metric, Mapping)
        and isinstance(metric.get("value"), (int, float))
        and math.isfinite(metric["value"])
    }


def _metric(score: Mapping[str, Any]) -> str:
    name, scorer = clean(score.get("name") or ""), clean(score.get("scorer") or "")
    return f"{scorer}/{name}" if scorer and name and scorer != name else name or scorer


def _tasks(log: Log, score: Mapping[str, Any]) -> str | None:
    results, config = log.header.get("results"), log.spec.get("config")
    finished = score.get("scored_samples")
    if not isinstance(finished, int) and isinstance(results, Mapping):
        finished = results.get("completed_samples")
    epochs = config.get("epochs") if isinstance(config, Mapping) else None
    if not isinstance(finished, int) or finished <= 0:
        return None
    return str(max(finished // (epochs if isinstance(epochs, int) and epochs > 0 else 1), 1))
