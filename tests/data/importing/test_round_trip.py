"""What is read equals what was written, whatever the layout it was written in."""

import csv
import gzip
import io
import json
import tempfile
from pathlib import Path

import pytest
from helpers import options, stored
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from data.importing import import_files
from data.store import Store

TEXT = st.text(
    st.one_of(
        st.sampled_from("abc XYZ019_-/\\.,;|\t'\"=+@#%<>&\n\r(){}[]"),
        st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")),
    ),
    min_size=1,
    max_size=20,
).map(lambda text: text.strip(" \t\n\r\u00a0"))
IDS = TEXT.filter(bool)
SCORES = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.0, 1.0]))
ROWS = st.lists(st.tuples(IDS, IDS, SCORES, IDS), min_size=1, max_size=12)
# Each example writes to a store; making a failing one smaller would take longer than reading it.
QUICKLY = settings(
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),
    database=None,
)
HEADERS = ["task_id", "model", "score", "domain"]


@st.composite
def layouts(draw):
    return {
        "format": draw(st.sampled_from(["csv", "csv", "csv", "json", "jsonl"])),
        "delimiter": draw(st.sampled_from([",", ";", "\t", "|"])),
        "line_end": draw(st.sampled_from(["\n", "\r\n", "\r"])),
        "quoting": draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        "encoding": draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be-marked", "utf-32"])),
        "decimal_comma": draw(st.booleans()),
        "gzip": draw(st.booleans()),
        "order": draw(st.permutations(range(len(HEADERS)))),
        "last_line_end": draw(st.booleans()),
    }


def written(rows, layout):
    order = layout["order"]
    if layout["format"] == "csv":
        out = io.StringIO(newline="")
        # Before Python 3.13 line ends of another kind than the file's are written bare, and no reader can tell.
        bare = any({"\r", "\n"} & set(cell) for row in rows for cell in row if isinstance(cell, str))
        quoting = csv.QUOTE_ALL if bare else layout["quoting"]
        writer = csv.writer(
            out, delimiter=layout["delimiter"], lineterminator=layout["line_end"], quoting=quoting
        )
        writer.writerow([HEADERS[place] for place in order])
        for row in rows:
            cells = [row[0], row[1], number(row[2], layout), row[3]]
            writer.writerow([cells[place] for place in order])
        text = out.getvalue()
        if not layout["last_line_end"]:
            text = text.removesuffix(layout["line_end"])
    else:
        records = [{HEADERS[place]: row[place] for place in order} for row in rows]
        as_lines = layout["format"] == "jsonl"
        text = "\n".join(map(json.dumps, records)) if as_lines else json.dumps(records, ensure_ascii=False)
    if layout["encoding"] == "utf-16-be-marked":
        content = b"\xfe\xff" + text.encode("utf-16-be")
    else:
        content = text.encode(layout["encoding"])
    return gzip.compress(content) if layout["gzip"] else content


def number(score, layout):
    if score is None:
        return ""
    text = repr(score)
    comma = layout["decimal_comma"] and layout["delimiter"] == ";" and "e" not in text
    return text.replace(".", ",") if comma else text


@pytest.fixture(scope="module")
def shared_store():
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.duckdb", threads=1) as opened:
        yield opened


def check_round_trip(store, rows, layout, number_of_run):
    content = written(rows, layout)
    path = store.path.parent / "written"
    path.write_bytes(content)
    benchmark = f"b{number_of_run}"
    report = import_files(store, [path], options(benchmark=benchmark))[0]
    assert (report.read, report.loaded, report.rejected) == (len(rows), len(rows), 0), report
    found = stored(
        store, "task_id, model, score, domain", f"(SELECT * FROM eval_result WHERE benchmark = '{benchmark}')"
    )
    assert found == [(task, model, score, domain) for task, model, score, domain in rows]


@settings(QUICKLY, max_examples=60, derandomize=True)
@given(rows=ROWS, layout=layouts())
def test_what_is_read_equals_what_was_written(shared_store, rows, layout):
    with shared_store.scratch() as cursor:
        (count,) = cursor.execute("SELECT count(*) FROM import_batch").fetchone()
    check_round_trip(shared_store, rows, layout, count)


@pytest.mark.full
@settings(QUICKLY, max_examples=3000)
@given(rows=ROWS, layout=layouts())
def test_what_is_read_equals_what_was_written_at_length(shared_store, rows, layout):
    with shared_store.scratch() as cursor:
        (count,) = cursor.execute("SELECT count(*) FROM import_batch").fetchone()
    check_round_trip(shared_store, rows, layout, count)
