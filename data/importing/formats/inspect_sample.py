"""One sample of an Inspect log, reduced to what an evaluation needs; all schema ages give the same record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from data.importing.formats.inspect_text import clean, identifier, path_value
from data.importing.formats.inspect_usage import add_usage

UNNAMED_SCORER = "88F74D2C"  # what Inspect calls the one score of logs from before scorers had names
_SCALARS = (str, int, float, bool)


@dataclass(frozen=True)
class Sample:
    """A sample without its transcript.

    ``scores`` maps scorer to raw value. ``usage`` and ``roles`` map model and role to a raw ``ModelUsage``.
    ``turns`` is None where unknown. Times are seconds, as in the log. ``extra`` holds values asked for by
    path.
    """

    sample_id: str
    epoch: int
    scores: Mapping[str, Any]
    metadata: Mapping[str, Any]
    usage: Mapping[str, Mapping[str, Any]]
    roles: Mapping[str, Mapping[str, Any]]
    turns: int | None
    started_at: str
    total_time: float | None
    working_time: float | None
    error: str
    limit: str
    invalidated: bool
    extra: Mapping[str, str]


def read_sample(record: Mapping[str, Any], paths: Iterable[str] = ()) -> Sample | None:
    """A sample or a sample's summary as written by any version; None without an id.

    ``paths`` are dotted paths into the record (``metadata.category``) whose values are kept in ``extra``.
    """
    sample_id = record.get("id")
    if sample_id is None or isinstance(sample_id, (dict, list)):
        return None
    epoch = record.get("epoch", 1)
    error = record.get("error")
    limit = record.get("limit")
    turns = record.get("turn_count")
    return Sample(
        sample_id=identifier(sample_id),
        epoch=epoch if isinstance(epoch, int) and not isinstance(epoch, bool) else 1,
        scores=_scores(record),
        metadata={
            clean(key): value
            for key, value in _mapping(record.get("metadata")).items()
            if isinstance(value, _SCALARS) and not (isinstance(value, str) and len(value) > 2000)
        },
        usage=_usage(record),
        roles=_usages(record.get("role_usage")),
        turns=turns if isinstance(turns, int) and turns > 0 else _count_turns(record.get("messages")),
        started_at=clean(record.get("started_at") or ""),
        total_time=_seconds(record.get("total_time")),
        working_time=_seconds(record.get("working_time")),
        error=clean(error.get("message") if isinstance(error, dict) else error or "")[:300],
        limit=clean(limit.get("type") if isinstance(limit, dict) else limit or "")[:40],
        invalidated=record.get("invalidation") is not None,
        extra={path: clean(value) for path in paths if (value := path_value(record, path)) is not None},
    )


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _scores(record: Mapping[str, Any]) -> dict[str, Any]:
    scores = record.get("scores")
    if not isinstance(scores, dict):
        scores = {UNNAMED_SCORER: record["score"]} if isinstance(record.get("score"), dict) else {}
    return {clean(name): score.get("value") for name, score in scores.items() if isinstance(score, dict)}


def _usages(value: Any) -> dict[str, dict[str, Any]]:
    return {clean(name): usage for name, usage in _mapping(value).items() if isinstance(usage, dict)}


def _usage(record: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Usage by model: the sample's own sums, else (before November 2024) the sum over its model calls.

    A call that Inspect answered from its own cache cost nothing and is left out.
    """
    usage = _usages(record.get("model_usage"))
    if usage:
        return usage
    events = record.get("events")
    if not isinstance(events, list):
        events = _mapping(record.get("transcript")).get("events")
    summed: dict[str, dict[str, Any]] = {}
    for event in events if isinstance(events, list) else ():
        if not isinstance(event, dict) or event.get("event") != "model" or event.get("cache") == "read":
            continue
        used = _mapping(event.get("output")).get("usage")
        if isinstance(used, dict):
            model = clean(event.get("model") or "")
            summed[model] = add_usage(summed.get(model, {}), used)
    return summed


def _count_turns(messages: Any) -> int | None:
    if not isinstance(messages, list):
        return None
    answers = sum(isinstance(message, dict) and message.get("role") == "assistant" for message in messages)
    return answers or None


def _seconds(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if 0 <= value < 1e9 else None
