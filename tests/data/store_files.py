"""Files already validated, for tests of the store."""

import hashlib

import pandas as pd

from data.batches import commit_batch
from data.importing.staged import Staged


def staged(cursor, rows, *, name="results.csv", kind="evals", mapping=None, rejects=(), content=None):
    """A file already validated: ``rows`` are dicts of canonical fields."""
    frame = pd.DataFrame([{"record_number": number, **row} for number, row in enumerate(rows, start=1)])
    cursor.register("given_rows", frame)
    types = {"run": "VARCHAR", "started_at": "TIMESTAMPTZ", "date": "DATE", "passed": "BOOLEAN"}
    columns = ", ".join(
        f'CAST("{column}" AS {types[column]}) AS "{column}"' if column in types else f'"{column}"'
        for column in frame.columns
    )
    cursor.execute(f"CREATE OR REPLACE TEMP TABLE staged_rows AS SELECT {columns} FROM given_rows")
    cursor.unregister("given_rows")
    cursor.execute(
        "CREATE OR REPLACE TEMP TABLE staged_rejects (record_number BIGINT, reason VARCHAR, "
        "column_name VARCHAR, value VARCHAR, expected VARCHAR, raw VARCHAR)"
    )
    for reject in rejects:
        cursor.execute("INSERT INTO staged_rejects VALUES (?, ?, ?, ?, ?, ?)", list(reject))
    text = repr((rows, content)).encode()
    return Staged(
        kind=kind,
        format="csv",
        producer="",
        file=name,
        sha256=hashlib.sha256(text).hexdigest(),
        size_bytes=len(text),
        mapping=mapping or {},
        rows_table="staged_rows",
        rejects_table="staged_rejects",
        read=len(rows) + len(rejects),
        loaded=len(rows),
        rejected=len(rejects),
        duplicate_rows=0,
        reasons={reject[1]: 1 for reject in rejects},
        warnings=(),
    )


def load(store, rows, *, repeat=None, **kwargs):
    """Commit ``rows`` as one file and return its report."""
    with store.scratch() as cursor:
        one = staged(cursor, rows, **kwargs)
        with store.write(cursor):
            return commit_batch(cursor, one, repeat)


def row(task="t1", model="m", score=1.0, **fields):
    return {"benchmark": "b", "task_id": task, "model": model, "score": score, **fields}
