import json
from dataclasses import replace

import pytest
from made_boards import ASTER, BoardParameters, source

from answers import register
from answers.base import Question
from data.errors import InputError
from report import canonical
from report.evidence import pin, seal
from report.formats import export
from report.record import Record, record, seals
from report.verify import verify


@pytest.fixture
def decided(store, desk, noon):
    """The JSON export of a decision on one leaderboard."""
    pin(store, desk.put(), noon)
    made = record(store, "Move to Aster 5", now=noon, decided_by="M. Brandt", watch=["Errors above 2%"])
    return export(made, "json")


def edited(document, *path, value):
    body = json.loads(document)
    place = body
    for step in path[:-1]:
        place = place[step]
    assert place[path[-1]] != value
    place[path[-1]] = value
    return canonical.pretty(body)


def resealed(document):
    """The document with the digests a careful forger would make anew."""
    body = json.loads(document)
    made = canonical.rebuild(Record, body)
    return canonical.pretty(replace(made, seals=seals(made)))


def told(result):
    return [(difference.kind, difference.where, difference.path) for difference in result.differences]


def test_an_untouched_record_on_unchanged_data_has_no_difference(store, desk, decided):
    result = verify(store, decided, "one.json")
    assert result.to_dict() == {"ok": True, "differences": [], "notes": []}


def test_an_edited_number_is_named_with_both_values(store, desk, decided):
    document = edited(decided, "evidence", 0, "payload", "models", 1, "mean", value=0.9)
    (difference,) = verify(store, document, "one.json").differences
    assert difference.kind == "edited"
    assert difference.where == "evidence 1 (leaderboard), models, Borealis L, mean"
    assert difference.path == "$.evidence[0].payload.models[1].mean"
    assert (difference.recorded, difference.recomputed) == (0.9, 0.684 - 0.021)


def test_an_edited_table_cell_is_named_by_row_and_column(store, desk, decided):
    document = edited(decided, "evidence", 0, "tables", 0, "rows", 2, 1, value=0.9)
    (difference,) = verify(store, document, "one.json").differences
    assert (difference.kind, difference.where) == (
        "edited",
        "evidence 1 (leaderboard), Scores, Aster 4, Solved",
    )
    assert difference.path == "$.evidence[0].tables[0].rows[2][1]"


def test_an_edit_sealed_anew_does_not_agree_with_the_data(store, desk, decided):
    body = json.loads(edited(decided, "evidence", 0, "payload", "models", 1, "mean", value=0.9))
    made = canonical.rebuild(Record, body)
    forged = replace(made, evidence=(replace(made.evidence[0], digest=""),))
    forged = replace(forged, evidence=(replace(forged.evidence[0], digest=seal(forged.evidence[0])),))
    result = verify(store, resealed(canonical.pretty(forged)), "one.json")
    assert told(result) == [
        (
            "value",
            "evidence 1 (leaderboard), models, Borealis L, mean",
            "$.evidence[0].payload.models[1].mean",
        )
    ]


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("verdict", "sentence"), "Move to Dune mini.", "verdict, sentence"),
        (("verdict", "word"), "Not recommended", "verdict, word"),
        (("recommendation", "sentence"), "Use Dune mini.", "recommendation, sentence"),
        (
            ("boards", 0, "options", 1, "measures", 0, "value"),
            0.9,
            "options, item 1, options, Borealis L, measures, solved, value",
        ),
        (("origins", 0, "rows_kept"), 9, "files, metr_runs.csv and " + source().sha256 + ", rows kept"),
        (("methods", 0), "guessed", "methods, item 1"),
        (("choice", "differs"), True, "choice, differs"),
        (("choice", "reasons"), "because", "choice, reasons"),
        (("choice", "decided_by"), "Somebody Else", "choice, decided by"),
        (("title",), "Another", "title"),
        (("watch", 0), "Nothing", "watch, item 1"),
        (("created",), "2020-01-01T00:00:00Z", "created"),
        (("versions", "python"), "2.7", "versions, python"),
    ],
)
def test_every_edit_of_the_record_is_named(store, decided, path, value, where):
    result = verify(store, edited(decided, *path, value=value), "one.json")
    assert not result.ok
    assert [(d.kind, d.where) for d in result.differences] == [("edited", where)]


def test_an_edit_of_words_is_noticed_where_the_record_is_not_kept(store, desk, decided):
    with store.write() as cursor:
        cursor.execute("DELETE FROM decision")
    result = verify(store, edited(decided, "choice", "reasons", value="because"), "one.json")
    assert told(result) == [("edited", "choice, its seal", "$.choice")]


def test_an_edit_of_evidence_that_no_answer_repeats_is_noticed(store, desk, decided):
    result = verify(store, edited(decided, "evidence", 0, "versions", "numpy", value="1.0"), "one.json")
    assert [(d.kind, d.where) for d in result.differences] == [
        ("edited", "evidence 1 (leaderboard), its digest")
    ]


def test_changed_data_name_the_file_and_each_number(store, desk, decided):
    means = [0.70, *(0.684 - 0.021 * place for place in range(1, 6))]
    answer = desk.put(means=means, fingerprint="data-2")
    desk.answers["repo-tasks"] = replace(answer, sources=(source(sha256="b" * 64),))
    result = verify(store, decided, "one.json")
    differences = {difference.path: difference for difference in result.differences}
    assert {d.kind for d in result.differences} == {"file missing", "file added", "data changed", "value"}
    missing = next(d for d in result.differences if d.kind == "file missing")
    assert missing.where == f"file metr_runs.csv ({source().sha256})"
    assert (missing.recorded, missing.recomputed) == (source().sha256, "b" * 64)
    mean = differences["$.evidence[0].payload.models[0].mean"]
    assert (mean.recorded, mean.recomputed) == (0.684, 0.70)
    assert differences["$.boards[0].options[0].measures[0].value"].recomputed == 0.70


def test_an_edit_on_changed_data_names_the_digest_too(store, desk, decided):
    desk.put(fingerprint="data-2")
    document = edited(decided, "evidence", 0, "payload", "models", 1, "mean", value=0.9)
    kinds = [difference.kind for difference in verify(store, document, "one.json").differences]
    assert kinds == ["edited", "data changed", "value"]


def test_a_missing_file_is_named_by_name_and_hash(store, desk, decided):
    desk.answers.clear()
    result = verify(store, decided, "one.json")
    assert [difference.kind for difference in result.differences] == ["file missing", "not asked"]
    assert result.differences[0].where == f"file metr_runs.csv ({source().sha256})"
    assert "nothing is loaded yet" in result.differences[1].recomputed


def test_the_order_of_imports_does_not_matter(store, desk, decided):
    answer = desk.answers["repo-tasks"]
    moved = replace(answer.sources[0], batch=7, imported_at="2030-01-01T00:00:00Z", rows_superseded=5)
    desk.answers["repo-tasks"] = replace(answer, sources=(moved,), revision=99)
    assert verify(store, decided, "one.json").ok


def test_a_model_that_came_or_went_is_named(store, desk, decided):
    desk.put(names=(*ASTER[:5], "Fig 1"))
    wheres = {difference.where for difference in verify(store, decided, "one.json").differences}
    assert "evidence 1 (leaderboard), models, Dune mini" in wheres
    assert "evidence 1 (leaderboard), models, Fig 1" in wheres


def test_a_question_this_program_does_not_know_is_named(store, desk, decided, monkeypatch):
    monkeypatch.setattr(register, "QUESTIONS", {})
    result = verify(store, decided, "one.json")
    assert "not asked" in {difference.kind for difference in result.differences}
    assert not result.ok


def test_other_versions_are_told_and_are_no_difference(store, desk, decided, monkeypatch):
    monkeypatch.setattr("report.verify.versions", lambda: {"python": "3.14.0", "switchover": "9"})
    result = verify(store, decided, "one.json")
    assert result.ok
    assert "switchover is 9 here and was 0.1.0 when this was recorded" in result.notes
    assert any(note.startswith("numpy is absent here") for note in result.notes)


def test_a_record_of_an_earlier_version_is_read_and_new_fields_are_not_compared(store, desk, decided):
    """What a later version added to headlines and payloads is neither damage nor an edit."""
    body = json.loads(decided)
    (evidence,) = body["evidence"]
    body["versions"]["switchover"] = evidence["versions"]["switchover"] = "0.0.1"
    del evidence["headline"]["strip"], evidence["figures"][0]["takeaway"]
    for model in evidence["payload"]["models"]:
        del model["latency_ms"]
    evidence["digest"] = seal(evidence)
    body["seals"] = seals(body)
    result = verify(store, canonical.pretty(body), "old.json")
    assert result.differences == ()
    assert result.notes == (
        "switchover is 0.1.0 here and was 0.0.1 when this was recorded",
        "fields that the version which wrote the record did not know are not compared",
    )
    evidence["payload"]["models"][0]["mean"] = 0.1
    changed = verify(store, canonical.pretty(body), "old.json")
    assert told(changed) == [
        ("edited", "evidence 1 (leaderboard), models, Aster 5, mean", "$.evidence[0].payload.models[0].mean")
    ]


def test_an_edit_is_noticed_where_the_question_cannot_be_asked(store, desk, decided):
    desk.answers.clear()
    document = edited(decided, "evidence", 0, "payload", "models", 1, "mean", value=0.9)
    kinds = [difference.kind for difference in verify(store, document, "one.json").differences]
    assert kinds[:3] == ["edited", "file missing", "not asked"]


@pytest.mark.parametrize(
    "document",
    [
        b"task_id,model,run\n1,a,1\n",
        b"{}",
        b"[1, 2]",
        b'{"schema": "something else"}',
        b'{"schema": "switchover decision record", "schema_version": 2}',
        b'{"schema": "switchover decision record", "schema_version": 1}',
        b"<!DOCTYPE html><html></html>",
        b"\x89PNG\r\n",
    ],
)
def test_what_is_no_record_is_refused_in_one_line(store, document):
    with pytest.raises(InputError, match=r"good\.csv|record") as raised:
        verify(store, document, "good.csv")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("record_id",), "</style><script>"),
        (("created",), "2026-02-30T00:00:00Z"),
        (("evidence", 0, "headline", "status"), "splendid"),
        (("boards", 0, "options"), {}),
    ],
)
def test_a_damaged_record_is_refused_in_one_line(store, desk, decided, path, value):
    with pytest.raises(InputError, match="damaged") as raised:
        verify(store, edited(decided, *path, value=value), "one.json")
    assert "\n" not in str(raised.value)


def test_parameters_out_of_bounds_are_no_crash(store, desk, decided, monkeypatch):
    question = Question("leaderboard", "", BoardParameters, desk.ask)
    monkeypatch.setitem(register.QUESTIONS, "leaderboard", question)
    document = edited(decided, "evidence", 0, "parameters", "margin", value="wide")
    result = verify(store, document, "one.json")
    assert "not asked" in {difference.kind for difference in result.differences}
