"""JSON in every shape that holds results, Parquet, and archives of several files."""

import gzip
import io
import json
import zipfile

import pytest
from helpers import LONG, bring, look, options, rejected, stored

from data.errors import InputError
from data.importing import check_file, import_files

RECORDS = [
    {"task_id": "a/1", "model": "Größe", "score": 1, "note": {"deep": [1, {"x": None}]}},
    {"task_id": 2, "model": "Größe", "score": 0.5, "note": None, "extra": "e"},
    {"task_id": 0, "model": "Größe", "score": True},
]
ROWS = [("a/1", "Größe", 1.0), ("2", "Größe", 0.5), ("0", "Größe", 1.0)]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ("\n".join(json.dumps(record) for record in RECORDS), "x.jsonl"),
        ("\r\n\r\n".join(json.dumps(record) for record in RECORDS) + "\r\n", "x.txt"),
        ("\ufeff" + "\n".join(json.dumps(record) for record in RECORDS), "x.jsonl"),
        (json.dumps(RECORDS), "x.json"),
        (json.dumps(RECORDS, indent=2), "x.json"),
        (json.dumps({"results": RECORDS, "version": 3}), "x.json"),
        (json.dumps({"anything": RECORDS, "ids": ["a"]}), "x.csv"),
        (json.dumps({record["task_id"]: record for record in RECORDS}), "x.json"),
        (
            json.dumps({key: [record[key] for record in RECORDS] for key in ("task_id", "model", "score")}),
            "x.json",
        ),
        (json.dumps({"Größe": {"a/1": True, "2": 0.5, "0": 1}}), "x.json"),
    ],
)
def test_shapes_of_json(store, tmp_path, content, name):
    report = bring(store, tmp_path, content, name)
    assert (report.read, report.loaded) == (3, 3)
    assert stored(store, "task_id, model, score") == ROWS


RECORD = '{"task_id": "t1", "model": "m", "score": 0.5, "messages": [{"role": "user"}]}'


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (RECORD, "jsonl"),
        (RECORD + "\n", "jsonl"),
        ("\ufeff" + RECORD + "\r\n\r\n", "jsonl"),
        (RECORD + "\n" + RECORD.replace("t1", "t2"), "jsonl"),
        (RECORD.replace(", ", ",\n"), "json"),
        (f"[{RECORD}]", "json"),
        (f"\ufeff[{RECORD}]\n", "json"),
        (f'{{"suite": "x", "records": [{RECORD}]}}', "json"),
        (f'{{"model": "m", "score": 0.9, "results": [{RECORD}]}}', "json"),
        (f'{{"model": "m", "run": 3, "own name": [{RECORD}, {RECORD.replace("t1", "t2")}]}}', "json"),
        ('{"m": {"t1": 0.5}}', "json"),
    ],
)
def test_one_record_by_itself_and_in_a_list(store, tmp_path, content, name):
    report = bring(store, tmp_path, content)
    assert (report.format, report.rejected) == (name, 0)
    assert stored(store, "task_id, score")[0] == ("t1", 0.5)
    assert report.loaded == content.count("t1") + content.count("t2")


def test_utf16_json_and_gzip(store, tmp_path):
    bring(store, tmp_path, gzip.compress(json.dumps(RECORDS).encode("utf-16")), "x.json.gz")
    assert stored(store, "task_id, model, score") == ROWS


def test_outcomes_by_task_need_a_model(store, tmp_path):
    text = json.dumps({"t1": True, "t2": False, "t3": None})
    with pytest.raises(InputError, match="no column for model"):
        bring(store, tmp_path, text, "x.json")
    bring(store, tmp_path, text, "x.json", constants={"model": "m"})
    assert stored(store, "task_id, model, score") == [("t1", "m", 1.0), ("t2", "m", 0.0), ("t3", "m", None)]


def test_facts_beside_the_list_hold_for_all_records(store, tmp_path):
    text = json.dumps(
        {"model": "m", "results": [{"task_id": "t", "score": 1}, {"task_id": "u", "score": 0, "model": "n"}]}
    )
    bring(store, tmp_path, text, "x.json")
    assert stored(store, "task_id, model") == [("t", "m"), ("u", "n")]


def test_keys_with_any_sign_can_be_mapped(store, tmp_path):
    key = "a/b~c.\"d\" 'e'"
    text = (
        json.dumps({key: "t1", "model": "m", "score": 1})
        + "\n"
        + json.dumps({key: "t2", "model": "m", "score": 1})
    )
    bring(store, tmp_path, text, "x.jsonl", mapping={"task_id": key})
    assert stored(store, "task_id") == [("t1",), ("t2",)]


def test_nested_values_are_shown_as_json(store, tmp_path):
    preview = look(store, tmp_path, json.dumps(RECORDS), "x.json")
    assert preview.header == ("task_id", "model", "score", "note", "extra")
    assert preview.rows[0][3] == '{"deep":[1,{"x":null}]}'
    assert preview.rows[1][3:] == (None, "e")


def test_bad_lines_are_set_aside(store, tmp_path):
    lines = [
        json.dumps(RECORDS[0]),
        json.dumps(RECORDS[1]),
        "{broken",
        "",
        "[1]",
        "7",
        json.dumps(RECORDS[2]),
    ]
    report = bring(store, tmp_path, "\n".join(lines), "x.jsonl")
    assert (report.read, report.loaded, report.rejected) == (6, 3, 3)
    assert [row[:2] for row in rejected(store)] == [(place, "Not a JSON object") for place in (3, 4, 5)]
    assert stored(store, "record_number") == [(1,), (2,), (6,)]


def test_a_damaged_line_among_good_ones_is_set_aside(store, tmp_path):
    lines = [json.dumps(record, ensure_ascii=False).encode() for record in RECORDS]
    content = b"\n".join(
        [lines[0], b"", lines[1], b'{"task_id": "\xff", "model": "m", "score": 1}', lines[2]]
    )
    report = bring(store, tmp_path, content, "x.jsonl")
    assert (report.read, report.loaded) == (4, 3)
    assert [row[:2] for row in rejected(store)] == [(3, "Not valid UTF-8")]
    assert stored(store, "record_number") == [(1,), (2,), (4,)]


def test_not_a_number_in_json_is_no_score(store, tmp_path):
    report = bring(
        store,
        tmp_path,
        '[{"task_id":"t","model":"m","score":NaN},{"task_id":"u","model":"m","score":1}]',
        "x.json",
    )
    assert report.reasons == {"Score is not a finite number": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"version": 2, "samples": [{"id": 1, ', "x.json is cut off at line 1"),
        ('[{"task_id": "t1"}, {"task_id"', "x.json is cut off at line 1"),
        ('[{"task_id": "t1"}, oops]', "x.json is not valid JSON at line 1, column 21"),
        ("[]", "x.json holds no records: its list is empty"),
        ("{}", "x.json holds no records"),
        ("[1, 2]", "entry 1 of the list is not a JSON object"),
        ('[{"task_id": "t"}, null]', "entry 2 of the list is not a JSON object"),
        ("[" * 100_000 + "]" * 100_000, "nested too deep"),
        ('[{"a":' * 300 + "1" + "}]" * 300, "nested too deep"),
        ('{"a": [1], "b": {"c": 2}}', "is not recognised: the JSON holds neither"),
        ("[{}]", "the JSON records have no keys"),
        ('[{"task_id": ' + "9" * 5000 + "}]", "too many digits"),
        ("{broken\n{broken\n", "is not valid JSON"),
        ('{"a":1}\n' + "x" * (17 << 20), "a line is longer than 16 MB"),
        ("[" + json.dumps({f"k{i}": i for i in range(3000)}) + "]", "more than 2,000 different keys"),
    ],
)
def test_json_that_holds_no_results(store, tmp_path, content, message):
    with pytest.raises(InputError, match=message) as told:
        bring(store, tmp_path, content, "x.json")
    assert "\n" not in str(told.value)


def parquet(store, tmp_path, select, name="t.parquet"):
    path = store.exports / name
    with store.scratch() as cursor:
        cursor.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
    return path


def test_parquet(store, tmp_path):
    path = parquet(
        store,
        tmp_path,
        "SELECT * FROM (VALUES (1, 'm', 0.5::DOUBLE, TIMESTAMPTZ '2026-01-02 03:04:05+00', {'a': [1]}), "
        "(2, 'm', 'nan'::DOUBLE, NULL, NULL)) AS t (task_id, model, score, started_at, extra)",
    )
    preview = check_file(store, path, options(benchmark="b"))
    assert preview.rows[0][4] == '{"a":[1]}'
    import_files(store, [path], options(benchmark="b"))
    assert stored(store, "task_id, score, CAST(started_at AS VARCHAR)") == [
        ("1", 0.5, "2026-01-02 03:04:05+00"),
        ("2", None, None),
    ]


def test_a_damaged_parquet_file(store, tmp_path):
    path = parquet(
        store, tmp_path, "SELECT range::VARCHAR AS task_id, 'm' AS model, 1 AS score FROM range(5000)"
    )
    whole = path.read_bytes()
    for cut in (whole[: len(whole) // 2], whole[:200] + bytes(200) + whole[400:]):
        path.write_bytes(cut)
        with pytest.raises(InputError, match="the Parquet file is damaged"):
            import_files(store, [path], options(benchmark="b"))


def zipped(*members, compression=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def test_a_zip_of_several_files_is_several_imports(store, tmp_path):
    other = b"task_id,model,score\nt1,n,0\n"
    path = tmp_path / "all.zip"
    path.write_bytes(
        zipped(
            ("b/two.csv", other),
            ("a.csv", LONG),
            ("__MACOSX/a.csv", b"x"),
            ("b/.DS_Store", b"x"),
            ("d/", b""),
        )
    )
    reports = import_files(store, [path], options())
    assert [(report.file, report.loaded) for report in reports] == [
        ("all.zip/a.csv", 2),
        ("all.zip/two.csv", 1),
    ]
    preview = check_file(store, path, options())
    assert preview.file == "all.zip/a.csv"
    assert "the archive holds 2 files" in preview.warnings[0]


def test_one_bad_file_in_a_zip_stores_nothing(store, tmp_path):
    with pytest.raises(InputError, match=r"all\.zip/b\.csv: none of 1 rows"):
        bring(store, tmp_path, zipped(("a.csv", LONG), ("b.csv", b"task_id,model,score\nt,m,x\n")), "all.zip")
    assert stored(store, "count(*)", "import_batch") == [(0,)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped(), "the archive holds no files"),
        (zipped(("../../evil.csv", LONG)), "points outside the archive"),
        (zipped(("/etc/passwd", LONG)), "points outside the archive"),
        (zipped(("..\\evil.csv", LONG)), "points outside the archive"),
        (zipped(("C:/evil.csv", LONG)), "points outside the archive"),
        (zipped(("a.zip", zipped(("b.csv", LONG)))), "an archive inside an archive is not opened"),
        (zipped(("a.csv", b"")), "z.zip/a.csv is empty"),
        (zipped(("a.csv", LONG))[:60], "the zip archive is damaged or cut off"),
        (b"PK\x03\x04" + bytes(50), "the zip archive is damaged or cut off"),
        (zipped(*((f"{place}.csv", LONG) for place in range(1001))), "1,001 files are more than the 1,000"),
        (zipped(("bomb.csv", b"t1,m,1\n" * (12 << 20))), "unpacks to far more than its size suggests"),
    ],
    ids=range(11),
)
def test_archives_that_are_refused(store, tmp_path, content, message):
    with pytest.raises(InputError, match=message) as told:
        bring(store, tmp_path, content, "z.zip")
    assert "\n" not in str(told.value)


def test_a_zip_with_a_wrong_checksum_or_a_password(store, tmp_path):
    plain = zipped(("a.csv", LONG), compression=zipfile.ZIP_STORED)
    with pytest.raises(InputError, match="damaged"):
        bring(store, tmp_path, plain.replace(b"t2,m,0", b"t2,m,1"), "z.zip")
    with pytest.raises(InputError, match="encrypted"):
        bring(store, tmp_path, flagged(plain), "z.zip")


def flagged(archive):
    """The archive with the encryption flag set in both headers."""
    content = bytearray(archive)
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)
