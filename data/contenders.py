"""Contenders: a model and a variant, and the name by which people call the two together.

A model with one variant in a benchmark goes by its own name; one with several as ``model (variant)``. Native
logs state settings instead of a variant: theirs are named by what differs among the model's logs. A label
given by a person beats both. Names are for people: rows are told apart by (model, variant, settings_key),
because a model may itself be called ``o3 (high)`` and no text says where the model ends.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from data.errors import InputError
from data.rows import one_value
from data.store import Store

NOT_SET = "not set"
_LONGEST_VALUE = 24
_LONGEST_LABEL = 80
#: Settings that say most about a run, best first; others follow by name.
_TELLING = (
    "solver",
    "agent",
    "temperature",
    "reasoning_effort",
    "effort",
    "reasoning_tokens",
    "task_version",
)


@dataclass(frozen=True)
class Contender:
    """One contender of a benchmark. ``settings`` are flat, by dotted path; empty where no log states any."""

    name: str
    model: str
    variant: str
    settings_key: str
    settings: Mapping[str, str]
    label: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells its rows from others."""
        return (self.model, self.variant, self.settings_key)


def contenders(store: Store, benchmark: str) -> tuple[Contender, ...]:
    """The contenders of a benchmark that have rows, by name."""
    with store.snapshot() as cursor:
        return read_contenders(cursor, benchmark)


def read_contenders(cursor: duckdb.DuckDBPyConnection, benchmark: str) -> tuple[Contender, ...]:
    """As :func:`contenders`, in the transaction of ``cursor``."""
    keys = "benchmark, model, variant, settings_key"
    found = cursor.execute(
        f"SELECT model, variant, settings_key, min(settings), coalesce(min(label), '') "
        f"FROM {_live_keys(cursor, benchmark)} LEFT JOIN eval_settings USING (settings_key) "
        f"LEFT JOIN variant_label USING ({keys}) GROUP BY model, variant, settings_key "
        "ORDER BY model, variant, settings_key",
        {"benchmark": benchmark},
    ).fetchall()
    plain = [
        Contender("", model, variant, key, flat(json.loads(settings)) if settings else {}, label)
        for model, variant, key, settings, label in found
    ]
    return named(plain)


def _live_keys(cursor: duckdb.DuckDBPyConnection, benchmark: str) -> str:
    """The FROM clause of a benchmark's contenders; results are read only where some are covered."""
    keys = "benchmark, model, variant, settings_key"
    covered = one_value(
        cursor,
        "SELECT count(*) FROM "
        "(FROM record_overlap SELECT batch UNION ALL FROM contender_replacement SELECT batch) "
        "WHERE batch IN (SELECT batch FROM eval_batch_contender WHERE benchmark = ?)",
        [benchmark],
    )
    table = "eval_live" if covered else "eval_batch_contender"
    return f"(SELECT DISTINCT {keys} FROM {table} WHERE benchmark = $benchmark)"


def named(found: Sequence[Contender]) -> tuple[Contender, ...]:
    """``found`` with names that differ from each other, sorted by name."""
    by_model: dict[str, list[Contender]] = defaultdict(list)
    for one in found:
        by_model[one.model].append(one)
    names: dict[tuple[str, str, str], str] = {}
    taken: set[str] = {model for model, family in by_model.items() if len(family) == 1}
    for model, family in sorted(by_model.items()):
        if len(family) == 1:
            names[family[0].key] = model
            continue
        for one, suffix in zip(family, _suffixes(family), strict=True):
            names[one.key] = _free(model, suffix, taken)
            taken.add(names[one.key])
    result = [
        Contender(names[one.key], one.model, one.variant, one.settings_key, one.settings, one.label)
        for one in found
    ]
    return tuple(sorted(result, key=lambda one: one.name))


def _free(model: str, suffix: str, taken: set[str]) -> str:
    """``model (suffix)``, said at more length where another model is called just that."""
    candidates = [f"{model} ({suffix})", f"{model} (variant {suffix})"]
    number = 2
    while candidates[0] in taken:
        candidates.pop(0)
        if not candidates:
            candidates.append(f"{model} (variant {suffix}, {number})")
            number += 1
    return candidates[0]


def _suffixes(family: Sequence[Contender]) -> list[str]:
    """What stands in brackets for each variant of one model; distinct."""
    shared: dict[str, list[Contender]] = defaultdict(list)
    for one in family:
        shared[one.variant].append(one)
    told = {one.key: _difference(one, shared[one.variant]) for one in family}
    suffixes = []
    for one in family:
        parts = [one.variant] if one.variant else []
        if len(shared[one.variant]) > 1:
            parts.append(told[one.key])
        suffixes.append(one.label or ", ".join(part for part in parts if part) or "no variant")
    twice = {suffix for suffix in suffixes if suffixes.count(suffix) > 1}
    return [
        f"{suffix}, {one.settings_key[:6] or 'no settings'}" if suffix in twice else suffix
        for one, suffix in zip(family, suffixes, strict=True)
    ]


def _difference(one: Contender, family: Sequence[Contender]) -> str:
    """The few settings that tell ``one`` from the others, such as ``temperature=1``."""
    chosen = _telling_paths([other.settings for other in family])
    texts = []
    for path in chosen:
        value = one.settings.get(path)
        texts.append(
            f"{_short(path, chosen)}={_value(value)}"
            if value is not None
            else f"{_short(path, chosen)} {NOT_SET}"
        )
    return ", ".join(texts)


def _telling_paths(family: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """The fewest paths, by greedy choice, whose values tell all settings apart that can be told apart."""
    paths = sorted({path for settings in family for path in settings})
    differing = [path for path in paths if len({settings.get(path) for settings in family}) > 1]
    chosen: list[str] = []

    def groups(extra: Iterable[str]) -> int:
        names = [*chosen, *extra]
        return len({tuple(settings.get(path) for path in names) for settings in family})

    while differing and groups(()) < groups(differing):
        best = min(differing, key=lambda path: (-groups((path,)), *_rank(path, family)))
        chosen.append(best)
        differing.remove(best)
    return tuple(sorted(chosen, key=lambda path: _rank(path, family)))


def _rank(path: str, family: Sequence[Mapping[str, str]]) -> tuple[int, int, str]:
    last = _last(path)
    longest = max((len(settings.get(path, "")) for settings in family), default=0)
    return (longest > _LONGEST_VALUE, _TELLING.index(last) if last in _TELLING else len(_TELLING), path)


def _last(path: str) -> str:
    return path.rsplit(".", 1)[-1].split("[", 1)[0]


def _short(path: str, among: Sequence[str]) -> str:
    """The last part of the path where it is clear, else the whole."""
    return _last(path) if [_last(other) for other in among].count(_last(path)) == 1 else path


def _value(text: str) -> str:
    clean = " ".join(text.split())
    if len(clean) <= _LONGEST_VALUE:
        return clean or "empty"
    return f"{clean[:12].strip()}… {hashlib.sha256(text.encode()).hexdigest()[:4]}"


def flat(value: Any, path: str = "") -> dict[str, str]:
    """Nested JSON as one text a dotted path."""
    if isinstance(value, Mapping) and value:
        inner: dict[str, str] = {}
        for key, item in value.items():
            inner.update(flat(item, f"{path}.{key}" if path else str(key)))
        return inner
    if isinstance(value, list) and value:
        return {
            deeper: text
            for index, item in enumerate(value)
            for deeper, text in flat(item, f"{path}[{index}]").items()
        }
    return {path: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}


def find(known: Sequence[Contender], name: str, benchmark: str) -> Contender:
    """The contender called ``name``; the model alone is enough where it has one variant.

    Raises:
        InputError: no contender is called that, or the model has several variants.
    """
    exact = [one for one in known if one.name == name]
    if exact:
        return exact[0]
    fitting = [one for one in known if name in (one.model, f"{one.model} ({one.variant})")]
    if len(fitting) == 1:
        return fitting[0]
    names = ", ".join(one.name for one in (fitting or known)[:8])
    if fitting:
        raise InputError(f"{name!r} has {len(fitting)} variants in {benchmark!r}; name one of: {names}")
    raise InputError(f"no contender {name!r} in benchmark {benchmark!r}; it has: {names or 'none'}")


def set_variant_label(store: Store, benchmark: str, name: str, label: str | None) -> None:
    """Call a contender's variant ``label`` from now on; None or empty takes the label away.

    Raises:
        InputError: no such contender, or the label is too long or in use for another variant of the model.
    """
    label = " ".join((label or "").split())
    if len(label) > _LONGEST_LABEL:
        raise InputError(f"a variant's label has at most {_LONGEST_LABEL} characters, not {len(label)}")
    with store.write() as cursor:
        known = read_contenders(cursor, benchmark)
        target = find(known, name, benchmark)
        for other in known:
            if label and other.model == target.model and other.key != target.key and label == other.label:
                raise InputError(
                    f"{other.name!r} in {benchmark!r} has the label {label!r} already; choose another"
                )
        cursor.execute(
            "DELETE FROM variant_label "
            "WHERE benchmark = ? AND model = ? AND variant = ? AND settings_key = ?",
            [benchmark, *target.key],
        )
        if label:
            cursor.execute(
                "INSERT INTO variant_label VALUES (?, ?, ?, ?, ?)", [benchmark, *target.key, label]
            )
