"""Imports as batches: committed whole or not at all, listed, undone, their set-aside rows written out."""

import csv
import json
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import duckdb

from data import overlaps
from data.canonical import canonical_json
from data.errors import InputError
from data.importing.staged import BatchReport, Staged
from data.overlaps import EVALS, SCORES, VOTES, Records, Superseded
from data.rows import one_row, one_value
from data.store import Store
from data.storing import Stored, store_evals, store_scores, store_votes

Repeat = Literal["add", "replace"] | None

_RECORDS: Mapping[str, Records] = {"evals": EVALS, "scores": SCORES, "votes": VOTES}
_STORING = {"evals": store_evals, "scores": store_scores, "votes": store_votes}
#: Contenders named in one message; the rest are counted.
_NAMED = 3
_PLAIN_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?%?")


class RepeatNeededError(InputError):
    """Results of these contenders are loaded, and nothing says whether the file repeats or adds to them.

    ``contenders`` are (benchmark, model, variant); the person has to choose ``add`` or ``replace``.
    """

    def __init__(self, message: str, contenders: tuple[tuple[str, str, str], ...]) -> None:
        super().__init__(message)
        self.contenders = contenders


def loaded_before(
    cursor: duckdb.DuckDBPyConnection,
    *,
    kind: str,
    format: str,  # noqa: A002 - the batch's own word
    sha256: str,
    mapping: Mapping[str, Any],
) -> int | None:
    """The batch that holds these bytes read with this mapping, unless it was undone."""
    batch = one_value(
        cursor,
        "SELECT max(batch) FROM import_batch WHERE sha256 = ? AND kind = ? AND format = ? AND mapping = ? "
        "AND undone_at IS NULL",
        [sha256, kind, format, canonical_json(dict(mapping))],
    )
    return None if batch is None else int(batch)


def commit_batch(
    cursor: duckdb.DuckDBPyConnection, staged: Staged, repeat: Repeat, *, together: Collection[int] = ()
) -> BatchReport:
    """Store one staged file inside the transaction of ``cursor`` (from ``Store.write``).

    The bytes and mapping of a batch that is loaded: a report with ``duplicate`` and nothing written. A record
    that earlier imports hold takes their place. ``together`` are batches of the same import, which
    ``replace`` leaves alone.

    Raises:
        RepeatNeededError: results without runs of a contender that is loaded, and ``repeat`` does not say.
        InputError: no row can be stored, or a score is outside 0..1.
    """
    if staged.kind not in _RECORDS:
        raise InputError(f"{staged.file}: the store has no place for {staged.kind!r} yet")
    known = loaded_before(
        cursor, kind=staged.kind, format=staged.format, sha256=staged.sha256, mapping=staged.mapping
    )
    if known is not None:
        return _duplicate(cursor, staged, known)
    batch = _next_batch(cursor)
    stored = _STORING[staged.kind](cursor, staged.rows_table, batch)
    if stored.rows == 0:
        raise InputError(f"{staged.file}: no row could be loaded; nothing was stored")
    if stored.rows != staged.loaded:
        raise RuntimeError(f"{staged.file}: {staged.loaded} rows were staged and {stored.rows} stored")
    _insert_batch(cursor, staged, batch, stored)
    superseded, warnings = _settle(cursor, staged, batch, repeat, together)
    cursor.execute(
        "INSERT INTO rejected_row SELECT ?, record_number, reason, column_name, value, expected, raw "
        f'FROM "{staged.rejects_table}" ORDER BY record_number',
        [batch],
    )
    cursor.execute(
        "UPDATE import_batch SET rows_superseded = ?, warnings = ? WHERE batch = ?",
        [superseded, canonical_json([*staged.warnings, *warnings]), batch],
    )
    return _report(cursor, batch)


def _next_batch(cursor: duckdb.DuckDBPyConnection) -> int:
    return int(one_value(cursor, "SELECT coalesce(max(batch), 0) + 1 FROM import_batch"))


def _insert_batch(cursor: duckdb.DuckDBPyConnection, staged: Staged, batch: int, stored: Stored) -> None:
    values = {
        "batch": batch,
        "kind": staged.kind,
        "format": staged.format,
        "producer": staged.producer,
        "file": staged.file.encode("utf-8", "replace").decode(),  # names may hold stray bytes
        "sha256": staged.sha256,
        "size_bytes": staged.size_bytes,
        "mapping": canonical_json(dict(staged.mapping)),
        "rows_read": staged.read,
        "rows_loaded": staged.loaded,
        "rows_rejected": staged.rejected,
        "rows_duplicate": staged.duplicate_rows,
        "rows_superseded": 0,
        "reasons": canonical_json(dict(staged.reasons)),
        "warnings": "[]",
        "run_identifies": stored.run_identifies,
        "imported_at": datetime.now(UTC),
    }
    names = ", ".join(values)
    marks = ", ".join(f"${name}" for name in values)
    cursor.execute(f"INSERT INTO import_batch ({names}) VALUES ({marks})", values)


def _settle(
    cursor: duckdb.DuckDBPyConnection, staged: Staged, batch: int, repeat: Repeat, together: Collection[int]
) -> tuple[int, list[str]]:
    """Let the new batch take the place of what it holds again; returns rows superseded and what to say."""
    records = _RECORDS[staged.kind]
    replaced = 0
    if staged.kind == "evals":
        if repeat is None:
            _ask_about_repeats(cursor, staged.file, batch)
        elif repeat == "replace":
            replaced = overlaps.replace(cursor, batch, together)
    covered = overlaps.cover(cursor, records, batch, _earlier(cursor, staged.kind, batch))
    return replaced + covered.rows, _overlap_warnings(cursor, staged, batch, replaced, covered)


def _earlier(cursor: duckdb.DuckDBPyConnection, kind: str, batch: int) -> list[int]:
    """Batches that can hold records of ``batch``: those of a benchmark in common."""
    if kind == "votes":
        return []
    table = "eval_batch_contender" if kind == "evals" else "published_score"
    found = cursor.execute(
        f"SELECT DISTINCT batch FROM {table} WHERE batch < $batch AND benchmark IN "
        f"(SELECT benchmark FROM {table} WHERE batch = $batch) ORDER BY batch",
        {"batch": batch},
    ).fetchall()
    return [int(number) for (number,) in found]


def _ask_about_repeats(cursor: duckdb.DuckDBPyConnection, file: str, batch: int) -> None:
    """Refuse results that cannot be told from those loaded: one side or both name no run."""
    keys = ", ".join(overlaps.CONTENDER)
    found = cursor.execute(
        f"SELECT own.benchmark, own.model, own.variant, max(known.batch) "
        f"FROM eval_batch_contender AS own JOIN eval_batch_contender AS known USING ({keys}) "
        "WHERE own.batch = $batch AND known.batch < $batch "
        "AND (own.rows_with_run < own.rows OR known.rows_with_run < known.rows) "
        "GROUP BY ALL ORDER BY ALL",
        {"batch": batch},
    ).fetchall()
    if not found:
        return
    names = [f"{model} ({variant})" if variant else model for _, model, variant, _ in found[:_NAMED]]
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    raise RepeatNeededError(
        f"{file}: results of {', '.join(names)}{more} on {found[0][0]} are loaded already "
        f"(batch {found[0][3]}) and without run ids nothing tells repeats from corrections; "
        "choose --repeat add (more runs) or --repeat replace (these instead)",
        tuple((benchmark, model, variant) for benchmark, model, variant, _ in found),
    )


def _overlap_warnings(
    cursor: duckdb.DuckDBPyConnection, staged: Staged, batch: int, replaced: int, covered: Superseded
) -> list[str]:
    said = []
    if replaced:
        said.append(f"{_rows(replaced)} loaded earlier replaced; undo brings them back")
    if covered.rows:
        changed = f"{covered.changed} with other values" if covered.changed else "none with other values"
        said.append(f"{_rows(covered.rows)} loaded earlier came again ({changed}); the later import counts")
    other = one_value(
        cursor,
        "SELECT max(batch) FROM import_batch WHERE sha256 = ? AND batch < ? AND undone_at IS NULL",
        [staged.sha256, batch],
    )
    if other is not None:
        said.append(f"the file itself is loaded already as batch {other}, read in another way")
    return said


def _rows(count: int) -> str:
    return f"{count} {'row' if count == 1 else 'rows'}"


def _duplicate(cursor: duckdb.DuckDBPyConnection, staged: Staged, known: int) -> BatchReport:
    report = _report(cursor, known)
    return BatchReport(
        batch=known,
        kind=staged.kind,
        format=staged.format,
        file=staged.file,
        sha256=staged.sha256,
        read=staged.read,
        loaded=0,
        rejected=staged.rejected,
        duplicate_rows=staged.read - staged.rejected,
        superseded=0,
        duplicate=True,
        warnings=(f"loaded before as batch {known} ({report.file}); nothing changed",),
        reasons=dict(staged.reasons),
        imported_at=report.imported_at,
    )


_REPORT = (
    "SELECT batch, kind, format, file, sha256, rows_read, rows_loaded, rows_rejected, rows_duplicate, "
    "rows_superseded, warnings, reasons, strftime(imported_at, '%Y-%m-%dT%H:%M:%SZ') FROM import_batch "
)


def _report(cursor: duckdb.DuckDBPyConnection, batch: int) -> BatchReport:
    row = one_row(cursor, _REPORT + "WHERE batch = ?", [batch])
    if row is None:
        raise InputError(f"no batch {batch}; `batches` lists what is loaded")
    return _as_report(row)


def _as_report(row: Sequence[Any]) -> BatchReport:
    batch, kind, form, file, sha256, read, loaded, rejected, duplicates, superseded, warnings, reasons, at = (
        row
    )
    return BatchReport(
        batch=batch,
        kind=kind,
        format=form,
        file=file,
        sha256=sha256,
        read=read,
        loaded=loaded,
        rejected=rejected,
        duplicate_rows=duplicates,
        superseded=superseded,
        duplicate=False,
        warnings=tuple(json.loads(warnings)),
        reasons=json.loads(reasons),
        imported_at=at,
    )


def list_batches(store: Store) -> list[BatchReport]:
    """Every import that is loaded, oldest first."""
    with store.scratch() as cursor:
        rows = cursor.execute(_REPORT + "WHERE undone_at IS NULL ORDER BY batch").fetchall()
    return [_as_report(row) for row in rows]


def undo(store: Store, batch: int) -> BatchReport:
    """Take one import back, with later imports standing; what it covered counts again.

    Raises:
        InputError: there is no such batch, or it was undone before.
    """
    with store.scratch() as cursor:
        _require(cursor, batch)
    with store.write() as cursor:
        kind = _require(cursor, batch)
        report = _report(cursor, batch)
        overlaps.forget(cursor, _RECORDS[kind], batch)
        cursor.execute("DELETE FROM rejected_row WHERE batch = ?", [batch])
        cursor.execute("UPDATE import_batch SET undone_at = ? WHERE batch = ?", [datetime.now(UTC), batch])
    return report


def _require(cursor: duckdb.DuckDBPyConnection, batch: int) -> str:
    """The kind of a loaded batch."""
    row = one_row(
        cursor,
        "SELECT kind, strftime(undone_at, '%Y-%m-%d %H:%M UTC') FROM import_batch WHERE batch = ?",
        [batch],
    )
    if row is None:
        raise InputError(f"no batch {batch}; `batches` lists what is loaded")
    if row[1] is not None:
        raise InputError(f"batch {batch} was undone on {row[1]}; `batches` lists what is loaded")
    return str(row[0])


def write_rejects(store: Store, batch: int, out: Path) -> int:
    """Write the rows a batch set aside as CSV (UTF-8) and return how many lines follow the header.

    A text that a spreadsheet would run as a formula gets an apostrophe in front; plain numbers stay.

    Raises:
        InputError: there is no such batch, or ``out`` cannot be written.
    """
    header = ("record_number", "reason", "column", "value", "expected", "record")
    with store.scratch() as cursor:
        _require(cursor, batch)
        rows = cursor.execute(
            "SELECT record_number, reason, column_name, value, expected, raw FROM rejected_row "
            "WHERE batch = ? ORDER BY record_number, column_name, reason",
            [batch],
        ).fetchall()
    try:
        with out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(header)
            writer.writerows([_inert(value) for value in row] for row in rows)
    except OSError as error:
        raise InputError(f"cannot write {out} ({error.strerror}); choose another --out") from error
    return len(rows)


def _inert(value: object) -> object:
    if not isinstance(value, str) or not value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return value
    return value if _PLAIN_NUMBER.fullmatch(value) else "'" + value
