"""Mutated files: a clear line or counts that add up, never a fault of the program, never a hang."""

import gzip
import io
import json
import random
import time
import zipfile

import pytest
from helpers import LONG

from data.errors import InputError
from data.importing import ImportOptions, check_file, import_files

#: CPU seconds a file may take; time on the clock says more about the machine's other work.
SECONDS = 20
WAITED_SECONDS = 300
HOSTILE = (
    b'"', b"'", b",", b";", b"\t", b"|", b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b",
    b"PK\x03\x04", b"PAR1", b"{", b"}", b"[", b"]", b'{"a":', b"null", b"NaN", b"inf", b"-1", b"1e999", b"9" * 400, b"%", b"0x",
    b"=cmd", b"<b>", b"'; --", b"\\", b'\\"', b"\xc3\x28", b"\xe2\x82", b"x" * 5000, b"\xed\xa0\x80", b"2026-02-30", b"\x1a",
    b"task_id", b"model", b"model_a", b",,,,", b"\n\n", b'""', b'"""', b"\xf0\x9f\x99\x82", b"\x01",
)  # fmt: skip


def seeds():
    rows = [
        {"task_id": f"t{place}", "model": "mö", "run": place % 2, "score": place / 10, "started_at": 1734070031 + place,
         "cost": "0.5", "currency": "USD", "status": "ok", "output_tokens": 100, "domain": 'a "b"\nc'}
        for place in range(9)
    ]  # fmt: skip
    text = "task_id,model,run,score,started_at,cost,currency,status,output_tokens,domain\n" + "".join(
        f't{row["task_id"]},mö,{row["run"]},{row["score"]},{row["started_at"]},0.5,USD,ok,100,"a ""b""\nc"\n'
        for row in rows
    )
    lines = "\n".join(map(json.dumps, rows))
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("a.csv", text)
        out.writestr("b.jsonl", lines)
    return [
        text.encode(), text.replace(",", ";").replace("0.", "0,").encode("cp1252"), text.replace("\n", "\r\n").encode(),
        text.encode("utf-16"), LONG, lines.encode(), json.dumps(rows).encode(), json.dumps({"t1": True, "t2": 0.5}).encode(),
        json.dumps({"results": rows, "model": "m"}, indent=1).encode(), gzip.compress(text.encode()), archive.getvalue(),
        b"task,A,B,C\nt1,1,0,1\nt2,0,,1\nt3,1,x,0\n", b"model,score,n_tasks\nA,0.5,9\nB,1,9\n",
    ]  # fmt: skip


def parquet_seed(store):
    path = store.exports / "seed.parquet"
    with store.scratch() as cursor:
        cursor.execute(
            "COPY (SELECT 't' || range AS task_id, 'm' AS model, range / 9 AS score FROM range(9)) "
            f"TO '{path}' (FORMAT parquet)"
        )
    return path.read_bytes()


def mutated(rng, seed, others):
    content = bytearray(seed)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        place = rng.randrange(len(content) + 1)
        kind = rng.randrange(7)
        if kind == 0:
            content[place:place] = rng.choice(HOSTILE)
        elif kind == 1:
            del content[place : place + rng.choice((1, 2, 10, 200))]
        elif kind == 2 and content:
            content[min(place, len(content) - 1)] = rng.randrange(256)
        elif kind == 3:
            del content[place:]
        elif kind == 4:
            other = rng.choice(others)
            start = rng.randrange(len(other))
            content[place:place] = other[start : start + rng.choice((5, 50, 500))]
        elif kind == 5:
            part = content[place : place + rng.choice((1, 20, 100))]
            content[place:place] = part * rng.choice((1, 3, 30))
        else:
            content[place : place + 1] = rng.choice(HOSTILE)
    return bytes(content)


CHOICES = (
    ImportOptions(kind="evals", constants={"benchmark": "b"}),
    ImportOptions(kind="evals", constants={"benchmark": "b", "model": "m"}, timezone="Europe/Berlin"),
    ImportOptions(kind="evals", format="wide", mapping={"task_id": "task"}, constants={"benchmark": "b"}),
    ImportOptions(kind="scores", constants={"benchmark": "b", "scale": "0..100"}),
    ImportOptions(),
)


def fuzz(store, tmp_path, rounds, seed):
    rng = random.Random(seed)  # noqa: S311 - repeatable mutations, no secret
    start = [*seeds(), parquet_seed(store)]
    path = tmp_path / "mutant"
    told = imported = 0
    for place in range(rounds):
        content = mutated(rng, rng.choice(start), start)
        path.write_bytes(content)
        choice = rng.choice(CHOICES)
        began, waited = time.process_time(), time.monotonic()
        try:
            preview = check_file(store, path, choice)
        except InputError as error:
            assert_plain(error, store)
            told += 1
        else:
            if preview.counts is not None:
                counts = preview.counts
                assert counts.read == counts.loaded + counts.rejected + counts.duplicate_rows
                assert sum(reason.rows for reason in preview.reasons) == counts.rejected
        if place % 4 == 0:
            try:
                reports = import_files(store, [path], choice)
            except InputError as error:
                assert_plain(error, store)
            else:
                imported += 1
                for report in reports:
                    assert report.read == report.loaded + report.rejected + report.duplicate_rows
        assert time.process_time() - began < SECONDS
        assert time.monotonic() - waited < WAITED_SECONDS
    assert [left for left in store.spool.rglob("*") if left.is_file()] == []
    return told, imported


def assert_plain(error, store):
    text = str(error)
    assert text
    assert "\n" not in text
    assert str(store.spool) not in text
    assert "Error:" not in text


def test_mutated_files(store, tmp_path):
    told, imported = fuzz(store, tmp_path, 150, seed=20261130)
    assert told > 20
    assert imported > 5


@pytest.mark.full
@pytest.mark.parametrize("seed", range(10))
def test_mutated_files_at_length(store, tmp_path, seed):
    fuzz(store, tmp_path, 1_000, seed=seed)
