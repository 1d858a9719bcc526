"""Everything loaded as a ZIP: the rows that count, as Parquet and CSV, with the files they came from.

The bytes depend on the data alone: rows have an order, entries of the archive no time.
"""

import hashlib
import secrets
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb

from data.backup import move_new, require_free
from data.canonical import canonical_json
from data.contenders import read_contenders
from data.importing.sql import identifier, literal
from data.rows import one_value
from data.store import Store

_CHUNK: Final = 4 << 20
#: ZIP has no time before it; every entry carries it.
_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
#: As ``data.batches`` writes set-aside rows: a text that a spreadsheet would run gets an apostrophe in front.
_FORMULA: Final = "^[=+\\-@\\t\\r]"
_PLAIN_NUMBER: Final = "[+-]?(\\d+([.,]\\d*)?|[.,]\\d+)([eE][+-]?\\d+)?%?"

_EVALS: Final = """
SELECT live.benchmark, split, domain, task_id, cluster_id, live.model, contender,
       nullif(shown, '') AS variant, CASE WHEN run_given THEN run END AS run, nullif(metric, '') AS metric,
       score, passed, status, turns, input_tokens_uncached, cache_read_tokens, cache_write_5m_tokens,
       cache_write_1h_tokens, output_tokens, reasoning_tokens, cost, currency, latency_ms, started_at, weight,
       provider, tier, url, headline, nullif(live.settings_key, '') AS settings_key, settings, batch,
       record_number
FROM eval_live AS live
JOIN (SELECT unnest($benchmarks) AS benchmark, unnest($models) AS model, unnest($variants) AS variant,
             unnest($settings_keys) AS settings_key, unnest($names) AS contender, unnest($shown) AS shown)
     AS named USING (benchmark, model, variant, settings_key)
LEFT JOIN eval_settings USING (settings_key)
ORDER BY live.benchmark, NOT headline, batch, record_number
"""
_SCORES: Final = """
SELECT benchmark, model, nullif(metric, '') AS metric, score, n_tasks, stderr, date, provider, url, batch,
       record_number
FROM published_live ORDER BY benchmark, batch, record_number
"""
_VOTES: Final = """
SELECT nullif(benchmark, '') AS benchmark, prompt_id, judge, position, model_a, model_b,
       CASE WHEN preference IS NULL THEN CASE outcome WHEN 1 THEN 'model_a' WHEN 0 THEN 'model_b'
                                              WHEN 0.5 THEN 'tie' END END AS winner,
       preference, outcome AS points_a, batch, record_number
FROM vote ORDER BY benchmark, batch, record_number
"""
_BATCHES: Final = """
SELECT batch, kind, format, producer, file, sha256, size_bytes, mapping, rows_read, rows_loaded,
       rows_rejected, rows_duplicate, reasons, warnings, imported_at
FROM import_batch WHERE undone_at IS NULL ORDER BY batch
"""
#: File name -> what it holds, for the archive's own page.
_ABOUT: Final = {
    "evals": "eval results: one row an attempt",
    "scores": "published scores",
    "votes": "pairwise votes; points_a are the points of model_a",
    "batches": "the files that were loaded, with SHA-256 and mapping; batch and record_number lead to them",
}


@dataclass(frozen=True)
class Exported:
    """An archive that was written; ``rows`` counts the rows of each kind in it."""

    path: Path
    size_bytes: int
    sha256: str
    rows: Mapping[str, int]


def export_everything(store: Store, path: str | Path) -> Exported:
    """Write the rows that count now, of all kinds, and the list of their files to a new ZIP at ``path``.

    Each kind that has rows stands in it as Parquet (exact) and as CSV, whose texts no spreadsheet runs as a
    formula; ``manifest.json`` has rows, bytes and SHA-256 of each file. Headers are the names that `import`
    knows: a file of the archive loads again to the data it came from. Runs that an import numbered itself
    are left blank, and the settings that tell variants of one model apart stand as its variant.

    Raises:
        InputError: there is a file at ``path`` already, or it cannot be written.
    """
    path = Path(path).expanduser().resolve()
    require_free(path)
    folder = store.spool / f"export-{secrets.token_hex(8)}"
    try:
        folder.mkdir()
        rows = _write_tables(store, folder)
        archive = folder / "archive.zip"
        _pack(folder, archive, rows)
        size, sha256 = archive.stat().st_size, _sha256(archive)
        move_new(archive, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Exported(path, size, sha256, {kind: count for kind, count in rows.items() if kind != "batches"})


def _write_tables(store: Store, folder: Path) -> dict[str, int]:
    """A Parquet and a CSV of each kind with rows, all from one moment; how many rows each has."""
    counts: dict[str, int] = {}
    with store.snapshot() as cursor:
        queries: dict[str, tuple[str, dict[str, Any]]] = {
            "evals": (_EVALS, _names(cursor)),
            "scores": (_SCORES, {}),
            "votes": (_VOTES, {}),
            "batches": (_BATCHES, {}),
        }
        for kind, (query, bound) in queries.items():
            parquet = literal(folder / f"{kind}.parquet")
            cursor.execute(f"COPY ({query}) TO {parquet} (FORMAT parquet, COMPRESSION zstd)", bound)
            counts[kind] = int(one_value(cursor, f"SELECT count(*) FROM read_parquet({parquet})"))
            if counts[kind] == 0 and kind != "batches":
                (folder / f"{kind}.parquet").unlink()
                del counts[kind]
                continue
            cursor.execute(
                f"COPY (SELECT {_texts(cursor, parquet)} FROM read_parquet({parquet})) "
                f"TO {literal(folder / f'{kind}.csv')} (FORMAT csv, HEADER)"
            )
    return counts


def _names(cursor: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """The contenders of all benchmarks, with what stands for each one's variant."""
    benchmarks = [
        str(name)
        for (name,) in cursor.execute(
            "SELECT DISTINCT benchmark FROM eval_batch_contender ORDER BY benchmark"
        ).fetchall()
    ]
    found = [(name, one) for name in benchmarks for one in read_contenders(cursor, name)]
    # Settings cannot be given in a table, so what they add to the name stands as the variant.
    shown = [
        one.name.removeprefix(f"{one.model} (").removesuffix(")")
        if one.settings_key and one.name != one.model
        else one.variant
        for _, one in found
    ]
    return {
        "benchmarks": [benchmark for benchmark, _ in found],
        "models": [one.model for _, one in found],
        "variants": [one.variant for _, one in found],
        "settings_keys": [one.settings_key for _, one in found],
        "names": [one.name for _, one in found],
        "shown": shown,
    }


def _texts(cursor: duckdb.DuckDBPyConnection, parquet: str) -> str:
    """The columns of a Parquet file as they stand in CSV: inert texts, times with their zone."""
    columns = []
    for name, kind, *_ in cursor.execute(f"DESCRIBE FROM read_parquet({parquet})").fetchall():
        column = identifier(name)
        if kind == "VARCHAR":
            starts = f"regexp_matches({column}, '{_FORMULA}')"
            runs = f"{starts} AND NOT regexp_full_match({column}, '{_PLAIN_NUMBER}')"
            columns.append(f"CASE WHEN {runs} THEN '''' || {column} ELSE {column} END AS {column}")
        elif kind == "TIMESTAMP WITH TIME ZONE":
            columns.append(f"strftime({column}, '%Y-%m-%dT%H:%M:%S.%fZ') AS {column}")
        else:
            columns.append(column)
    return ", ".join(columns)


def _pack(folder: Path, archive: Path, rows: Mapping[str, int]) -> None:
    names = sorted(one.name for one in folder.iterdir())
    entries = [
        {
            "file": name,
            "rows": rows[name.split(".", maxsplit=1)[0]],
            "bytes": (folder / name).stat().st_size,
            "sha256": _sha256(folder / name),
        }
        for name in names
    ]
    with zipfile.ZipFile(archive, "w") as target:
        _write(target, "README.txt", "".join(_readme(rows)).encode())
        _write(target, "manifest.json", canonical_json({"files": entries}).encode() + b"\n")
        for name in names:
            # Parquet is compressed already.
            method = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
            with target.open(_entry(name, method), "w", force_zip64=True) as out:
                for chunk in _chunks(folder / name):
                    out.write(chunk)


def _readme(rows: Mapping[str, int]) -> Iterator[str]:
    yield "Everything that was loaded and counts, exported from Switchover.\n\n"
    for kind, count in rows.items():
        yield f"{kind}.parquet, {kind}.csv: {count} rows, {_ABOUT[kind]}\n"
    yield "manifest.json: rows, bytes and SHA-256 of each file\n\n"
    yield "Parquet is exact. In CSV an apostrophe stands before texts that a spreadsheet would run.\n"
    yield "To load a kind again: python cli.py import FILE --kind KIND\n"


def _entry(name: str, method: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _NO_TIME)
    entry.compress_type = method
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry


def _write(target: zipfile.ZipFile, name: str, content: bytes) -> None:
    target.writestr(_entry(name, zipfile.ZIP_DEFLATED), content)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as source:
        while chunk := source.read(_CHUNK):
            yield chunk


def _sha256(path: Path) -> str:
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
