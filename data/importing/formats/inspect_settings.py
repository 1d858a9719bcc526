"""What a log was run with, as canonical JSON: equal text means that two logs are runs of one contender.

Kept is what can change an answer: task version and arguments, solvers and their arguments, generation
settings, model arguments, models in other roles, the data set's name, and limits per sample. Left out is what
cannot: tags, metadata, paths, commit, packages, connections, retries, timeouts, logging, which samples and
how many epochs.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from data.importing.formats.inspect_text import clean

_DEPTH = 24
_LONG_TEXT = 400
SETTINGS_CHARACTERS = 3_500
_OPERATION = frozenset(
    {
        "max_retries",
        "timeout",
        "attempt_timeout",
        "max_connections",
        "adaptive_connections",
        "cache",
        "batch",
        "num_choices_batch",
        "verbose",
    }
)
_LIMITS = ("message_limit", "token_limit", "turn_limit", "time_limit", "working_limit", "cost_limit")
_RANDOM_ID = re.compile(r"[0-9A-Za-z]{22}")  # tools get a random `instance` of this form in every run
_SECRET = ("api_key", "apikey", "token_provider", "secret", "password", "authorization", "credential")


def settings_of(header: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a log's header, ready for :func:`canonical`; what was not set is absent."""
    spec = _mapping(header.get("eval"))
    plan = _mapping(header.get("plan"))
    config = _mapping(spec.get("config"))
    if "message_limit" not in config and config.get("max_messages"):
        config = {**config, "message_limit": config["max_messages"]}
    steps = plan.get("steps")
    generate = {**_set(_mapping(spec.get("model_generate_config"))), **_set(_mapping(plan.get("config")))}
    found = {
        "task_version": spec.get("task_version"),
        "task_args": spec.get("task_args"),
        "solver": spec.get("solver"),
        "solver_args": spec.get("solver_args"),
        "steps": [
            {"solver": step.get("solver"), "params": step.get("params")}
            for step in (steps if isinstance(steps, list) else [])
            if isinstance(step, dict)
        ],
        "generate": {key: value for key, value in generate.items() if key not in _OPERATION},
        "model_args": spec.get("model_args"),
        "roles": {
            role: model.get("model") if isinstance(model, dict) else model
            for role, model in _mapping(spec.get("model_roles")).items()
        },
        "dataset": _mapping(spec.get("dataset")).get("name"),
        "limits": {key: config.get(key) for key in _LIMITS if config.get(key)},
    }
    return {key: value for key, value in found.items() if value not in (None, "", [], {})}


def canonical(settings: Mapping[str, Any]) -> str:
    """Settings as JSON with sorted keys; without unset values, random ids, secrets; long text as a digest.

    At most ``SETTINGS_CHARACTERS`` long: where there is more, the largest blocks stand as a digest.
    """
    plain: dict[str, Any] = _plain(settings, _DEPTH)
    sizes = {key: len(_written(value)) for key, value in plain.items()}
    for key in sorted(plain, key=lambda key: (-sizes[key], key)):
        text = _written(plain)
        if len(text) <= SETTINGS_CHARACTERS:
            return text
        plain[key] = _digest(_written(plain[key]))
    return _written(plain)


def _written(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _digest(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return f"{clean(text[:80])}… ({len(text)} characters, {digest})"


def settings_key(canonical_settings: str) -> str:
    """Sixteen hexadecimal digits that name a canonical text."""
    return hashlib.sha256(canonical_settings.encode()).hexdigest()[:16]


def differences(left: str, right: str) -> tuple[tuple[str, str, str], ...]:
    """Where two canonical texts differ: ``(dotted path, value left, value right)``, sorted; "" is not set."""
    before, after = _flat(json.loads(left)), _flat(json.loads(right))
    return tuple(
        (path, before.get(path, ""), after.get(path, ""))
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    )


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _set(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _plain(value: Any, depth: int) -> Any:
    if isinstance(value, (dict, list)) and depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return {
            clean(key): "hidden" if _is_secret(str(key)) else _plain(inner, depth - 1)
            for key, inner in value.items()
            if inner not in (None, {}, []) and not _is_random(key, inner)
        }
    if isinstance(value, list):
        return [_plain(inner, depth - 1) for inner in value]
    return _plain_scalar(value)


def _plain_scalar(value: Any) -> str | int | bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)) and abs(value) < 1 << 53:
        return int(value) if value == int(value) else repr(value)
    if isinstance(value, str) and len(value) > _LONG_TEXT:
        return _digest(value)
    return str(value).encode("utf-8", "replace").decode("utf-8")


def _is_random(key: Any, value: Any) -> bool:
    return key == "instance" and isinstance(value, str) and _RANDOM_ID.fullmatch(value) is not None


def _is_secret(key: str) -> bool:
    lowered = key.lower()
    return any(mark in lowered for mark in _SECRET)


def _flat(value: Any, path: str = "") -> dict[str, str]:
    if isinstance(value, dict) and value:
        inner: dict[str, str] = {}
        for key, item in value.items():
            inner.update(_flat(item, f"{path}.{key}" if path else key))
        return inner
    if isinstance(value, list) and value:
        return {
            deeper: text
            for index, item in enumerate(value)
            for deeper, text in _flat(item, f"{path}[{index}]").items()
        }
    return {path: value if isinstance(value, str) else json.dumps(value)}
