"""A large eval file through the importer beside bare DuckDB: ``python -m benchmarks.imports [ROWS]``.

Both read the same seeded CSV into a DuckDB file on disk, each in a process of its own with the same threads.
The bare side is ``CREATE TABLE AS SELECT`` with the types declared: no validation, no receipt, no undo.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.made_evals import TYPES, write_csv
from benchmarks.measuring import in_child, machine, measured, median_of, spread, workplace
from data import batches, storing
from data.importing import ImportOptions, import_files, staging
from data.importing.spool import Spool
from data.store import Store

TRIALS = 3
MODULE = "benchmarks.imports"


def bare(csv: str, folder: str) -> Mapping[str, Any]:
    """The same typed columns by DuckDB alone."""
    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in TYPES.items())
    with duckdb.connect(str(Path(folder) / "bare.duckdb")) as connection:
        connection.execute("SET timezone = 'UTC'")
        connection.execute(
            f"CREATE TABLE eval_result AS SELECT * FROM read_csv(?, header = true, columns = {{{columns}}})",
            [csv],
        )
        rows = connection.execute("SELECT count(*) FROM eval_result").fetchall()[0][0]
    return {"rows": rows}


def imported(csv: str, folder: str) -> Mapping[str, Any]:
    """What ``cli.py import`` does, with the CPU seconds of each part."""
    parts: dict[str, float] = {}
    watched = (
        (Spool, "add", "bring in: hash, encoding"),
        (staging, "read", "recognise, find the dialect"),
        (staging, "stage", "cast, check, find repeats"),
        (batches, "store_evals", "store rows"),
        (storing, "_run_identifies", "do runs name records (inside store rows)"),
        (batches, "_settle", "compare with earlier imports"),
    )
    with Store.open(Path(folder) / "store.duckdb") as store:
        begun = time.process_time()
        with _watched(parts, watched):
            report = import_files(store, [csv], ImportOptions())[0]
        whole = time.process_time() - begun
        named = sum(value for name, value in parts.items() if "inside" not in name)
        parts["commit the transaction, the rest"] = whole - named
        begun = time.process_time()
    parts["close: checkpoint"] = time.process_time() - begun
    return {"rows": report.loaded, "parts": parts}


@contextmanager
def _watched(parts: dict[str, float], watched: tuple[tuple[Any, str, str], ...]) -> Iterator[None]:
    """Add up the CPU seconds spent inside the named functions while the block runs."""
    own = batches._STORING  # noqa: SLF001 - the table of storing functions holds what is to be watched
    kept = [(holder, name, getattr(holder, name)) for holder, name, _ in watched]

    def timed(function: Callable[..., Any], title: str) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            begun = time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                parts[title] = parts.get(title, 0.0) + time.process_time() - begun

        return call

    try:
        for (holder, name, function), (_, _, title) in zip(kept, watched, strict=True):
            setattr(holder, name, timed(function, title))
        own["evals"] = batches.store_evals
        yield
    finally:
        for holder, name, function in kept:
            setattr(holder, name, function)
        own["evals"] = batches.store_evals


CHILDREN = {"bare": bare, "import": imported}


def main(rows: int) -> None:
    """Write the file, run each side several times in turn, print the ratios."""
    with workplace() as folder:
        csv = Path(folder) / "made.csv"
        write_csv(csv, rows)
        runs: dict[str, list[dict[str, Any]]] = {"bare": [], "import": []}
        for trial in range(TRIALS):
            for name, kept in runs.items():
                place = Path(folder) / f"{name}{trial}"
                place.mkdir()
                kept.append(in_child(MODULE, name, csv, place))
        size = csv.stat().st_size / 1e6
    print(f"{machine()}; {rows:,} rows, {size:,.0f} MB; medians of {TRIALS}")
    for name, kept in runs.items():
        print(
            f"{name:8} {median_of(kept, 'cpu_s'):7.1f} s CPU ({spread(kept, 'cpu_s')}), "
            f"peak {median_of(kept, 'peak_mb'):6.0f} MB ({spread(kept, 'peak_mb')}), rows {kept[0]['rows']:,}"
        )
    ratio = median_of(runs["import"], "cpu_s") / median_of(runs["bare"], "cpu_s")
    print(f"import costs {ratio:.2f} times the CPU of the bare CREATE TABLE AS SELECT")
    bare_cpu = median_of(runs["bare"], "cpu_s")
    for part in runs["import"][0]["parts"]:
        cpu = median_of([run["parts"] for run in runs["import"]], part)
        print(f"  {part:45} {cpu:6.1f} s  {cpu / bare_cpu:5.2f} of bare")


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--child"]:
        work = CHILDREN[given[1]]
        print(json.dumps(measured(lambda: work(*given[2:]))))
    else:
        main(int(given[0]) if given else 5_000_000)
