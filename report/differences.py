"""Where two JSON values differ, cell by cell, in words and as a path."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from report.canonical import canonical

Kind = Literal[
    "edited",  # a part no longer fits its seal
    "value",  # a number or text comes out otherwise
    "data changed",  # the rows behind an answer are others
    "file missing",
    "file added",
    "not asked",  # the question cannot be asked here
]

#: What tells one item of a list from another, so that a moved row is compared with itself.
_IDENTITIES: tuple[tuple[str, ...], ...] = (
    ("a", "b"),
    ("row", "column"),
    ("file", "sha256"),
    ("model",),
    ("name",),
    ("label",),
    ("domain",),
    ("task_id",),
    ("id",),
)
ABSENT = "absent"


@dataclass(frozen=True)
class Difference:
    """One cell: ``where`` in words, ``path`` in the document, what it says and what comes out now."""

    where: str
    path: str
    recorded: Any
    recomputed: Any
    kind: Kind


def compare(
    recorded: Any, recomputed: Any, *, where: str, path: str, kind: Kind = "value"
) -> Iterator[Difference]:
    """Every leaf of JSON's own types that is not written alike on both sides.

    A field or row on one side only is one difference, with :data:`ABSENT` for the other side. Items of a list
    are matched by name where every item has one, else by place.
    """
    if isinstance(recorded, Mapping) and isinstance(recomputed, Mapping):
        for key in sorted(recorded.keys() | recomputed.keys()):
            yield from compare(
                recorded.get(key, ABSENT),
                recomputed.get(key, ABSENT),
                where=f"{where}, {key.replace('_', ' ')}",
                path=f"{path}.{key}",
                kind=kind,
            )
    elif isinstance(recorded, list) and isinstance(recomputed, list):
        yield from _lists(recorded, recomputed, where, path, kind)
    elif canonical(recorded) != canonical(recomputed):
        yield Difference(where, path, recorded, recomputed, kind)


def without_new_fields(old: Any, new: Any) -> Any:
    """``new`` without the fields of objects that ``old``, written by an earlier version, does not know."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return {key: without_new_fields(old[key], item) for key, item in new.items() if key in old}
    if isinstance(old, list) and isinstance(new, list) and old:
        first = [item for item in old if isinstance(item, Mapping)]
        known = {key: item for entry in first for key, item in entry.items()}
        return [without_new_fields(known or old[0], item) for item in new]
    return new


def _lists(old: list[Any], new: list[Any], where: str, path: str, kind: Kind) -> Iterator[Difference]:
    names = _names(old, new)
    if names is None:
        pairs = [
            (index, f"item {index + 1}", _at(old, index), _at(new, index))
            for index in range(max(len(old), len(new)))
        ]
    else:
        places = {name: index for index, name in enumerate(names[0])}
        fresh = dict(zip(names[1], new, strict=True))
        pairs = [(index, name, old[index], fresh.get(name, ABSENT)) for name, index in places.items()]
        pairs += [(len(old), name, ABSENT, item) for name, item in fresh.items() if name not in places]
        if list(names[0]) != [name for name in names[1] if name in places] and set(names[0]) == set(names[1]):
            yield Difference(f"{where}, order", path, list(names[0]), list(names[1]), kind)
    for index, name, left, right in pairs:
        yield from compare(left, right, where=f"{where}, {name}", path=f"{path}[{index}]", kind=kind)


def _at(items: list[Any], index: int) -> Any:
    return items[index] if index < len(items) else ABSENT


def _names(old: list[Any], new: list[Any]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """A name for every item of both lists, unique in each; None where there is no such name."""
    if not old or not new or not all(isinstance(item, Mapping) for item in (*old, *new)):
        return None
    for fields in _IDENTITIES:
        if all(field in item for item in (*old, *new) for field in fields):
            named = tuple(
                tuple(" and ".join(str(item[field]) for field in fields) for item in items)
                for items in (old, new)
            )
            if all(len(set(names)) == len(names) for names in named):
                return named[0], named[1]
    return None


def compare_tables(
    recorded: list[Any], recomputed: list[Any], *, where: str, path: str, kind: Kind = "value"
) -> Iterator[Difference]:
    """Answer tables: headers as they stand, each cell named by its row and column."""
    fresh = {table["name"]: table for table in recomputed}
    names = [table["name"] for table in recorded]
    for index, table in enumerate(recorded):
        place, said = f"{path}[{index}]", f"{where}, {table['title']}"
        other = fresh.get(table["name"])
        if other is None or table["columns"] != other["columns"] or table["title"] != other["title"]:
            yield from compare(table, other or ABSENT, where=said, path=place, kind=kind)
            continue
        yield from _cells(table, other, said, f"{place}.rows", kind)
    for name in fresh.keys() - set(names):
        title = fresh[name]["title"]
        yield Difference(f"{where}, {title}", f"{path}[{len(recorded)}]", ABSENT, "a table", kind)


def _cells(old: Any, new: Any, where: str, path: str, kind: Kind) -> Iterator[Difference]:
    columns = old["columns"]
    texts = [place for place, column in enumerate(columns) if column["unit"] == "text"][:2]
    left, right = _row_names(old["rows"], texts), _row_names(new["rows"], texts)
    if left is None or right is None:
        yield from compare(old["rows"], new["rows"], where=where, path=path, kind=kind)
        return
    fresh = dict(zip(right, new["rows"], strict=True))
    for index, (name, row) in enumerate(zip(left, old["rows"], strict=True)):
        if name not in fresh:
            yield Difference(f"{where}, {name}", f"{path}[{index}]", row, ABSENT, kind)
            continue
        for place, column in enumerate(columns):
            yield from compare(
                row[place],
                fresh[name][place],
                where=f"{where}, {name}, {column['label']}",
                path=f"{path}[{index}][{place}]",
                kind=kind,
            )
    for name in right:
        if name not in left:
            yield Difference(f"{where}, {name}", f"{path}[{len(left)}]", ABSENT, fresh[name], kind)


def _row_names(rows: list[Any], texts: list[int]) -> list[str] | None:
    names = [" and ".join(str(row[place]) for place in texts) for row in rows]
    return names if texts and len(set(names)) == len(names) else None
