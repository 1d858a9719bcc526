"""What is told about an Inspect log after it was read: one plain line for each thing to know."""

from collections.abc import Mapping, Sequence

from data.importing.formats.inspect_log import Log
from data.importing.formats.inspect_rows import LogRows
from data.importing.formats.inspect_text import clean

_NEVER_FINISHED = {"cancelled": "was cancelled", "error": "stopped with an error", "started": "never ended"}


def warnings_of(log: Log, rows: LogRows) -> tuple[str, ...]:
    """Warnings in the order of their weight; empty for a clean log."""
    facts = rows.facts
    candidates = (
        _unfinished(log, facts.samples - facts.errors),
        facts.errors
        and f"{_samples(facts.errors)} ended with an error: loaded as failed, {_errors_scored(log)}.",
        facts.invalidated and f"{_samples(facts.invalidated)} marked invalid in the log: loaded as unscored.",
        _unscored(rows),
        facts.limits
        and f"{_samples(sum(facts.limits.values()))} stopped by a limit ({_listed(facts.limits)}): "
        "scored as the log did.",
        _metrics(rows),
        facts.no_shares
        and f"Left out, because they are not shares from 0 to 1: {_few(facts.no_shares)}. --metric NAME with "
        "--set scale=LOW..HIGH loads one.",
        _graders(log, rows),
        facts.ambiguous
        and f"{_samples(facts.ambiguous)} where the log does not say whether input tokens include cached "
        "ones: split by the provider's habit.",
        log.newer_schema
        and f"Log schema {log.newer_schema} is newer than the known ones: compare a few scores with the log.",
        log.repeated and f"{_samples(log.repeated)} written more than once: the last one counts.",
        log.unreadable and f"{_samples(log.unreadable)} without an id: set aside.",
    )
    return tuple(text for text in candidates if text)


def published_warnings(log: Log) -> tuple[str, ...]:
    """What to tell when only the means of a log are loaded."""
    state = _NEVER_FINISHED.get(log.status)
    unfinished = f" The run {state}." if state else ""
    held = "holds no samples" if not log.samples else "was read for its means alone"
    loaded = "loaded as published scores, which cannot be compared task by task"
    return (f"The log {held}: {loaded}.{unfinished}",)


def no_samples(log: Log, name: str) -> str:
    """Why a log without samples cannot be loaded."""
    task = clean(log.spec.get("task") or "")[:80]
    return (
        f"{name}: the Inspect log of {task!r} (status {log.status[:20]}) holds no samples, so nothing can be "
        "compared; write it with samples (without --no-log-samples) and import it again"
    )


def _unfinished(log: Log, finished: int) -> str:
    planned = log.planned
    state = _NEVER_FINISHED.get(log.status)
    error = log.header.get("error")
    message = clean(error.get("message") or "")[:160] if isinstance(error, dict) else ""
    reason = f" ({message})" if message else ""
    counted = (
        f"{finished:,} of {planned:,} planned samples" if planned else f"{_samples(finished)} (plan unknown)"
    )
    if state is not None:
        advice = "" if planned and finished >= planned else " What is missing may not be missing by chance."
        return f"The run {state}{reason}: {counted} finished.{advice}"
    if planned and len(log.samples) < planned:
        return f"The log holds {len(log.samples):,} of {planned:,} planned samples."
    return ""


def _errors_scored(log: Log) -> str:
    config = log.spec.get("config")
    scored = isinstance(config, dict) and config.get("score_on_error") is True
    return "with the score that the run asked for (score_on_error)" if scored else "unscored"


def _unscored(rows: LogRows) -> str:
    others = rows.facts.unscored - rows.facts.errors - rows.facts.invalidated
    if others <= 0:
        return ""
    metric = f" for {rows.headline}" if rows.headline else ""
    return (
        f"{_samples(others)} without a usable score{metric} (none given, NaN, or text): loaded as unscored."
    )


def _metrics(rows: LogRows) -> str:
    if len(rows.metrics) < 2:
        return ""
    left_out = f" {rows.facts.left_out_metrics} more are left out." if rows.facts.left_out_metrics else ""
    return (
        f"{len(rows.metrics)} metrics ({_few(rows.metrics)}); {rows.headline} leads, --metric chooses "
        f"another.{left_out}"
    )


def _graders(log: Log, rows: LogRows) -> str:
    others = {model: tokens for model, tokens in rows.facts.grader_tokens.items() if tokens}
    if others:
        listed = ", ".join(f"{model} {tokens:,}" for model, tokens in sorted(others.items())[:5])
        return f"Tokens of graders and other models are left out ({listed})."
    if any(metric.startswith("model_graded") for metric in rows.metrics) and not log.spec.get("model_roles"):
        return (
            "The grader ran on the evaluated model: its tokens cannot be told apart and are in this model's "
            "tokens and cost."
        )
    return ""


def _few(names: Sequence[str]) -> str:
    return ", ".join(name[:60] for name in names[:8]) + (", …" if len(names) > 8 else "")


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items()))


def _samples(count: int) -> str:
    return f"{count:,} sample" if count == 1 else f"{count:,} samples"
