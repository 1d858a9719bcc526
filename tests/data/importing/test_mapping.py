"""Which column becomes which field, what is guessed, what is remembered, and what a file is taken for."""

import pytest
from helpers import LONG, bring, look, options, stored

from data.errors import InputError
from data.importing import (
    ImportOptions,
    canonical_fields,
    check_file,
    formats,
    import_files,
    kinds,
    suggest_mapping,
    template,
)
from data.importing.kinds.register import PLANNED

GUESSED = "instance_id,Model Name,resolved,cost_usd,note\nt1,m,1,0.5,x\nt2,m,0,0.25,y\n"


def test_exact_names_map_themselves_and_a_choice_beats_them(store, tmp_path):
    text = "task_id,model,alias,score,score_binarized\nt1,code,Name,0.3,1\n"
    bring(store, tmp_path, text, mapping={"model": "alias", "score": "score_binarized"})
    assert stored(store, "model, score") == [("Name", 1.0)]


def test_a_value_for_all_rows_beats_a_column(store, tmp_path):
    bring(store, tmp_path, LONG, constants={"model": "other"}, mapping={"model": "model"})
    assert stored(store, "DISTINCT model") == [("other",)]


def test_guesses_for_needed_fields_are_applied_and_said(store, tmp_path):
    report = bring(store, tmp_path, GUESSED)
    assert stored(store, "task_id, model, passed, cost") == [
        ("t1", "m", True, None),
        ("t2", "m", False, None),
    ]
    assert "read resolved as passed; say --map passed=resolved to confirm" in report.warnings
    assert any(text.startswith("read instance_id as task_id") for text in report.warnings)
    assert any(text.startswith("read Model Name as model") for text in report.warnings)


def test_the_preview_says_what_each_column_becomes_and_why(store, tmp_path):
    preview = look(
        store, tmp_path, "task_id,model,score_binarized,generation_cost,note\nt1,m,1,0.5,x\nt2,m,0,,y\n"
    )
    assert [(use.header, use.field, use.suggestion, use.why) for use in preview.columns] == [
        ("task_id", "task_id", None, "exact name"),
        ("model", "model", None, "exact name"),
        ("score_binarized", "passed", None, "values 0 and 1"),
        ("generation_cost", None, "cost", "guess: check"),
        ("note", None, None, "not used"),
    ]
    assert preview.columns[4].values == ("x", "y")
    assert suggest_mapping(preview) == {
        "task_id": "task_id", "model": "model", "passed": "score_binarized", "cost": "generation_cost",
    }  # fmt: skip


def test_several_columns_that_could_be_a_needed_field_are_listed(store, tmp_path):
    text = "task_id,model,resolved,correct\nt1,m,1,0\n"
    with pytest.raises(InputError, match="score or passed could be resolved, correct"):
        bring(store, tmp_path, text)
    preview = look(store, tmp_path, text)
    assert preview.missing == ("score or passed",)
    assert preview.counts is None


def test_a_guess_must_fit_the_values(store, tmp_path):
    with pytest.raises(InputError, match="no column for score or passed"):
        bring(store, tmp_path, "task_id,model,result\nt1,m,some text\n")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"mapping": {"model": "nothing"}},
            "there is no column 'nothing' for model; the columns are task_id, model, score",
        ),
        ({"mapping": {"nosuch": "score"}}, "eval results have no field 'nosuch'"),
        ({"constants": {"nosuch": "1"}}, "eval results have no field 'nosuch'"),
        ({"mapping": {"settings": "score"}}, "eval results have no field 'settings'"),
        ({"kind": "nonsense"}, "there is no kind 'nonsense'; choose one of evals, scores, votes"),
        ({"kind": "prices", "benchmark": None}, "kind 'prices' is not supported yet by this version"),
        ({"format": "xlsx"}, "there is no format 'xlsx'; choose one of"),
        ({"format": "parquet"}, "does not look like Parquet"),
        ({"format": "inspect"}, "does not look like Inspect log"),
        ({"format": "wide", "kind": "scores"}, "only eval results come in wide tables"),
        ({"benchmark": None}, "no column for benchmark"),
    ],
)
def test_what_a_person_said_wrong(store, tmp_path, more, message):
    with pytest.raises(InputError, match=message) as told:
        bring(store, tmp_path, LONG, **more)
    assert "\n" not in str(told.value)


def test_a_header_that_stands_twice(store, tmp_path):
    with pytest.raises(InputError, match="no column for model"):
        bring(store, tmp_path, "task_id,model,model,score\nt1,a,b,1\n")
    with pytest.raises(InputError, match="2 columns are called 'model'; rename all but one"):
        bring(store, tmp_path, "task_id,model,model,score\nt1,a,b,1\n", mapping={"model": "model"})
    bring(store, tmp_path, "task_id,model,x,x,,score\nt1,a,b,c,d,1\n")
    assert stored(store, "model, score") == [("a", 1.0)]


def test_swapped_columns_are_read_by_name(store, tmp_path):
    bring(store, tmp_path, "output_tokens,model,input_tokens_uncached,task_id,score\n5,m,1000,t,1\n")
    assert stored(store, "input_tokens_uncached, output_tokens") == [(1000, 5)]


def test_the_mapping_is_remembered_for_the_same_header(store, tmp_path):
    text = "task,who,points\nt1,m,50\n"
    bring(
        store,
        tmp_path,
        text,
        benchmark="b",
        mapping={"task_id": "task", "model": "who", "score": "points"},
        constants={"scale": "0..100"},
    )
    again = import_files(store, [write(tmp_path, "points,who,task\n25,n,t2\n")], ImportOptions())[0]
    assert (again.kind, again.loaded) == ("evals", 1)
    assert "read as the last file with these columns" in again.warnings[0]
    assert stored(store, "benchmark, task_id, model, score")[1] == ("b", "t2", "n", 0.25)
    other = import_files(
        store, [write(tmp_path, "points,who,task\n75,o,t2\n")], ImportOptions(constants={"benchmark": "c"})
    )[0]
    assert other.loaded == 1
    assert stored(store, "benchmark, score")[2] == ("c", 0.75)
    columns = check_file(store, tmp_path / "again.csv", ImportOptions()).columns
    assert {use.why for use in columns} == {"remembered"}


def test_a_choice_is_not_mixed_with_what_was_remembered(store, tmp_path):
    bring(
        store,
        tmp_path,
        "task,who,points\nt1,m,50\n",
        mapping={"task_id": "task", "model": "who", "score": "points"},
        constants={"scale": "0..100"},
    )
    with pytest.raises(InputError, match="none of 1 rows"):
        bring(
            store,
            tmp_path,
            "task,who,points\nt1,m,50\n",
            mapping={"task_id": "task", "model": "who", "score": "points"},
        )


def write(tmp_path, text, name="again.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


def test_the_file_twice_changes_nothing(store, tmp_path):
    first = bring(store, tmp_path, LONG)
    second = bring(store, tmp_path, LONG, name="renamed.csv")
    assert (second.duplicate, second.loaded, second.batch) == (True, 0, first.batch)


def test_one_bad_file_among_several_stores_nothing(store, tmp_path):
    good, bad = (
        write(tmp_path, LONG.decode(), "good.csv"),
        write(tmp_path, "task_id,model,score\nt,m,x\n", "bad.csv"),
    )
    with pytest.raises(InputError, match=r"bad\.csv"):
        import_files(store, [good, bad], options())
    assert stored(store, "count(*)", "import_batch") == [(0,)]
    assert stored(store, "count(*)", "(SELECT 1 AS batch, 1 AS record_number FROM remembered_mapping)") == [
        (0,)
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("benchmark,task_id,model,score\nb,t,m,1\n", "evals"),
        ("benchmark,instance_id,model,passed\nb,t,m,1\n", "evals"),
        ("benchmark,model,score\nb,m,0.5\n", "scores"),
        ("benchmark,model,score,n_tasks\nb,m,0.5,9\n", "scores"),
    ],
)
def test_the_kind_follows_from_the_columns(store, tmp_path, text, kind):
    preview = look(store, tmp_path, text, kind=None, benchmark=None)
    assert preview.kind == kind
    assert preview.kinds == (kind,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "not recognised by its columns: for eval results .--kind evals. it lacks benchmark"),
        (
            "model,input,output\nm,1,2\n",
            "looks like price sheet .prices., which this version does not read yet",
        ),
        ("hello world\nthis is prose.\n", "not recognised"),
    ],
)
def test_what_is_of_no_kind(store, tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        look(store, tmp_path, text, kind=None, benchmark=None)


WIDE = "task,Alpha (2026),Beta,domain\nt1,True,0,sql\nt2,False,,sql\n"


def test_wide_tables(store, tmp_path):
    report = bring(store, tmp_path, WIDE, format="wide", mapping={"task_id": "task"})
    assert (report.format, report.read, report.loaded) == ("wide", 4, 4)
    assert stored(store, "record_number, task_id, model, score, domain") == [
        (1, "t1", "Alpha (2026)", 1.0, "sql"),
        (2, "t1", "Beta", 0.0, "sql"),
        (3, "t2", "Alpha (2026)", 0.0, "sql"),
        (4, "t2", "Beta", None, "sql"),
    ]


def test_wide_tables_are_recognised(store, tmp_path):
    preview = look(store, tmp_path, WIDE)
    assert (preview.format, preview.counts.read) == ("wide", 4)
    assert [(use.header, use.field, use.why) for use in preview.columns] == [
        ("task", "task_id", "guess: check"),
        ("Alpha (2026)", "model", "a model"),
        ("Beta", "model", "a model"),
        ("domain", "domain", "exact name"),
    ]
    assert "read as a wide table: 2 models in columns" in preview.warnings


def test_wide_tables_from_other_formats_and_with_bad_cells(store, tmp_path):
    report = bring(
        store,
        tmp_path,
        '[{"task":"t1","A":1,"B":"x"},{"task":"t2","A":0.5,"B":1}]',
        "w.json",
        format="wide",
        mapping={"task_id": "task"},
    )
    assert (report.read, report.loaded, report.rejected) == (4, 3, 1)
    with pytest.raises(InputError, match="column 2 has no name"):
        bring(store, tmp_path, "task,,B\nt1,1,0\n", format="wide", mapping={"task_id": "task"})
    with pytest.raises(InputError, match="no column is left to be a model"):
        bring(store, tmp_path, "task_id,domain\nt1,1\n", format="wide")
    with pytest.raises(InputError, match="the columns are the models"):
        bring(store, tmp_path, WIDE, format="wide", mapping={"task_id": "task", "model": "Beta"})


def test_a_ragged_row_of_a_wide_table_counts_once(store, tmp_path):
    report = bring(
        store, tmp_path, "task,A,B\nt1,1,0\nt2,1\nt3,0,1\n", format="wide", mapping={"task_id": "task"}
    )
    assert (report.read, report.loaded, report.rejected) == (5, 4, 1)


def test_what_can_be_imported_is_listed(store, tmp_path):
    assert {"evals", "scores"} <= {one.name for one in kinds() if one.supported}
    assert {one.name for one in kinds() if not one.supported} == set(PLANNED)
    assert {one.name for one in formats()} == {"inspect", "csv", "json", "jsonl", "parquet", "wide"}
    assert [one.name for one in canonical_fields("evals") if one.needed == "yes"] == [
        "benchmark",
        "task_id",
        "model",
    ]
    assert "settings" not in {one.name for one in canonical_fields("evals")}


@pytest.mark.parametrize("kind", ["evals", "scores"])
def test_a_template_imports_as_it_is(store, tmp_path, kind):
    report = bring(store, tmp_path, template(kind), kind=None, benchmark=None)
    assert (report.kind, report.loaded, report.warnings) == (kind, 1, ())


@pytest.mark.parametrize("kind", list(PLANNED))
def test_a_kind_that_is_not_read_yet_is_named(store, tmp_path, kind):
    title, marks = PLANNED[kind]
    with pytest.raises(InputError, match=f"kind '{kind}' is not supported yet by this version"):
        bring(store, tmp_path, LONG, kind=kind, benchmark=None)
    text = ",".join(sorted(marks)) + "\n" + ",".join("x" for _ in marks) + "\n"
    with pytest.raises(InputError, match=f"looks like {title.lower()}"):
        look(store, tmp_path, text, kind=None, benchmark=None)
