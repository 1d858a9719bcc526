"""Every dialect and encoding a table comes in reads as the same rows."""

import gzip

import pytest
from helpers import LONG, bring, look, options, rejected, stored

from data.errors import InputError
from data.importing import import_files

PLAIN = "task_id,model,score,note\nt1,Größe 5,0.5,x\nt2,Größe 5,1,y\n"
ROWS = [("t1", "Größe 5", 0.5), ("t2", "Größe 5", 1.0)]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (PLAIN.encode(), "UTF-8"),
        (b"\xef\xbb\xbf" + PLAIN.encode(), "UTF-8"),
        (PLAIN.encode("utf-16"), "UTF-16"),
        (b"\xfe\xff" + PLAIN.encode("utf-16-be"), "UTF-16"),
        (PLAIN.encode("utf-16-le"), "UTF-16"),
        (PLAIN.encode("utf-16-be"), "UTF-16"),
        (PLAIN.encode("utf-32"), "UTF-32"),
        (PLAIN.encode("latin-1"), "Windows-1252 (Latin-1)"),
        (gzip.compress(PLAIN.encode()), "UTF-8"),
        (gzip.compress(PLAIN.encode("utf-16")), "UTF-16"),
        (PLAIN.replace("\n", "\r\n").encode(), "UTF-8"),
        (PLAIN.replace("\n", "\r").encode(), "UTF-8"),
        (PLAIN.rstrip("\n").encode(), "UTF-8"),
        (b"\n\r\n  \n" + PLAIN.encode(), "UTF-8"),
        (PLAIN.replace("\n", "\n\n").encode(), "UTF-8"),
        (PLAIN.replace("x\n", "x\r\n").encode(), "UTF-8"),
        (PLAIN.replace("x\n", "x\r").encode(), "UTF-8"),
    ],
)
def test_encodings_and_line_ends(store, tmp_path, content, encoding):
    preview = look(store, tmp_path, content)
    assert preview.encoding == encoding
    assert preview.counts.loaded == 2
    report = bring(store, tmp_path, content)
    assert (report.read, report.loaded, report.rejected) == (2, 2, 0)
    assert stored(store, "task_id, model, score") == ROWS


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("task_id;model;score\nt1;Größe 5;0,5\nt2;Größe 5;1\n", "semicolon"),
        ("task_id;model;score\nt1;Größe 5;0.5\nt2;Größe 5;1\n", "semicolon"),
        ("task_id\tmodel\tscore\nt1\tGröße 5\t0,5\nt2\tGröße 5\t1\n", "tab"),
        ("task_id|model|score\nt1|Größe 5|50%\nt2|Größe 5|100 %\n", "pipe"),
        ("'task_id','model','score'\n't1','Größe 5','0.5'\n't2','Größe 5','1'\n", "comma"),
        ("task_id,model,score,\nt1,Größe 5,0.5,\nt2,Größe 5,1,\n", "comma"),
        ("Export of 3 November\n\ntask_id,model,score\nt1,Größe 5,0.5\nt2,Größe 5,1\n", "comma"),
        (" task_id , model ,score\n t1 , Größe 5 ,0.5\nt2,\u00a0Größe 5\u00a0,1\n", "comma"),
    ],
)
def test_delimiters_quotes_and_headers(store, tmp_path, text, delimiter):
    preview = look(store, tmp_path, text)
    assert preview.delimiter == delimiter
    bring(store, tmp_path, text)
    assert stored(store, "task_id, model, score") == ROWS


def test_the_header_line_is_told(store, tmp_path):
    preview = look(store, tmp_path, "Export of 3 November\n\ntask_id,model,score\nt1,m,1\n")
    assert preview.header_line == 3
    assert preview.header == ("task_id", "model", "score")
    assert preview.rows == (("t1", "m", "1"),)


def test_quoted_line_ends_quotes_and_delimiters_stay_in_their_cell(store, tmp_path):
    text = 'task_id,model,score\r\n"a\nb","m, ""the"" model",1\r\n"c\r\nd","m, ""the"" model",0\r\n'
    bring(store, tmp_path, text)
    assert stored(store, "task_id, model, score") == [
        ("a\nb", 'm, "the" model', 1.0),
        ("c\r\nd", 'm, "the" model', 0.0),
    ]


def test_backslash_escapes(store, tmp_path):
    bring(store, tmp_path, 'task_id,model,score\nt1,"the \\"m\\", really",1\n')
    assert stored(store, "model") == [('the "m", really',)]


def test_ragged_records_are_set_aside_with_their_number_and_text(store, tmp_path):
    text = 'task_id,model,score\nt1,m,1\n\nt2,m\nt3,m,0,more,cells\nt4,m,0\n"open,m,1\nt5,m,1\n'
    report = bring(store, tmp_path, text)
    assert (report.read, report.loaded, report.rejected) == (5, 2, 3)
    assert report.reasons == {
        "Fewer cells than the header": 1,
        "More cells than the header": 1,
        "A quote is not closed, or stands inside a cell": 1,
    }
    assert [row[0] for row in rejected(store)] == [2, 3, 5]
    with store.scratch() as cursor:
        raw = cursor.execute("SELECT raw FROM rejected_row ORDER BY record_number").fetchall()
    assert raw[:2] == [("t2,m",), ("t3,m,0,more,cells",)]
    assert stored(store, "task_id, record_number") == [("t1", 1), ("t4", 4)]


def test_a_damaged_line_among_good_ones_is_set_aside(store, tmp_path):
    content = "task_id,model,score\n" + "".join(f"t{i},Größe,1\n" for i in range(5))
    report = bring(store, tmp_path, content.encode() + b"t9,Gr\xf6\xdfe,1\n")
    assert (report.read, report.loaded) == (6, 5)
    assert report.reasons == {"Not valid UTF-8": 1}


def test_windows_text_is_read_and_said(store, tmp_path):
    report = bring(store, tmp_path, "task_id,model,score\nt1,€ “m”,1\n".encode("cp1252"))
    assert stored(store, "model") == [("€ “m”",)]
    assert any("Windows-1252" in text for text in report.warnings)


def test_a_record_above_the_limit_is_set_aside(store, tmp_path):
    content = b"task_id,model,score,note\nt1,m,1,x\nt2,m,0," + b"y" * (17 << 20) + b"\nt3,m,1,z\n"
    report = bring(store, tmp_path, content)
    assert (report.read, report.loaded) == (3, 2)
    assert report.reasons == {"Longer than 16 MB": 1}
    assert stored(store, "task_id, record_number") == [("t1", 1), ("t3", 3)]


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"", "e.csv", "e.csv is empty: it has no bytes at all"),
        (b"\n \n\n", "e.csv", "e.csv is empty: it has blank lines only"),
        (b"\xef\xbb\xbf", "e.csv", "e.csv is empty"),
        (b"task_id,model,score\n", "h.csv", "h.csv has only a header and no data rows"),
        (b"task_id,model,score\r\n\r\n\r\n", "h.csv", "h.csv has only a header and no data rows"),
        (b"task_id", "h.csv", "h.csv has only a header and no data rows"),
        (b",,\n1,2,3\n", "h.csv", "the header line is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "p.csv", "p.csv is a PNG picture, not a table"),
        (b"%PDF-1.7\n\x00\x01\x02\x03", "p.csv", "p.csv is a PDF document"),
        (bytes(range(256)) * 20, "b.csv", "b.csv is binary data, not a table"),
        (LONG.replace(b"t2", b"t\x002") + b"t3,m,1\n" * 200, "n.csv", "the text holds NUL bytes|binary data"),
        (LONG * 1000 + b"t\x003,m,1\n", "n.csv", "n.csv: the text holds NUL bytes"),
        (
            b"\xff\xfe" + "a,b\n".encode("utf-16-le") + b"\x00\xd8\x41",
            "u.csv",
            "starts as UTF-16 and is damaged",
        ),
        (gzip.compress(LONG)[:-9], "g.csv.gz", "the gzip data is damaged or cut off"),
        (gzip.compress(LONG)[:20] + b"\x55" * 30, "g.csv.gz", "the gzip data is damaged or cut off"),
        (gzip.compress(gzip.compress(LONG)), "g.gz", "an archive inside an archive is not opened"),
        (gzip.compress(b""), "g.gz", "is empty"),
        (b"PAR1" + b"x" * 40, "p.parquet", "the Parquet file is damaged or cut off"),
        (
            ",".join(f"c{i}" for i in range(10_000)).encode() + b"\n1\n",
            "w.csv",
            "10,000 columns are more than",
        ),
        (b"x" * (3 << 20), "l.csv", "the first line is longer than 1 MB|only a header"),
    ],
)
def test_what_is_no_table_gets_one_clear_line(store, tmp_path, content, name, message):
    with pytest.raises(InputError, match=message) as told:
        bring(store, tmp_path, content, name)
    assert "\n" not in str(told.value)
    assert str(tmp_path) not in str(told.value)
    assert stored(store, "count(*)", "import_batch") == [(0,)]


def test_a_file_that_unpacks_beyond_reason_is_stopped(store, tmp_path):
    with pytest.raises(InputError, match="unpacks to far more than its size suggests"):
        bring(
            store,
            tmp_path,
            gzip.compress(b"task_id,model,score\n" + b"t1,m,1\n" * (20 << 20), 9),
            "bomb.csv.gz",
        )


def test_nothing_is_left_in_the_spool(store, tmp_path):
    bring(store, tmp_path, LONG)
    with pytest.raises(InputError):
        bring(store, tmp_path, b"task_id,model,score\nt1,m,abc\nt2\n")
    assert [path for path in store.spool.rglob("*") if path.is_file()] == []


def test_names_of_files_are_shown_without_their_folders(store, tmp_path):
    path = tmp_path / "o'; DROP TABLE import_batch; --.csv"
    path.write_bytes(LONG)
    report = import_files(store, [path], options(), ["../../etc/\x1b[31mpasswd\n.csv"])[0]
    assert report.file == "?[31mpasswd?.csv"
    assert import_files(store, [path], options())[0].duplicate


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_carriage_returns_inside_cells_stay_where_tabs_part_them(store, tmp_path, line_end):
    rows = [
        ('"m"', '"a\rb"', '"t1"', '"0,5"'),
        ('"m"', '"c"', '"t\r\n2"', '""'),
        ('"m"', '"d"', '"t3"', '"1"'),
    ]
    lines = ["\t".join(row) for row in [('"model"', '"domain"', '"task_id"', '"score"'), *rows]]
    report = bring(store, tmp_path, line_end.join(lines))
    assert (report.read, report.loaded) == (3, 3)
    assert stored(store, "task_id, domain, score") == [
        ("t1", "a\rb", 0.5), ("t\r\n2", "c", None), ("t3", "d", 1.0)
    ]  # fmt: skip


def test_a_record_without_an_end_set_aside_keeps_carriage_returns_of_the_others(store, tmp_path):
    content = 'task_id,model,domain,score\nt1,m,"a\rb",1\nt2,m\nt3,m,"c\r",0\n'
    report = bring(store, tmp_path, content)
    assert (report.read, report.loaded, report.rejected) == (3, 2, 1)
    assert stored(store, "task_id, domain") == [("t1", "a\rb"), ("t3", "c")]
