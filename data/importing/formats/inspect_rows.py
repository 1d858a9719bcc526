"""Rows of canonical text from an Inspect log: one for every sample, epoch and metric."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from data.importing.formats.inspect_log import Log
from data.importing.formats.inspect_sample import UNNAMED_SCORER, Sample
from data.importing.formats.inspect_scores import (
    METRIC_COUNT,
    headline,
    is_share,
    metric_names,
    metric_values,
    name_unnamed,
    nested_scorers,
    score_text,
)
from data.importing.formats.inspect_settings import canonical, settings_of
from data.importing.formats.inspect_text import clean
from data.importing.formats.inspect_usage import Tokens, counts_cache_apart, exclusive, subtract

COLUMNS = (
    "benchmark",
    "split",
    "domain",
    "task_id",
    "cluster_id",
    "model",
    "provider",
    "run",
    "metric",
    "headline",
    "score",
    "status",
    "turns",
    "input_tokens_uncached",
    "cache_read_tokens",
    "cache_write_5m_tokens",
    "cache_write_1h_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cost",
    "currency",
    "latency_s",
    "started_at",
    "settings",
)
CLUSTER_KEYS = ("cluster_id", "cluster", "group_id", "group", "repo", "repository")
DOMAIN_KEYS = ("domain", "category")
SPLIT_KEYS = ("split",)
_NO_TOKENS = Tokens(None, None, None, None, None, None)
_UNKNOWN_USAGE: Mapping[str, Any] = {}


@dataclass(frozen=True)
class LogRows:
    """A log as rows (``COLUMNS`` plus the asked paths, None for unknown) and what to tell about it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    metrics: tuple[str, ...]
    headline: str | None
    settings: str
    facts: "Facts"


@dataclass(frozen=True)
class Facts:
    """Counts for the report of a log; all are samples (a sample is one task in one epoch)."""

    samples: int
    errors: int
    limits: Mapping[str, int]
    invalidated: int
    unscored: int
    ambiguous: int
    grader_tokens: Mapping[str, int]
    no_shares: tuple[str, ...]
    left_out_metrics: int


def log_rows(
    log: Log, mapping: Mapping[str, str], metric: str | None = None, *, scaled: bool = False
) -> LogRows:
    """All rows of a log.

    ``mapping`` sends a field to a dotted path of the sample (``{"domain": "metadata.topic"}``); other entries
    are ignored. ``metric`` chooses the headline. Metrics beside it that are no shares of 1 are left out,
    unless ``scaled`` says that a person gave a scale.

    An errored sample is failed and unscored, unless the run was told to score errors (``score_on_error``),
    when its score counts as it does in Inspect. A sample stopped by a limit keeps its score. An invalidated
    sample is unscored. A sample without a score for a metric of the log gets an unscored row.
    """
    renames = name_unnamed(log.samples, log.header)
    samples = [_named(sample, renames) for sample in log.samples]
    nested = nested_scorers(samples)
    metrics = metric_names(samples, nested)
    leading = metric or headline(log.header, metrics)
    values_of = [metric_values(sample.scores, nested) for sample in samples]
    counted = set() if scaled else _no_shares(values_of, leading)
    shares = [name for name in metrics if name not in counted]
    kept = tuple(name for name in shares if name == leading or name in shares[: METRIC_COUNT - 1])
    maker = _Maker(log, mapping, leading)
    rows: list[tuple[str | None, ...]] = []
    unscored = 0
    for sample, values in zip(samples, values_of, strict=True):
        shared = maker.shared(sample)
        counts = maker.counts_score(sample)
        for name in kept or (None,):
            score = score_text(values.get(name)) if counts and name is not None else None
            unscored += score is None and name in (leading, None)
            rows.append(maker.row(shared, name, score))
    facts = Facts(
        samples=len(samples),
        errors=sum(bool(sample.error) for sample in samples),
        limits=Counter(sample.limit for sample in samples if sample.limit),
        invalidated=sum(sample.invalidated for sample in samples),
        unscored=unscored,
        ambiguous=maker.ambiguous,
        grader_tokens=maker.grader_tokens,
        no_shares=tuple(name for name in metrics if name in counted),
        left_out_metrics=len(shares) - len(kept),
    )
    return LogRows(maker.columns, tuple(rows), kept, leading, maker.settings, facts)


def _no_shares(values_of: Iterable[Mapping[str, Any]], leading: str | None) -> set[str]:
    """Metrics beside the leading one that hold a number outside 0..1, such as a count of steps."""
    return {
        name
        for values in values_of
        for name, value in values.items()
        if name != leading and not is_share(score_text(value))
    }


def run_identity(spec: Mapping[str, Any]) -> str:
    """The id that a log shares with its retries and its copies, and with no other log.

    Inspect draws a random ``task_id`` (22 letters and digits) for every evaluation; a retry gets its own
    ``eval_id`` but keeps the ``task_id`` and copies the finished samples, which must not count twice. A
    task_id of another form was given by a person or another tool and may repeat: then ``eval_id`` or
    ``run_id`` names the log.
    """
    task_id = clean(spec.get("task_id") or "")
    if len(task_id) == 22 and task_id.isalnum():
        return task_id
    other = clean(spec.get("eval_id") or spec.get("run_id") or "")
    if other:
        return other[:100]
    seen = "\n".join(clean(spec.get(key) or "") for key in ("task", "model", "created", "task_id"))
    return hashlib.sha256(seen.encode()).hexdigest()[:16]


def _named(sample: Sample, renames: Mapping[str, str]) -> Sample:
    if UNNAMED_SCORER not in sample.scores:
        return sample
    return replace(sample, scores={renames.get(name, name): value for name, value in sample.scores.items()})


class _Maker:
    """Makes rows; holds what is one value for the whole log."""

    def __init__(self, log: Log, mapping: Mapping[str, str], leading: str | None) -> None:
        self.leading = leading
        spec = log.spec
        self._benchmark = clean(spec.get("task") or "")
        self._model = clean(spec.get("model") or "")
        self._provider = self._model.split("/", 1)[0] if "/" in self._model else None
        self._identity = run_identity(spec)
        self._cache_apart = counts_cache_apart(log.version, clean(spec.get("created") or ""))
        arguments = spec.get("model_args")
        self._long_cache = isinstance(arguments, dict) and arguments.get("cache_ttl") == "1h"
        self._roles = _roles_of_subject(spec, self._model)
        stats = log.header.get("stats")
        started = stats.get("started_at") if isinstance(stats, dict) else None
        self._started = clean(started or spec.get("created") or "") or None
        config = spec.get("config")
        self._score_errors = isinstance(config, dict) and config.get("score_on_error") is True
        self._mapping = mapping
        self._paths = tuple(dict.fromkeys(path for path in mapping.values() if path.startswith("metadata.")))
        self.columns = (*COLUMNS, *self._paths)
        self.settings = canonical(settings_of(log.header))
        self.ambiguous = 0
        self.grader_tokens: Counter[str] = Counter()

    def counts_score(self, sample: Sample) -> bool:
        return not sample.invalidated and (not sample.error or self._score_errors)

    def shared(self, sample: Sample) -> dict[str, str | None]:
        """The fields that do not depend on the metric."""
        tokens = self._tokens(sample)
        written = _text(tokens.cache_write)
        seconds = sample.total_time if sample.working_time is None else sample.working_time
        return {
            "benchmark": self._benchmark,
            "split": self._field(sample, "split", SPLIT_KEYS),
            "domain": self._field(sample, "domain", DOMAIN_KEYS),
            "task_id": sample.sample_id,
            "cluster_id": self._field(sample, "cluster_id", CLUSTER_KEYS),
            "model": self._model,
            "provider": self._provider,
            "run": f"{self._identity}:{sample.epoch}",
            "status": "error" if sample.error else "success",
            "turns": _text(sample.turns),
            "input_tokens_uncached": _text(tokens.uncached),
            "cache_read_tokens": _text(tokens.cache_read),
            "cache_write_5m_tokens": None if self._long_cache else written,
            "cache_write_1h_tokens": written if self._long_cache else None,
            "output_tokens": _text(tokens.output),
            "reasoning_tokens": _text(tokens.reasoning),
            "cost": _text(tokens.cost),
            "currency": None if tokens.cost is None else "USD",
            "latency_s": _text(seconds),
            "started_at": sample.started_at or self._started,
            "settings": self.settings,
            **{path: sample.extra.get(path) for path in self._paths},
        }

    def row(
        self, shared: Mapping[str, str | None], metric: str | None, score: str | None
    ) -> tuple[str | None, ...]:
        headline = "true" if metric == self.leading or metric is None else "false"
        values = {**shared, "metric": metric, "headline": headline, "score": score}
        return tuple(values[column] for column in self.columns)

    def _field(self, sample: Sample, field: str, keys: tuple[str, ...]) -> str | None:
        path = self._mapping.get(field)
        if path is not None:
            return sample.extra.get(path) or None
        lowered = {key.lower(): value for key, value in sample.metadata.items()}
        return next((text for key in keys if (text := clean(lowered.get(key, "")))), None)

    def _tokens(self, sample: Sample) -> Tokens:
        for model, usage in sample.usage.items():
            if model != self._model:
                self.grader_tokens[model] += exclusive(
                    usage, model=model, cache_apart=self._cache_apart
                ).total
        own = sample.usage.get(self._model)
        if own is None:
            return _NO_TOKENS
        tokens = exclusive(own, model=self._model, cache_apart=self._cache_apart)
        for role in self._roles:
            usage = sample.roles.get(role, _UNKNOWN_USAGE)
            part = exclusive(usage, model=self._model, cache_apart=self._cache_apart)
            if usage and part.total < tokens.total:
                self.grader_tokens[f"{self._model} as {role}"] += part.total
                tokens = subtract(tokens, part)
        self.ambiguous += tokens.ambiguous
        return tokens


def _roles_of_subject(spec: Mapping[str, Any], model: str) -> tuple[str, ...]:
    """Grading roles that the evaluated model itself fills; their usage is inside its own and is taken out."""
    roles = spec.get("model_roles")
    if not isinstance(roles, dict):
        return ()
    return tuple(
        clean(role)
        for role, config in roles.items()
        if "grader" in str(role).lower() and isinstance(config, dict) and config.get("model") == model
    )


def _text(value: float | None) -> str | None:
    return None if value is None else repr(value)
