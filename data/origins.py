"""Which files stand behind rows of any kind that have a benchmark, and a fingerprint of those that count.

Eval results have their own, faster way in :mod:`data.provenance`, which knows contenders.
"""

import hashlib

import duckdb

from data.canonical import canonical_json
from data.overlaps import Records
from data.sources import SourceFile
from data.store import Store

CHOSEN = "($benchmark IS NULL OR benchmark = $benchmark)"


def sources(store: Store, records: Records, benchmark: str | None) -> tuple[SourceFile, ...]:
    """The imports that rows of a benchmark (None: of all) come from, oldest first.

    ``rows_superseded`` counts rows of the file that a later import took the place of. An import none of whose
    rows count is no source. Bound: imports.
    """
    return store.remembered(
        ("sources", records.table, benchmark), lambda: _read_sources(store, records, benchmark)
    )


def _read_sources(store: Store, records: Records, benchmark: str | None) -> tuple[SourceFile, ...]:
    with store.snapshot() as cursor:
        counting = _counting(cursor, records, benchmark)
        found = cursor.execute(
            "SELECT batch, file, sha256, kind, format, rows_read, rows_loaded, rows_rejected, "
            "rows_duplicate, rows_loaded - live.rows, strftime(imported_at, '%Y-%m-%dT%H:%M:%SZ') "
            f"FROM import_batch JOIN (SELECT batch, count(*) AS rows FROM {records.live} GROUP BY batch) "
            "AS live USING (batch) WHERE batch IN (SELECT unnest(?)) ORDER BY batch",
            [sorted(counting)],
        ).fetchall()
    return tuple(SourceFile(*row) for row in found)


def _counting(
    cursor: duckdb.DuckDBPyConnection, records: Records, benchmark: str | None
) -> dict[int, int | None]:
    """Batches with rows that count, and how many where some do not (None: all of them count)."""
    stored, live = (
        dict(
            cursor.execute(
                f"SELECT batch, count(*) FROM {table} WHERE {CHOSEN} GROUP BY batch", {"benchmark": benchmark}
            ).fetchall()
        )
        for table in (records.table, records.live)
    )
    return {batch: None if stored[batch] == rows else rows for batch, rows in live.items()}


def fingerprint(store: Store, records: Records, benchmark: str | None) -> str:
    """SHA-256 that changes when, and only when, the rows of a benchmark (None: of all) change.

    It is made from the bytes and mapping of each import that counts, and from which of its rows count where
    not all do; import numbers and times have no part, so undoing and importing again restores it.
    """
    return store.remembered(
        ("fingerprint", records.table, benchmark), lambda: _read_fingerprint(store, records, benchmark)
    )


def _read_fingerprint(store: Store, records: Records, benchmark: str | None) -> str:
    with store.snapshot() as cursor:
        counting = _counting(cursor, records, benchmark)
        partial = [batch for batch, rows in counting.items() if rows is not None]
        digests = dict(
            cursor.execute(
                f"SELECT batch, md5(string_agg(record_number, ',' ORDER BY record_number)) "
                f"FROM {records.live} WHERE {CHOSEN} AND batch IN (SELECT unnest($partial)) GROUP BY batch",
                {"benchmark": benchmark, "partial": partial},
            ).fetchall()
            if partial
            else []
        )
        files = cursor.execute(
            "SELECT batch, sha256, kind, format, mapping FROM import_batch WHERE batch IN (SELECT unnest(?))",
            [sorted(counting)],
        ).fetchall()
    content = {
        "benchmark": benchmark,
        "rows": records.table,
        "files": sorted([*file[1:], digests.get(file[0], "")] for file in files),
    }
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()
