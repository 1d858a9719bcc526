"""What a cell can say, kind by kind, and what is told about a cell that says nothing usable."""

import math

import pytest
from helpers import bring, look, rejected, stored

from data.errors import InputError


def one_column(field, *cells):
    lines = [f"t{place},m,{cell}" for place, cell in enumerate(cells)]
    return "\n".join([f"task_id,model,{field}", *lines, ""])


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        ("1", 1.0), ("0.25", 0.25), (".5", 0.5), ("1.", 1.0), ("+1", 1.0), ("5e-1", 0.5), ("1.22771e-05", 1.22771e-05),
        ("50%", 0.5), ("100 %", 1.0), ("12.5%", 0.125), ('"12,5%"', 0.125), ('"0,125"', 0.125), ('"0,5"', 0.5),
        ("true", 1.0), ("False", 0.0), ("TRUE", 1.0), ("yes", 1.0), ("No", 0.0), ("C", 1.0), ("I", 0.0), ("P", 0.5),
        ("N", 0.0), ("c", 1.0), ("PASS", 1.0), ("fail", 0.0), ("correct", 1.0), ("incorrect", 0.0),
        ("", None), ("N/A", None), ("null", None), ("None", None), ("-", None), ("unknown", None), ("1_0e-1", 1.0),
    ],
)  # fmt: skip
def test_scores(store, tmp_path, cell, score):
    bring(store, tmp_path, one_column("score", cell, "1"))
    assert stored(store, "score")[0] == (score,)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("abc", "Score cannot be read"),
        ("??", "Score cannot be read"),
        ("=1+1", "Score cannot be read"),
        ("0x1", "Score cannot be read"),
        ("1/2", "Score cannot be read"),
        ("%", "Score cannot be read"),
        ("NaN", "Score is not a finite number"),
        ("inf", "Score is not a finite number"),
        ("-Infinity", "Score is not a finite number"),
        ("1e999", "Score is not a finite number"),
        ("7", "Score is outside 0 to 1"),
        ("-0.1", "Score is outside 0 to 1"),
        ("101%", "Score is outside 0 to 1"),
        ("74.4", "Score is outside 0 to 1"),
    ],
)
def test_scores_that_are_none(store, tmp_path, cell, reason):
    report = bring(store, tmp_path, one_column("score", "1", cell))
    assert report.reasons == {reason: 1}
    assert rejected(store) == [(2, reason, "score", cell)]
    with store.scratch() as cursor:
        expected, raw = cursor.execute("SELECT expected, raw FROM rejected_row").fetchone()
    assert expected
    assert raw == f"t1,m,{cell}"


def test_a_scale_maps_numbers_and_leaves_percentages_and_letters(store, tmp_path):
    bring(store, tmp_path, one_column("score", "50", "75%", "C", "0"), constants={"scale": "0..100"})
    assert stored(store, "score") == [(0.5,), (0.75,), (1.0,), (0.0,)]


@pytest.mark.parametrize("scale", ["0-100", "100..0", "a..b", "1..1", "0..inf", "nan..1", ""])
def test_a_scale_that_is_none(store, tmp_path, scale):
    with pytest.raises(InputError, match="scale"):
        bring(store, tmp_path, one_column("score", "50"), constants={"scale": scale})


@pytest.mark.parametrize(
    ("cell", "passed"),
    [
        ("1", True),
        ("0", False),
        ("1.0", True),
        ("true", True),
        ("False", False),
        ("C", True),
        ("i", False),
        ("", None),
    ],
)
def test_passed_alone_is_enough(store, tmp_path, cell, passed):
    bring(store, tmp_path, one_column("passed", cell, "1"))
    assert stored(store, "passed, score")[0] == (passed, None if passed is None else float(passed))


@pytest.mark.parametrize("cell", ["timeout", "0.5", "2", "P", "-1", "nan"])
def test_passed_that_is_neither(store, tmp_path, cell):
    report = bring(store, tmp_path, one_column("passed", cell, "1"))
    assert report.reasons == {"Passed is neither 0 nor 1": 1}


def test_score_and_passed_stand_side_by_side(store, tmp_path):
    bring(store, tmp_path, "task_id,model,score,passed\nt1,m,0.8,1\nt2,m,,0\nt3,m,1,\nt4,m,0.5,\nt5,m,,\n")
    assert stored(store, "score, passed") == [
        (0.8, True), (0.0, False), (1.0, True), (0.5, False), (None, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        ("1200", 1200),
        ('"1,200"', 1200),
        ("1 200", 1200),
        ("3.0", 3),
        ("1.2e3", 1200),
        ("", None),
        ("0", 0),
        ("1'200", 1200),
    ],
)
def test_counts(store, tmp_path, cell, count):
    bring(store, tmp_path, f"task_id,model,score,output_tokens\nt1,m,1,{cell}\n")
    assert stored(store, "output_tokens") == [(count,)]


@pytest.mark.parametrize(("cell"), ["-1", "2.5", "many", "inf", "1e30", '"1,2"'])
def test_counts_that_are_none(store, tmp_path, cell):
    report = bring(store, tmp_path, f"task_id,model,score,turns\nt0,m,1,1\nt1,m,1,{cell}\n")
    assert next(iter(report.reasons)).startswith("Turns is not a")
    assert (report.loaded, report.rejected) == (1, 1)


@pytest.mark.parametrize(
    ("cell", "cost"),
    [("$1.20", "1.2"), ("1.20 €", "1.2"), ("USD 3", "3"), ('"$1,234.50"', "1234.5"), ("0.00421", "0.00421"),
     ("0.22785100000000003", "0.227851"), ("N/A", None), ("1e-5", "0.00001"), ("0", "0")],
)  # fmt: skip
def test_amounts(store, tmp_path, cell, cost):
    bring(store, tmp_path, f"task_id,model,score,cost,currency\nt1,m,1,{cell},usd\n")
    found, currency = stored(store, "cost, currency")[0]
    assert currency == "USD"
    assert (None if found is None else float(found)) == (
        None if cost is None else pytest.approx(float(cost), abs=1e-12)
    )


@pytest.mark.parametrize("cell", ["-1", "free", "inf", "NaN", "$"])
def test_amounts_that_are_none(store, tmp_path, cell):
    report = bring(
        store, tmp_path, f"task_id,model,score,cost\nt0,m,1,1\nt1,m,1,{cell}\n", constants={"currency": "USD"}
    )
    assert (report.loaded, report.rejected) == (1, 1)


def test_a_currency_that_is_none(store, tmp_path):
    report = bring(store, tmp_path, "task_id,model,score,cost,currency\nt0,m,1,1,$\nt1,m,1,1,EUR\n")
    assert report.reasons == {"Currency is not a three-letter code": 1}


def test_costs_without_a_currency_are_told(store, tmp_path):
    report = bring(store, tmp_path, "task_id,model,score,cost\nt0,m,1,1\nt1,m,1,\n")
    assert any("1 costs have no currency" in text for text in report.warnings)


def test_semicolons_make_the_comma_a_decimal(store, tmp_path):
    bring(
        store,
        tmp_path,
        "task_id;model;score;cost;turns\nt1;m;0,125;1,234;1,200\nt2;m;1;1.234,5;7\n",
        constants={"currency": "EUR"},
    )
    assert [(score, float(cost), turns) for score, cost, turns in stored(store, "score, cost, turns")] == [
        (0.125, 1.234, 1200),
        (1.0, 1234.5, 7),
    ]


def test_latency_in_seconds_or_milliseconds(store, tmp_path):
    bring(store, tmp_path, "task_id,model,score,latency_s\nt1,m,1,1.5\n")
    bring(store, tmp_path, "task_id,model,score,latency_ms\nt1,m,1,1500\n", benchmark="c")
    assert stored(store, "latency_ms") == [(1500.0,), (1500.0,)]


MOMENT = "2024-12-13 06:07:11"


@pytest.mark.parametrize(
    "cell",
    ["2024-12-13T06:07:11Z", "2024-12-13 06:07:11+00", "2024-12-13T08:07:11+02:00", "2024-12-13T08:07:11+0200",
     "2024-12-13 06:07:11 UTC", "2024-12-13 06:07:11 GMT", "2024/12/13 06:07:11Z", "1734070031", "1734070031000",
     "1734070031000000", "1734070031000000000", "1734070031.0", "2024-12-13T06:07:11.0000000Z", "1.734070031e9"],
)  # fmt: skip
def test_moments_with_a_zone_and_epochs(store, tmp_path, cell):
    bring(store, tmp_path, f"task_id,model,score,started_at\nt1,m,1,{cell}\n")
    assert str(stored(store, "started_at")[0][0])[:19] == MOMENT


@pytest.mark.parametrize(
    "cell", ["2024-12-13T06:07:11", "2024-12-13 06:07:11.1234567", "2024-12-13", "2024-12-13 06:07"]
)
def test_moments_without_a_zone_need_one(store, tmp_path, cell):
    text = f"task_id,model,score,started_at\nt0,m,1,\nt1,m,1,{cell}\n"
    with pytest.raises(
        InputError, match=r"started_at has times without a zone \(.* in record 2\).*--timezone"
    ):
        bring(store, tmp_path, text)
    preview = look(store, tmp_path, text)
    assert preview.needs == ("timezone",)
    bring(store, tmp_path, text, timezone="Europe/Berlin")
    hour = 23 if len(cell) == 10 else 5
    assert stored(store, "started_at")[1][0].hour == hour


def test_a_zone_that_does_not_exist(store, tmp_path):
    text = "task_id,model,score,started_at\nt1,m,1,2024-12-13 06:07\n"
    with pytest.raises(InputError, match=r"no time zone 'Mars/Base'.*Europe/Berlin"):
        bring(store, tmp_path, text, timezone="Mars/Base")
    with pytest.raises(InputError, match="no time zone"):
        bring(store, tmp_path, text, timezone="x' || chr(0)")


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("01/02/2026", "Started at is an ambiguous date"),
        ("3.11.2026 09:00", "Started at is an ambiguous date"),
        ("2026-02-30T00:00:00Z", "Started at is not a time"),
        ("yesterday", "Started at is not a time"),
        ("infinity", "Started at is not a time"),
        ("epoch", "Started at is not a time"),
        ("nan", "Started at is not a time"),
        ("12", "Started at is out of range"),
        ("1e300", "Started at is not a time"),
        ("0001-01-01T00:00:00Z", "Started at is out of range"),
        ("9e17", "Started at is out of range"),
    ],
)
def test_moments_that_are_none(store, tmp_path, cell, reason):
    report = bring(store, tmp_path, f"task_id,model,score,started_at\nt0,m,1,\nt1,m,1,{cell}\n")
    if report.reasons:
        assert report.reasons == {reason: 1}
    else:
        assert cell == "9e17"  # 1998 in nanoseconds


def test_zero_is_an_unknown_moment_and_said(store, tmp_path):
    report = bring(store, tmp_path, "task_id,model,score,started_at\nt0,m,1,0\nt1,m,1,1734070031\n")
    assert report.warnings == ("started_at is 0 in 1 rows: read as unknown",)
    assert stored(store, "started_at IS NULL") == [(True,), (False,)]


@pytest.mark.parametrize(
    ("cell", "good"),
    [("", True), ("ok", True), ("Success", True), ("TRUE", True), ("200", True), ("204", True), ("error", False),
     ("404", False), ("timeout", False), ("2000", False), ("false", False)],
)  # fmt: skip
def test_the_status_rule(store, tmp_path, cell, good):
    bring(store, tmp_path, f"task_id,model,score,status\nt1,m,1,{cell}\n")
    assert stored(store, "status_ok") == [(good,)]


def test_a_task_called_zero_is_not_blank(store, tmp_path):
    report = bring(store, tmp_path, "task_id,model,score\n0,m,1\n00,m,0\n,m,1\n")
    assert stored(store, "task_id") == [("0",), ("00",)]
    assert report.reasons == {"Task is blank": 1}


def test_a_text_beyond_all_bounds_is_set_aside(store, tmp_path):
    report = bring(store, tmp_path, f"task_id,model,score\n{'x' * 5000},m,1\nt2,m,1\n")
    assert report.reasons == {"Task is too long": 1}
    with store.scratch() as cursor:
        value, raw = cursor.execute("SELECT value, raw FROM rejected_row").fetchone()
    assert len(value) <= 2000
    assert len(raw) <= 2000


@pytest.mark.parametrize(
    "cell",
    ["=cmd|'/c calc'!A0", "+1+1", "@SUM(A1)", "<script>alert(1)</script>", "'; DROP TABLE eval_result; --",
     "a\"b'c`d", "line\nline", "\\n\\t", "{{7*7}}", "${x}", "%s%d", "\u202eevil", "🙂", "a,b;c|d\te"],
)  # fmt: skip
def test_hostile_text_is_text(store, tmp_path, cell):
    quoted = '"' + cell.replace('"', '""') + '"'
    header = '"=cmd <b>""quoted""</b>\n\'; DROP TABLE x"'
    text = f"task_id,model,domain,url,score,{header}\n{quoted},{quoted},{quoted},{quoted},1,{quoted}\n"
    report = bring(store, tmp_path, text)
    assert report.loaded == 1
    assert stored(store, "task_id, model, domain, url") == [(cell,) * 4]


def test_duplicates_need_a_run(store, tmp_path):
    text = "task_id,model,run,score\nt1,m,1,1\nt1,m,1,1\nt1,m,2,1\nt1,m,1,0\nt2,m,,1\nt2,m,,1\n"
    report = bring(store, tmp_path, text)
    assert (report.read, report.loaded, report.rejected, report.duplicate_rows) == (6, 4, 1, 1)
    assert rejected(store)[0][:2] == (4, "Another record has this task, model and run")
    repeats = bring(store, tmp_path, "task_id,model,score\nt1,m,1\nt1,m,1\nt1,m,0\n", benchmark="c")
    assert (repeats.loaded, repeats.duplicate_rows) == (3, 0)
    assert stored(store, "CASE benchmark WHEN 'c' THEN run END")[-3:] == [("1",), ("2",), ("3",)]


def test_rows_that_differ_in_an_unused_column_are_no_duplicates(store, tmp_path):
    report = bring(store, tmp_path, "task_id,model,run,score,note\nt1,m,1,1,a\nt1,m,1,1,b\nt1,m,1,1,a\n")
    assert (report.loaded, report.rejected, report.duplicate_rows) == (1, 1, 1)


def test_metrics_and_variants_tell_records_apart(store, tmp_path):
    text = "task_id,model,run,variant,metric,score\nt,m,1,a,x,1\nt,m,1,b,x,1\nt,m,1,a,y,1\nt,m,1,a,x,1\n"
    report = bring(store, tmp_path, text)
    assert (report.loaded, report.duplicate_rows) == (3, 1)


def test_nothing_loadable_says_why(store, tmp_path):
    with pytest.raises(
        InputError, match=r"none of 2 rows can be loaded; score cannot be read in 2, 'abc' in record 1"
    ):
        bring(store, tmp_path, "task_id,model,score\nt1,m,abc\nt2,m,??\n")


def test_published_scores(store, tmp_path):
    text = (
        "model,score,n_tasks,stderr,date\nA,74.4,500,1.5,2026-11-03\nB,,500,,\nC,50%,,,2026/11/04\nD,101,1,,\n"
        "E,60,,,03/11/2026\n"
    )
    report = bring(store, tmp_path, text, kind="scores", constants={"scale": "0..100"})
    assert (report.read, report.loaded) == (5, 2)
    assert report.reasons == {
        "Score is blank": 1,
        "Score is outside 0 to 1": 1,
        "Date is an ambiguous date": 1,
    }
    rows = stored(store, "model, score, n_tasks, stderr, CAST(date AS VARCHAR)", "published_score")
    assert rows[0][:3] == ("A", pytest.approx(0.744), 500)
    assert rows[0][3:] == (pytest.approx(0.015), "2026-11-03")
    assert rows[1] == ("C", 0.5, None, None, "2026-11-04")


def test_no_score_is_lost_to_rounding(store, tmp_path):
    values = [math.nextafter(0.1, 1), 1 / 3, 1e-300, 0.9999999999999999]
    bring(store, tmp_path, one_column("score", *values))
    assert [score for (score,) in stored(store, "score")] == values
