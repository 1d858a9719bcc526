"""One pass over a raw table: typed rows in a temporary table, records that fail a check set aside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import duckdb

from data.importing.formats.base import RawTable, Refused
from data.importing.formats.csv_careful import DAMAGED, FEWER, MORE, QUOTES, TOO_LONG
from data.importing.kinds.base import ReasonRow
from data.importing.kinds.checking import Check, Typed
from data.importing.limits import MAX_RAW
from data.importing.sql import fresh_name, identifier

_PARSER_REASONS: Final = {
    "MISSING COLUMNS": FEWER,
    "TOO MANY COLUMNS": MORE,
    "UNQUOTED VALUE": QUOTES,
    "LINE SIZE OVER MAXIMUM": TOO_LONG,
    "INVALID ENCODING": DAMAGED,
}
_LAYOUT_ADVICE: Final = "Correct the record in the file"
CONFLICT: Final = "Another record has this task, model and run"
_REJECT_COLUMNS: Final = (
    "record_number BIGINT, reason VARCHAR, column_name VARCHAR, value VARCHAR, expected VARCHAR, raw VARCHAR"
)


@dataclass(frozen=True)
class Scanned:
    """What one pass left behind.

    ``table`` has ``position`` (order of the rows that could be read), ``record_number``, the typed columns
    under their own names, and ``problem``: 0, or the place of the first failed check, from 1. ``raw`` is the
    table that was read in the end. ``read`` counts refused records too.
    """

    table: str
    raw: RawTable
    checks: tuple[Check, ...]
    refused: tuple[Refused, ...]
    read: int


def scan(
    cursor: duckdb.DuckDBPyConnection,
    raw: RawTable,
    columns: Sequence[Typed],
    checks: tuple[Check, ...],
    computed: Mapping[str, str],
) -> Scanned:
    """Read ``raw`` once. ``computed`` names what is kept, as SQL over the ``t_`` and ``v_`` columns."""
    table = fresh_name("scanned")
    query = _query(raw, columns, checks, computed)
    try:
        cursor.execute(f"CREATE TEMP TABLE {table} AS {query}")
        odd = _parser_rejects(cursor, raw)
    except duckdb.InvalidInputException as error:
        # Line ends of several kinds stop DuckDB's reader; the careful one takes them as they come.
        if raw.careful is None or "CSV Parser" not in str(error):
            raise
        return scan(cursor, raw.careful(), columns, checks, computed)
    if odd and raw.careful is not None:
        cursor.execute(f"DROP TABLE {table}")
        return scan(cursor, raw.careful(), columns, checks, computed)
    refused = (*raw.refused, *odd)
    numbered = _numbered(cursor, table, raw, refused)
    row = cursor.execute(f"SELECT count(*) FROM {table}").fetchone()
    return Scanned(numbered, replace(raw), checks, refused, (int(row[0]) if row else 0) + len(refused))


def _query(
    raw: RawTable, columns: Sequence[Typed], checks: Sequence[Check], computed: Mapping[str, str]
) -> str:
    """Layer upon layer: cells, plain values, which of them hold, texts, values, the row to keep.

    DuckDB works out a branch of CASE for the rows that take it only, so what is dear costs nothing where the
    plain spelling holds.
    """
    number = ["record_number"] if raw.numbered else []
    tried = {column.name: column.plain for column in columns if column.plain is not None}
    cells = [
        f"{column.cell} AS r_{column.name}" if column.plain else f"{column.text} AS t_{column.name}"
        for column in columns
    ]
    texts, values = [], []
    for column in columns:
        name = column.name
        if column.plain:
            texts.append(f"CASE WHEN h_{name} THEN r_{name} ELSE {column.text} END AS t_{name}")
            values.append(f"CASE WHEN h_{name} THEN p_{name} ELSE {column.value} END AS v_{name}")
        else:
            values.append(f"{column.value} AS v_{name}")
    layers = [
        [f"{plain.value} AS p_{name}" for name, plain in tried.items()],
        [f"{plain.holds} AS h_{name}" for name, plain in tried.items()],
        texts,
        values,
    ]
    query = f"SELECT {', '.join([*number, *cells])} FROM {raw.table}"
    for layer in layers:
        if layer:
            query = f"SELECT *, {', '.join(layer)} FROM ({query})"
    kept = [f"{expression} AS {identifier(name)}" for name, expression in computed.items()]
    problem = _problem(columns, checks)
    return f"SELECT {', '.join([*number, f'{problem} AS problem', *kept])} FROM ({query})"


def _problem(columns: Sequence[Typed], checks: Sequence[Check]) -> str:
    """The place of the first check that fails. Where all plain spellings hold, few are left to look at."""

    def first_of(places: Sequence[int]) -> str:
        whens = " ".join(f"WHEN {checks[place].fails} THEN {place + 1}" for place in places)
        return f"CASE {whens} ELSE 0 END" if whens else "0"

    every = first_of(range(len(checks)))
    holding = [column for column in columns if column.plain]
    if holding:
        settled = {id(check) for column in holding for check in column.checks}
        rest = first_of([place for place, check in enumerate(checks) if id(check) not in settled])
        every = (
            f"CASE WHEN {' AND '.join(f'h_{column.name}' for column in holding)} THEN {rest} ELSE {every} END"
        )
    return f"CAST({every} AS SMALLINT)"


def _parser_rejects(cursor: duckdb.DuckDBPyConnection, raw: RawTable) -> tuple[Refused, ...]:
    if raw.parser_rejects is None:
        return ()
    found = cursor.execute(
        f"SELECT line, min(error_type), min(left(csv_line, {MAX_RAW})) FROM {raw.parser_rejects} "
        "GROUP BY line ORDER BY line"
    ).fetchall()
    return tuple(
        Refused(max(int(line) - 1, 1), _PARSER_REASONS.get(kind, kind.capitalize()), "", text or "")
        for line, kind, text in found
    )


def _numbered(
    cursor: duckdb.DuckDBPyConnection, table: str, raw: RawTable, refused: Sequence[Refused]
) -> str:
    """A view that adds ``position`` and, where the rows came unnumbered, ``record_number``."""
    view = fresh_name("numbered")
    if raw.numbered:
        cursor.execute(f"CREATE TEMP VIEW {view} AS SELECT rowid AS position, * FROM {table}")
        return view
    if not refused:
        cursor.execute(
            f"CREATE TEMP VIEW {view} AS SELECT rowid AS position, rowid + 1 AS record_number, * FROM {table}"
        )
        return view
    # A refused record moves every row behind it: the row at position p stands behind those refused records
    # of which at most p rows come first.
    shifts = fresh_name("shifts")
    cursor.execute(f"CREATE TEMP TABLE {shifts} (position BIGINT, shift BIGINT)")
    numbers = sorted(record.record_number for record in refused)
    steps = {number - 1 - place: place + 1 for place, number in enumerate(numbers)}
    _insert(cursor, shifts, [(max(position, 0), shift) for position, shift in steps.items()])
    cursor.execute(
        f"CREATE TEMP VIEW {view} AS SELECT rows.position, "
        "rows.position + 1 + coalesce(shift, 0) AS record_number, "
        f"rows.* EXCLUDE (position) FROM (SELECT rowid AS position, * FROM {table}) AS rows "
        f"ASOF LEFT JOIN (SELECT position, max(shift) AS shift FROM {shifts} GROUP BY position) AS moved "
        "ON rows.position >= moved.position"
    )
    return view


def _insert(cursor: duckdb.DuckDBPyConnection, table: str, rows: Sequence[tuple[Any, ...]]) -> None:
    if not rows:
        return
    width = len(rows[0])
    marks = "(" + ", ".join("?" * width) + ")"
    step = max(1, 2_000 // width)
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        values = [value for row in part for value in row]
        cursor.execute(f"INSERT INTO {table} VALUES {', '.join([marks] * len(part))}", values)


def set_aside(
    cursor: duckdb.DuckDBPyConnection,
    scanned: Scanned,
    headers: Mapping[str, str],
    sources: Mapping[str, str],
    conflicts: str | None = None,
) -> str:
    """The rejects table of :class:`data.importing.staged.Staged`.

    ``sources`` is the SQL name of the raw column behind a field and ``headers`` its header in the file;
    ``conflicts`` names a table of positions that are set aside for :data:`CONFLICT`.
    """
    rejects = fresh_name("rejects")
    cursor.execute(f"CREATE TEMP TABLE {rejects} ({_REJECT_COLUMNS})")
    _insert(
        cursor,
        rejects,
        [
            (record.record_number, record.reason, None, None, record.expected, record.raw)
            for record in scanned.refused
        ],
    )
    bad = fresh_name("bad")
    union = f" UNION ALL SELECT position, -1 FROM {conflicts}" if conflicts else ""
    cursor.execute(
        f"CREATE TEMP TABLE {bad} AS SELECT rows.position, rows.record_number, found.problem FROM "
        f"{scanned.table} AS rows JOIN (SELECT position, problem FROM {scanned.table} WHERE problem > 0"
        f"{union}) AS found USING (position)"
    )
    row = cursor.execute(f"SELECT count(*) FROM {bad}").fetchone()
    if row and row[0]:
        cursor.execute(_aside_query(scanned, headers, sources, bad, rejects))
    return rejects


def _aside_query(
    scanned: Scanned, headers: Mapping[str, str], sources: Mapping[str, str], bad: str, rejects: str
) -> str:
    raw = scanned.raw
    cells = ", ".join(identifier(column.sql_name) for column in raw.columns)
    line = (
        f"left(array_to_string(list_transform([{cells}], lambda cell: CASE WHEN cell IS NULL THEN '' "
        "WHEN regexp_matches(cell, '[\",\\n\\r]') THEN '\"' || replace(cell, '\"', '\"\"') || '\"' "
        f"ELSE cell END), ','), {MAX_RAW})"
    )
    named = [(-1, CONFLICT, "", "NULL", "one record for each task, model and run")]
    for place, check in enumerate(scanned.checks, start=1):
        source = sources.get(check.field)
        value = f"left({identifier(source)}, {MAX_RAW})" if source else "NULL"
        named.append((place, check.reason, headers.get(check.field, check.field), value, check.expected))

    def pick(texts: Sequence[str]) -> str:
        whens = " ".join(f"WHEN {entry[0]} THEN {text}" for entry, text in zip(named, texts, strict=True))
        return f"CASE problem {whens} END"

    order = "record_number" if raw.numbered else "row_number() OVER () - 1"
    key = "record_number" if raw.numbered else "position"
    return (
        f"INSERT INTO {rejects} SELECT bad.record_number, {pick([_quoted(entry[1]) for entry in named])}, "
        f"nullif({pick([_quoted(entry[2]) for entry in named])}, ''), {pick([entry[3] for entry in named])}, "
        f"{pick([_quoted(entry[4]) for entry in named])}, {line} "
        f"FROM {bad} AS bad JOIN (SELECT {order} AS place, * FROM {raw.table}) AS raw "
        f"ON bad.{key} = raw.place"
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def reasons_of(
    cursor: duckdb.DuckDBPyConnection, rejects: str, checks: Sequence[Check]
) -> tuple[ReasonRow, ...]:
    """The rejects grouped by reason, the most frequent first."""
    advice = {check.reason: check.advice for check in checks}
    advice[CONFLICT] = "Keep one of them, or give each attempt a run of its own"
    found = cursor.execute(
        f"SELECT reason, count(*), min(record_number), arg_min(column_name, record_number), "
        f"arg_min(value, record_number), arg_min(expected, record_number) FROM {rejects} "
        "GROUP BY reason ORDER BY count(*) DESC, min(record_number), reason"
    ).fetchall()
    return tuple(
        ReasonRow(
            reason,
            int(rows),
            int(first),
            column or "",
            value or "",
            expected or "",
            advice.get(reason, _LAYOUT_ADVICE),
        )
        for reason, rows, first, column, value, expected in found
    )
