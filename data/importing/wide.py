"""Wide tables: one row a task, one column a model, an outcome a cell; made long before they are mapped."""

from collections.abc import Sequence
from typing import Final

import duckdb

from data.errors import InputError
from data.importing.formats.base import RawColumn, RawTable, Refused
from data.importing.kinds import scan
from data.importing.kinds.base import Kind
from data.importing.kinds.checking import Typed
from data.importing.mapping import first_values, is_outcome, normalised
from data.importing.sql import fresh_name, identifier, literal
from data.importing.staged import ImportOptions

_MADE: Final = ("model", "score", "passed")
A_MODEL: Final = "a model"
_FIRST_SAMPLE: Final = 200


def looks_wide(kind: Kind, raw: RawTable, options: ImportOptions) -> bool:
    """Whether a table has no model and no score of its own, names tasks, and holds outcomes in all else."""
    said = set(options.mapping) | set(options.constants)
    if raw.canonical or said & set(_MADE):
        return False
    named = _names_of_fields(kind)
    if any(field in named.get(normalised(column.header), ()) for column in raw.columns for field in _MADE):
        return False
    models = model_columns(kind, raw, options)
    if len(models) < 2 or len(models) == len(raw.columns):
        return False
    places = {column.sql_name: place for place, column in enumerate(raw.columns)}
    values = [first_values(raw, places[column.sql_name], _FIRST_SAMPLE) for column in models]
    return any(values) and all(is_outcome(value) for column in values for value in column)


def model_columns(kind: Kind, raw: RawTable, options: ImportOptions) -> tuple[RawColumn, ...]:
    """The columns that are no field: neither mapped nor named like one."""
    mapped = {normalised(header) for header in options.mapping.values()}
    named = _names_of_fields(kind)
    own = [
        column
        for column in raw.columns
        if normalised(column.header) not in mapped and not _is_field(column, named, options)
    ]
    return tuple(own)


def unpivot(
    cursor: duckdb.DuckDBPyConnection, kind: Kind, raw: RawTable, options: ImportOptions, file: str
) -> RawTable:
    """The table made long: its own fields, ``model`` (the header) and ``score`` (the cell).

    Records are cells, counted along the rows. A record that could not be read counts once.

    Raises:
        InputError: no column is left for a model, or a model has no name.
    """
    for name in _MADE:
        if name in options.mapping:
            raise InputError(
                f"{file}: in a wide table the columns are the models, so {name} cannot be mapped"
            )
    models = model_columns(kind, raw, options)
    if not models:
        raise InputError(f"{file}: no column is left to be a model; every column is mapped")
    for column in models:
        if not column.header:
            raise InputError(
                f"{file}: column {raw.columns.index(column) + 1} has no name, so its model is unknown"
            )
    fields = [column for column in raw.columns if column not in models]
    base, refused = _materialised(cursor, raw)
    table = fresh_name("long")
    names = ", ".join(literal(column.header) for column in models)
    cells = ", ".join(identifier(column.sql_name) for column in models)
    own = "".join(f"{identifier(column.sql_name)}, " for column in fields)
    width = len(models)
    cursor.execute(
        f"CREATE TEMP TABLE {table} AS SELECT row_number() OVER (ORDER BY record_number, place) "
        "AS record_number, * EXCLUDE (record_number, place) FROM (SELECT record_number, "
        f"{own}unnest([{names}]) AS wide_model, unnest([{cells}]) AS wide_score, "
        f"unnest(range({width})) AS place FROM {base})"
    )
    return RawTable(
        table=table,
        columns=(*fields, RawColumn("wide_model", "model"), RawColumn("wide_score", "score")),
        refused=refused,
        warnings=raw.warnings,
        details={**raw.details, "models": str(width)},
        sample=_sample(raw, fields, models),
        decimal_comma=raw.decimal_comma,
    )


def _names_of_fields(kind: Kind) -> dict[str, set[str]]:
    named: dict[str, set[str]] = {}
    for one in kind.fields:
        for name in (one.name, *one.synonyms):
            named.setdefault(name, set()).add(one.name)
    return named


def _is_field(column: RawColumn, named: dict[str, set[str]], options: ImportOptions) -> bool:
    """An exact field name counts; so does another name of the task, unless the task is mapped."""
    fields = named.get(normalised(column.header), set()) - set(_MADE)
    if column.header in fields:
        return True
    return "task_id" in fields and "task_id" not in options.mapping


def _materialised(cursor: duckdb.DuckDBPyConnection, raw: RawTable) -> tuple[str, tuple[Refused, ...]]:
    columns = [Typed(column.sql_name, identifier(column.sql_name), "NULL", ()) for column in raw.columns]
    kept = {column.sql_name: f"t_{column.sql_name}" for column in raw.columns}
    scanned = scan.scan(cursor, raw, columns, (), kept)
    return scanned.table, scanned.refused


def _sample(
    raw: RawTable, fields: Sequence[RawColumn], models: Sequence[RawColumn]
) -> tuple[tuple[str | None, ...], ...]:
    places = {column.sql_name: place for place, column in enumerate(raw.columns)}
    return tuple(
        (*(row[places[column.sql_name]] for column in fields), model.header, row[places[model.sql_name]])
        for row in raw.sample
        for model in models
    )[:_FIRST_SAMPLE]
