"""JSON documents: a list of records, an object that holds one, columns side by side, or outcomes by task."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import duckdb

from data.errors import InputError
from data.importing.formats import json_parts
from data.importing.formats.base import RawTable, Recognition, SpooledFile
from data.importing.limits import MAX_DEPTH, MAX_DOCUMENT_BYTES
from data.importing.mapping import is_outcome, normalised
from data.importing.sql import fresh_name
from data.importing.staged import ImportOptions

_LIST_NAMES: Final = (
    "results",
    "rows",
    "data",
    "records",
    "runs",
    "samples",
    "items",
    "trials",
    "simulations",
)
_BATCH: Final = 2_000
_LOOKED_AT: Final = 50
_OUTCOMES: Final = frozenset(("score", "passed", "resolved", "correct", "reward", "success"))
_OF_A_RECORD: Final = _OUTCOMES | {
    *("task_id", "instance_id", "task", "sample_id", "question_id", "model", "model_name"),
    *("model_a", "model_b", "winner", "preference"),
}


class JsonDocument:
    """One JSON value: records in a list, or outcomes by task name."""

    name: Final = "json"
    title: Final = "JSON"

    def recognise(self, file: SpooledFile) -> Recognition | None:
        """Any text that starts like JSON."""
        if file.content != "json":
            return None
        return Recognition((), certain=False, why="a JSON document")

    def read(self, cursor: duckdb.DuckDBPyConnection, file: SpooledFile, options: ImportOptions) -> RawTable:
        """All records of the document.

        Raises:
            InputError: the JSON is cut off, too deep or too large, or holds no records.
        """
        del options
        document = _parsed(file)
        records, settings = _records(document, file.name)
        table = fresh_name("records")
        cursor.execute(f"CREATE TEMP TABLE {table} (record_number BIGINT, record VARCHAR)")
        for start in range(0, len(records), _BATCH):
            part = records[start : start + _BATCH]
            values: list[Any] = []
            for place, record in enumerate(part, start=start + 1):
                values += [place, json.dumps(record, ensure_ascii=False)]
            cursor.execute(f"INSERT INTO {table} VALUES {', '.join(['(?, ?)'] * len(part))}", values)
        columns = json_parts.columns_of(cursor, table, file.name)
        view = json_parts.table_of(cursor, table, columns)
        return RawTable(
            table=view,
            columns=columns,
            details={"encoding": file.encoding, **settings},
            sample=json_parts.sample_of(cursor, view),
        )


def _parsed(file: SpooledFile) -> Any:
    if file.path.stat().st_size > MAX_DOCUMENT_BYTES:
        raise InputError(
            f"{file.name}: a JSON document above {MAX_DOCUMENT_BYTES >> 20} MB is not read as a whole; "
            "save it as JSON lines, one record a line"
        )
    text = file.path.read_text(encoding="utf-8", errors="replace")
    try:
        document = json.loads(text)
    except RecursionError as error:
        raise InputError(f"{file.name}: the JSON is nested too deep ({MAX_DEPTH} levels are read)") from error
    except json.JSONDecodeError as error:
        end = "is cut off" if error.pos >= len(text.rstrip()) - 1 else "is not valid JSON"
        raise InputError(f"{file.name} {end} at line {error.lineno}, column {error.colno}") from error
    except ValueError as error:
        raise InputError(f"{file.name}: a number in the JSON has too many digits") from error
    if _depth_above(document, MAX_DEPTH):
        raise InputError(f"{file.name}: the JSON is nested too deep ({MAX_DEPTH} levels are read)")
    return document


def _depth_above(document: Any, limit: int) -> bool:
    level = [document]
    for _ in range(limit):
        level = [
            child
            for value in level
            if isinstance(value, dict | list)
            for child in (value.values() if isinstance(value, dict) else value)
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _records(document: Any, name: str) -> tuple[Sequence[Mapping[str, Any]], dict[str, str]]:
    if isinstance(document, list):
        return _objects(document, name), {}
    if not isinstance(document, dict) or not document:
        raise InputError(f"{name} holds no records; a list of JSON objects is read")
    if is_one_record(document):
        return [document], {}
    shared = {key: value for key, value in document.items() if not isinstance(value, dict | list)}
    held = _held_list(document)
    if held is not None:
        return [{**shared, **record} for record in _objects(document[held], name)], {"list": held}
    if _is_columns(document):
        keys = list(document)
        return [dict(zip(keys, row, strict=True)) for row in zip(*document.values(), strict=True)], {}
    outcomes = _outcomes(document)
    if outcomes:
        return outcomes, {}
    if all(isinstance(value, dict) for value in document.values()):
        return _by_key(document), {}
    raise InputError(
        f"{name} is not recognised: the JSON holds neither a list of records nor outcomes by task"
    )


def _objects(values: Sequence[Any], name: str) -> Sequence[Mapping[str, Any]]:
    if not values:
        raise InputError(f"{name} holds no records: its list is empty")
    for place, value in enumerate(values, start=1):
        if not isinstance(value, dict):
            raise InputError(f"{name}: entry {place} of the list is not a JSON object")
    return values


def is_one_record(document: Mapping[str, Any]) -> bool:
    """Whether an object is a record itself: it names a task, a model or an outcome, and no list in it does.

    A list of messages within a record is no list of records. An object with a single key is none either.
    """
    if any(isinstance(document.get(name), list) for name in _LIST_NAMES):
        return False
    inner = [entry for value in document.values() if isinstance(value, list) for entry in value[:_LOOKED_AT]]
    if any(isinstance(entry, dict) and _names_a_field(entry) for entry in inner):
        return False
    return len(document) > 1 and _names_a_field(document)


def _names_a_field(record: Mapping[str, Any]) -> bool:
    return any(
        normalised(key) in _OF_A_RECORD for key, value in record.items() if not isinstance(value, dict | list)
    )


def _held_list(document: Mapping[str, Any]) -> str | None:
    lists = [
        key
        for key, value in document.items()
        if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value)
    ]
    if len(lists) == 1:
        return lists[0]
    return next((key for key in _LIST_NAMES if key in lists), None)


def _is_columns(document: Mapping[str, Any]) -> bool:
    lengths = {len(value) if isinstance(value, list) else -1 for value in document.values()}
    return len(document) > 1 and len(lengths) == 1 and lengths.isdisjoint({-1, 0})


def _outcomes(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """``{task: outcome}``, or ``{model: {task: outcome}}``; empty when it is something else."""
    if all(_is_outcome(value) for value in document.values()):
        return [{"task_id": task, "score": value} for task, value in document.items()]
    inner = [value for value in document.values() if isinstance(value, dict)]
    if len(inner) == len(document) and all(
        entries and all(_is_outcome(value) for value in entries.values()) for entries in inner
    ):
        keys = {key for entries in inner for key in entries}
        if not keys & _OUTCOMES:
            return [
                {"model": model, "task_id": task, "score": value}
                for model, entries in document.items()
                for task, value in entries.items()
            ]
    return []


def _is_outcome(value: Any) -> bool:
    return value is None or (isinstance(value, bool | int | float | str) and is_outcome(str(value)))


def _by_key(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """``{task: {...}}``: the key is the task unless the entries name one themselves."""
    return [{"task_id": key, **entry} for key, entry in document.items()]
