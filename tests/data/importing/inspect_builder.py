"""Small Inspect logs of several schema ages, written from scratch for the tests."""

import io
import json
import struct
import zipfile
import zlib

import duckdb
import pyarrow as pa

from data.importing.formats.base import HEAD_BYTES, SpooledFile
from data.importing.formats.inspect import InspectFormat
from data.importing.staged import ImportOptions

MODEL = "openai/aster-5"
NEW = "0.3.259"
OLD = "0.3.120"


def usage(plain, output, *, read=None, write=None, reasoning=None, total=None, cost=None):
    found = {
        "input_tokens": plain,
        "output_tokens": output,
        "total_tokens": plain + output + (read or 0) + (write or 0) if total is None else total,
        "input_tokens_cache_read": read,
        "input_tokens_cache_write": write,
        "reasoning_tokens": reasoning,
        "total_cost": cost,
    }
    return {key: value for key, value in found.items() if value is not None}


def sample(sample_id, value="C", *, epoch=1, scorer="match", turns=2, model_usage=None, **more):
    made = {
        "id": sample_id,
        "epoch": epoch,
        "input": "question",
        "target": "answer",
        "messages": [{"role": "user"}, *({"role": "assistant"} for _ in range(turns))],
        "scores": {scorer: {"value": value, "answer": "x"}},
        "metadata": {},
        "events": [],
        "model_usage": {MODEL: usage(100, 10)} if model_usage is None else model_usage,
        "started_at": "2026-03-01T10:00:00+00:00",
        "total_time": 9.5,
        "working_time": 7.25,
        "turn_count": turns,
    }
    return {**made, **more}


def log(samples, *, status="success", version=NEW, spec=None, scores=None, planned=None, **more):
    first = next(iter(samples[0].get("scores") or {"match": 0})) if samples else "match"
    names = [first] if scores is None else scores
    made = {
        "version": 2,
        "status": status,
        "eval": {
            "eval_id": "e" * 22,
            "run_id": "r" * 22,
            "created": "2026-03-01T09:59:00+00:00",
            "task": "fixing",
            "task_id": "t" * 22,
            "task_version": 0,
            "model": MODEL,
            "dataset": {"name": "fixes", "samples": len(samples)},
            "config": {"epochs": 1},
            "packages": {"inspect_ai": version},
            "tags": ["nightly"],
            **(spec or {}),
        },
        "plan": {"name": "plan", "steps": [{"solver": "generate", "params": {}}], "config": {}},
        "results": {
            "total_samples": len(samples) if planned is None else planned,
            "completed_samples": len(samples),
            "scores": [
                {
                    "name": name.split("/")[-1],
                    "scorer": name.split("/")[0],
                    "metrics": {"accuracy": {"value": 0.5}},
                }
                for name in names
            ],
        },
        "stats": {"started_at": "2026-03-01T10:00:00+00:00"},
        "samples": samples,
    }
    return {**made, **more}


def summary(record):
    """What Inspect repeats of a sample in summaries.json."""
    kept = ("id", "epoch", "metadata", "scores", "model_usage", "role_usage", "started_at", "total_time")
    short = {key: record[key] for key in (*kept, "working_time", "turn_count") if key in record}
    error, limit = record.get("error"), record.get("limit")
    return {**short, "error": error and error["message"], "limit": limit and limit["type"], "completed": True}


def as_json(document):
    return json.dumps(document).encode()


def eval_members(document, *, summaries=True, header=True):
    """Members of an .eval archive; without a header the run never ended."""
    head = {key: value for key, value in document.items() if key != "samples"}
    start = {key: head[key] for key in ("version", "eval", "plan")}
    members = [("_journal/start.json", as_json(start))]
    for number, record in enumerate(document["samples"], 1):
        members += [
            (f"samples/{record['id']}_epoch_{record['epoch']}.json", as_json(record)),
            (f"_journal/summaries/{number}.json", as_json([summary(record)])),
        ]
    if summaries:
        members.append(("summaries.json", as_json([summary(record) for record in document["samples"]])))
    if header:
        members.append(("header.json", as_json(head)))
    return members


def archive(members):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members:
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return target.getvalue()


def zstandard_archive(members, *, frames=1, spoil=False):
    """A zip with method 93, which ``zipfile`` cannot write before Python 3.14."""
    body, directory = b"", b""
    for name, content in members:
        step = max(1, -(-len(content) // frames))
        pieces = [content[at : at + step] for at in range(0, len(content), step)]
        packed = b"".join(pa.compress(piece, codec="zstd", asbytes=True) for piece in pieces)
        checksum = zlib.crc32(content) ^ spoil
        sizes = (checksum, len(packed), len(content), len(name.encode()), 0)
        local = struct.pack("<4s5HIII2H", b"PK\x03\x04", 63, 0, 93, 0, 0, *sizes) + name.encode()
        entry = struct.pack("<4s6HIII5HII", b"PK\x01\x02", 63, 63, 0, 93, 0, 0, *sizes, 0, 0, 0, 0, len(body))
        directory += entry + name.encode()
        body += local + packed
    end = struct.pack(
        "<4s4HIIH", b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), len(body), 0
    )
    return body + directory + end


def spooled(folder, content, name="log"):
    path = folder / "spooled"
    path.write_bytes(content)
    kind = "zip" if content.startswith(b"PK") else "json" if content.lstrip()[:1] in (b"{", b"[") else "text"
    head = content[:HEAD_BYTES]
    return SpooledFile(path, name, "0" * 64, len(content), kind, "utf-8", head, len(content) <= HEAD_BYTES)


def read(folder, content, **options):
    """(rows as dictionaries, the raw table) of a log given as bytes or as a document."""
    given = content if isinstance(content, bytes) else as_json(content)
    with duckdb.connect() as connection:
        table = InspectFormat().read(connection, spooled(folder, given), ImportOptions(**options))
        cursor = connection.execute(f"SELECT * FROM {table.table} ORDER BY record_number")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()], table
