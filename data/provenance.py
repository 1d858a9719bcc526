"""Which files stand behind an answer, and a fingerprint of exactly the rows that count."""

import hashlib
from collections.abc import Collection

import duckdb
import pandas as pd

from data.canonical import canonical_json
from data.contenders import Contender, find, read_contenders
from data.sources import SourceFile
from data.store import Store


def sources(
    store: Store, benchmark: str, contenders: Collection[str] | None = None
) -> tuple[SourceFile, ...]:
    """The imports that rows of a benchmark (of these contenders) come from, oldest first.

    ``rows_superseded`` counts rows of the file that a later import took the place of. An import none of whose
    rows count is no source. Bound: imports.

    Raises:
        InputError: a contender is not in the benchmark.
    """
    key = ("sources", benchmark, None if contenders is None else tuple(contenders))
    return store.remembered(key, lambda: _read_sources(store, benchmark, contenders))


def _read_sources(store: Store, benchmark: str, contenders: Collection[str] | None) -> tuple[SourceFile, ...]:
    with store.snapshot() as cursor:
        known = read_contenders(cursor, benchmark)
        wanted = known
        if contenders is not None:
            wanted = tuple(find(known, name, benchmark) for name in contenders)
        counting = _counting(cursor, benchmark, wanted)
        found = cursor.execute(
            "SELECT batch, file, sha256, kind, format, rows_read, rows_loaded, rows_rejected, "
            "rows_duplicate, strftime(imported_at, '%Y-%m-%dT%H:%M:%SZ') FROM import_batch "
            "WHERE batch IN (SELECT unnest(?)) ORDER BY batch",
            [sorted(counting)],
        ).fetchall()
        superseded = _superseded(cursor, sorted(counting))
    return tuple(
        SourceFile(
            batch=batch,
            file=file,
            sha256=sha256,
            kind=kind,
            format=form,
            rows_read=read,
            rows_loaded=loaded_rows,
            rows_rejected=rejected,
            rows_duplicate=duplicates,
            rows_superseded=superseded.get(batch, 0),
            imported_at=at,
        )
        for batch, file, sha256, kind, form, read, loaded_rows, rejected, duplicates, at in found
    )


_KEYS = "model, variant, settings_key"


def _counting(
    cursor: duckdb.DuckDBPyConnection, benchmark: str, wanted: Collection[Contender]
) -> dict[int, int | None]:
    """Batches with rows that count, and how many where some do not (None: all of them count)."""
    names = {
        "benchmark": benchmark,
        "models": [one.model for one in wanted],
        "variants": [one.variant for one in wanted],
        "settings_keys": [one.settings_key for one in wanted],
    }
    chosen = (
        "(SELECT unnest($models) AS model, unnest($variants) AS variant, "
        "unnest($settings_keys) AS settings_key) AS chosen"
    )
    stored = cursor.execute(
        "SELECT batch, CAST(sum(rows) AS BIGINT) FROM eval_batch_contender "
        f"SEMI JOIN {chosen} USING ({_KEYS}) WHERE benchmark = $benchmark GROUP BY batch",
        names,
    ).fetchall()
    touched = _touched(cursor, [batch for batch, _ in stored])
    live = dict(
        cursor.execute(
            f"SELECT batch, count(*) FROM eval_live SEMI JOIN {chosen} USING ({_KEYS}) "
            "WHERE benchmark = $benchmark AND batch IN (SELECT unnest($touched)) GROUP BY batch",
            {**names, "touched": touched},
        ).fetchall()
        if touched
        else []
    )
    counting: dict[int, int | None] = {}
    for batch, rows in stored:
        if batch not in touched or live.get(batch) == rows:
            counting[batch] = None
        elif live.get(batch):
            counting[batch] = live[batch]
    return counting


def _touched(cursor: duckdb.DuckDBPyConnection, batches: Collection[int]) -> list[int]:
    """Those of ``batches`` of which some row is covered."""
    found = cursor.execute(
        "SELECT DISTINCT batch FROM (FROM record_overlap SELECT batch UNION ALL "
        "FROM contender_replacement SELECT batch) WHERE batch IN (SELECT unnest(?)) ORDER BY batch",
        [list(batches)],
    ).fetchall()
    return [int(batch) for (batch,) in found]


def _superseded(cursor: duckdb.DuckDBPyConnection, batches: Collection[int]) -> dict[int, int]:
    touched = _touched(cursor, batches)
    if not touched:
        return {}
    return dict(
        cursor.execute(
            "SELECT batch, any_value(rows_loaded) - count(live.record_number) FROM import_batch "
            "LEFT JOIN (SELECT batch, record_number FROM eval_live) AS live USING (batch) "
            "WHERE batch IN (SELECT unnest(?)) GROUP BY batch",
            [touched],
        ).fetchall()
    )


def fingerprint(store: Store, benchmark: str) -> str:
    """SHA-256 that changes when, and only when, the rows behind a benchmark or its variants' labels change.

    It is made from the bytes and mapping of each import that counts, from which of its rows count where not
    all do, and from labels; import numbers and times have no part, so undoing and importing again
    restores it.
    """
    return store.remembered(("fingerprint", benchmark), lambda: _read_fingerprint(store, benchmark))


def _read_fingerprint(store: Store, benchmark: str) -> str:
    with store.snapshot() as cursor:
        known = read_contenders(cursor, benchmark)
        counting = _counting(cursor, benchmark, known)
        partial = [batch for batch, rows in counting.items() if rows is not None]
        digests = dict(
            cursor.execute(
                "SELECT batch, md5(string_agg(record_number, ',' ORDER BY record_number)) FROM eval_live "
                "WHERE benchmark = ? AND batch IN (SELECT unnest(?)) GROUP BY batch",
                [benchmark, partial],
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
        "files": sorted([*file[1:], digests.get(file[0], "")] for file in files),
        "labels": sorted([*one.key, one.label] for one in known if one.label),
    }
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def loaded(store: Store) -> pd.DataFrame:
    """One row a kind of data: kind, files, rows, rejected, last_import (UTC, ISO 8601). Bound: kinds."""
    return store.query(
        "SELECT kind, count(*) AS files, CAST(sum(rows_loaded) AS BIGINT) AS rows, "
        "CAST(sum(rows_rejected) AS BIGINT) AS rejected, "
        "strftime(max(imported_at), '%Y-%m-%dT%H:%M:%SZ') AS last_import "
        "FROM import_batch WHERE undone_at IS NULL GROUP BY kind ORDER BY kind"
    )
