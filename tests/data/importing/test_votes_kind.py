"""Votes from files: what an outcome may look like, what is set aside, and that no vote repeats another."""

import pytest
from helpers import bring, look, options, rejected, stored

from data.batches import list_batches, undo, write_rejects
from data.errors import InputError
from data.importing import ImportOptions, import_files, template
from data.inbox import commit_queued, queue_files

NAMES = "prompt_id,judge,model_a,model_b,winner\n"


def votes(store, tmp_path, text, name="votes.csv", **more):
    return bring(store, tmp_path, text, name, kind="votes", **more)


def outcomes(store):
    return [outcome for (outcome,) in stored(store, "outcome", "vote")]


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        ("a", 1), ("A", 1), ("model_a", 1), ("Model A", 1), ("left", 1), ("LEFT", 1), ("aster", 1), ("Aster", 1),
        ("b", 0), ("model_b", 0), ("right", 0), ("Borealis 4", 0), ("borealis 4", 0),
        ("tie", 0.5), ("Tie", 0.5), ("both", 0.5), ("tie (bothbad)", 0.5), ("both_bad", 0.5), ("draw", 0.5),
        ("", None), ("n/a", None), ("None", None), ("nan", None),
    ],
)  # fmt: skip
def test_words_for_an_outcome(store, tmp_path, word, outcome):
    report = votes(store, tmp_path, f"model_a,model_b,winner\naster,Borealis 4,{word}\n")
    assert (report.read, report.loaded, report.rejected) == (1, 1, 0)
    assert outcomes(store) == [outcome]


def test_a_vote_without_an_outcome_is_stored_and_told(store, tmp_path):
    report = votes(store, tmp_path, "model_a,model_b,winner\nx,y,a\nx,y,\nx,y,null\n")
    assert report.loaded == 3
    assert "2 of 3 votes have no outcome: counted as dropped" in report.warnings


def test_what_is_set_aside(store, tmp_path):
    text = "model_a,model_b,winner\nx,y,z\nx,x,a\n,y,a\nx,,b\nx,y,7\nx,y,b\n"
    report = votes(store, tmp_path, text)
    assert (report.read, report.loaded, report.rejected) == (6, 1, 5)
    assert rejected(store) == [
        (1, "Outcome names neither model", "winner", "z"),
        (2, "A model stands against itself", "model_b", "x"),
        (3, "Model A is blank", "model_a", None),
        (4, "Model B is blank", "model_b", None),
        (5, "Outcome names neither model", "winner", "7"),
    ]
    assert report.reasons["Outcome names neither model"] == 2
    out = tmp_path / "rejects.csv"
    assert write_rejects(store, report.batch, out) == 5
    assert "x,y,z" in out.read_text()


def test_votes_are_never_duplicates(store, tmp_path):
    text = NAMES + "q1,j,x,y,a\n" * 10
    report = votes(store, tmp_path, text)
    assert (report.read, report.loaded, report.duplicate_rows) == (10, 10, 0)
    again = votes(store, tmp_path, text + "q1,j,x,y,a\n", "more.csv")
    assert (again.loaded, again.superseded) == (11, 0)
    assert len(outcomes(store)) == 21


def test_one_file_twice_changes_nothing_and_undo_takes_it_back(store, tmp_path):
    first = votes(store, tmp_path, NAMES + "q1,j,x,y,a\n")
    other = votes(store, tmp_path, NAMES + "q1,j,x,y,b\n", "other.csv")
    again = votes(store, tmp_path, NAMES + "q1,j,x,y,a\n", "copy.csv")
    assert (again.duplicate, again.batch, again.loaded) == (True, first.batch, 0)
    undo(store, first.batch)
    assert outcomes(store) == [0.0]
    assert [report.batch for report in list_batches(store)] == [other.batch]
    assert not votes(store, tmp_path, NAMES + "q1,j,x,y,a\n").duplicate
    assert sorted(outcomes(store)) == [0.0, 1.0]


def test_a_benchmark_is_optional_and_may_be_blank(store, tmp_path):
    votes(store, tmp_path, "model_a,model_b,winner\nx,y,a\n", benchmark=None)
    votes(store, tmp_path, "benchmark,model_a,model_b,winner\nr,x,y,b\n,x,y,tie\n", "b.csv", benchmark=None)
    assert stored(store, "benchmark, outcome", "vote") == [("", 1.0), ("r", 0.0), ("", 0.5)]


@pytest.mark.parametrize(
    ("scale", "texts", "expected"),
    [
        (None, ["0", "1", "0.5", "0.25", ""], [1, 0, 0.5, 0.75, None]),
        ("1..2", ["1", "2.0", "1.5", "1.25", "NaN"], [1, 0, 0.5, 0.75, None]),
        ("-3..3", ["-3", "3", "0", "+1.5", "null"], [1, 0, 0.5, 0.25, None]),
        ("0.1..0.9", ["0.1", "0.9", "0.5"], [1, 0, 0.5]),
    ],
)
def test_preferences_are_rescaled(store, tmp_path, scale, texts, expected):
    lines = "".join(f"x,y,{text}\n" for text in texts)
    constants = {} if scale is None else {"scale": scale}
    votes(store, tmp_path, "model_a,model_b,preference\n" + lines, constants=constants)
    assert outcomes(store) == expected


def test_tie_codes_are_told_apart_before_rescaling(store, tmp_path):
    text = "model_a,model_b,preference\nx,y,0\nx,y,0.0\nx,y,9\nx,y,even\nx,y,2\n"
    report = votes(store, tmp_path, text, constants={"scale": "1..2", "tie": "0,9,even"})
    assert (report.rejected, outcomes(store)) == (0, [0.5, 0.5, 0.5, 0.5, 0.0])
    report = votes(
        store,
        tmp_path,
        "model_a,model_b,winner\nx,y,3\nx,y,Even\nx,y,a\n",
        "w.csv",
        constants={"tie": "3,even"},
    )
    assert (report.rejected, outcomes(store)[5:]) == (0, [0.5, 0.5, 1.0])


def test_preferences_that_cannot_be(store, tmp_path):
    report = votes(store, tmp_path, "model_a,model_b,preference\nx,y,2\nx,y,-0.1\nx,y,inf\nx,y,much\nx,y,1\n")
    assert (report.loaded, report.rejected) == (1, 4)
    assert [row[1] for row in rejected(store)] == ["Preference is outside 0 to 1"] * 3 + [
        "Preference is not a number"
    ]


def test_a_decimal_comma_in_a_preference(store, tmp_path):
    votes(store, tmp_path, "model_a;model_b;preference\nx;y;0,25\nx;y;1,0\n")
    assert outcomes(store) == [0.75, 0.0]


def test_an_outcome_beats_a_preference_and_may_not_contradict_it(store, tmp_path):
    text = "model_a,model_b,winner,preference\nx,y,a,0.2\nx,y,,0.2\nx,y,a,0.9\nx,y,y,0.4\nx,y,tie,0.45\n"
    report = votes(store, tmp_path, text)
    assert outcomes(store) == [1.0, 0.8, 0.5]
    assert report.reasons == {"Preference and outcome contradict each other": 2}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        # Sides in small letters, models in capitals: the word is a side.
        (["A,B,a", "B,A,a", "B,C,b"], [1, 1, 0]),
        # A word that can only be a name shows that the column holds names.
        (["A,B,A", "B,A,A", "C,A,C"], [1, 0, 1]),
        (["b,a,a", "c,a,c"], [0, 1]),
        # A word that can only be a side shows that it holds sides.
        (["b,a,a", "c,d,b"], [1, 0]),
        (["tie,x,tie", "x,y,y"], [1, 0]),
    ],
)
def test_models_called_like_sides(store, tmp_path, lines, expected):
    report = votes(store, tmp_path, "model_a,model_b,winner\n" + "\n".join(lines) + "\n")
    assert (report.rejected, outcomes(store)) == (0, expected)


def test_a_word_that_nothing_settles_is_set_aside(store, tmp_path):
    report = votes(store, tmp_path, "model_a,model_b,winner\na,b,a\nb,a,a\na,b,tie\n")
    assert (report.loaded, report.rejected, outcomes(store)) == (2, 1, [1.0, 0.5])
    assert rejected(store) == [(2, "Outcome names a side and the other model", "winner", "a")]
    mixed = "model_a,model_b,winner\nb,a,a\nc,d,c\nc,d,a\n"
    assert votes(store, tmp_path, mixed, "mixed.csv").reasons == {
        "Outcome names a side and the other model": 1
    }


def test_names_that_differ_in_capitals_alone(store, tmp_path):
    votes(store, tmp_path, "model_a,model_b,winner\nGPT,gpt,GPT\nGPT,gpt,gpt\n")
    report = votes(store, tmp_path, "model_a,model_b,winner\nGPT,gpt,Gpt\nGPT,gpt,b\n", "two.csv")
    assert outcomes(store) == [1.0, 0.0, 0.0]
    assert report.rejected == 1


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (["a", "b", "Model B", "second", "x", "y", ""], ["a", "b", "b", "b", "a", "b", None]),
        (["0", "1", "0"], ["a", "b", "a"]),
        (["1", "2", "1.0"], ["a", "b", "a"]),
        (["1", "1", "a"], [None, None, "a"]),
        (["0", "1", "2"], [None, None, None]),
    ],
)
def test_positions(store, tmp_path, places, expected):
    lines = "".join(f"x,y,a,{place}\n" for place in places)
    report = votes(store, tmp_path, "model_a,model_b,winner,position\n" + lines)
    assert [place for (place,) in stored(store, "position", "vote")] == expected
    lost = sum(1 for place, read in zip(places, expected, strict=True) if place and read is None)
    assert any(f"the position of {lost} votes" in text for text in report.warnings) == (lost > 0)


def test_votes_are_recognised_by_their_columns(store, tmp_path):
    exact = look(store, tmp_path, "model_a,model_b,winner\nx,y,a\n", kind=None, benchmark=None)
    assert (exact.kind, exact.missing, exact.kinds) == ("votes", (), ("votes",))
    guessed = look(store, tmp_path, "left,right,winner\nx,y,left\n", "f.csv", kind=None, benchmark=None)
    assert (guessed.kind, guessed.counts.loaded) == ("votes", 1)
    lines = look(
        store,
        tmp_path,
        '{"model_a":"x","model_b":"y","winner":"model_a"}\n' * 2,
        "v.jsonl",
        kind=None,
        benchmark=None,
    )
    assert (lines.kind, lines.format) == ("votes", "jsonl")


def test_what_is_missing_is_said(store, tmp_path):
    with pytest.raises(InputError, match="no column for winner or preference of pairwise votes"):
        votes(store, tmp_path, "model_a,model_b\nx,y\n")
    with pytest.raises(InputError, match="no column for model_b"):
        votes(store, tmp_path, "model_a,winner\nx,a\n")
    with pytest.raises(InputError, match="pairwise votes have no field 'nosuch'"):
        votes(store, tmp_path, NAMES + "q,j,x,y,a\n", mapping={"nosuch": "winner"})
    with pytest.raises(InputError, match="none of 1 rows can be loaded; outcome names neither model"):
        votes(store, tmp_path, NAMES + "q,j,x,y,z\n")


def test_the_template_imports_as_it_is(store, tmp_path):
    report = votes(store, tmp_path, template("votes"), benchmark=None)
    assert (report.loaded, report.rejected, report.warnings) == (1, 0, ())
    assert stored(store, "outcome, preference, position, prompt_id, judge", "vote") == [
        (1.0, 0.0, "a", "q17", "annotator-3")
    ]


def test_a_mapping_with_its_scale_and_ties_is_remembered(store, tmp_path):
    header = "row,generator_1,generator_2,preference\n"
    told = {
        "mapping": {"model_a": "generator_1", "model_b": "generator_2", "prompt_id": "row"},
        "constants": {"scale": "1..2", "tie": "0"},
    }
    votes(store, tmp_path, header + "1,x,y,2\n", **told)
    later = tmp_path / "later.csv"
    later.write_text(header + "2,x,y,0\n3,x,y,1\n")
    report = import_files(store, [later], ImportOptions())[0]
    assert (report.kind, report.loaded) == ("votes", 2)
    assert stored(store, "prompt_id, outcome, benchmark", "vote") == [
        ("1", 0.0, "b"), ("2", 0.5, "b"), ("3", 1.0, "b"),
    ]  # fmt: skip


def test_one_bad_file_among_several_stores_nothing(store, tmp_path):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("model_a,model_b,winner\nx,y,a\n")
    bad.write_text("model_a,model_b,winner\nx,y,z\n")
    with pytest.raises(InputError, match=r"bad\.csv"):
        import_files(store, [good, bad], options("votes"))
    assert outcomes(store) == []


def test_record_numbers_count_refused_records(store, tmp_path):
    text = "model_a,model_b,winner\nx,y,a\nx,y\nx,y,b\nx,y,z\n"
    report = votes(store, tmp_path, text)
    assert (report.read, report.loaded, report.rejected) == (4, 2, 2)
    assert stored(store, "record_number, outcome", "vote") == [(1, 1.0), (3, 0.0)]
    assert [row[0] for row in rejected(store)] == [2, 4]


def test_votes_left_in_the_inbox_are_taken_up(store, tmp_path):
    path = tmp_path / "queued.csv"
    path.write_text("left,right,preference\nx,y,2\nx,y,0\n")
    chosen = ImportOptions(
        kind="votes",
        mapping={"model_a": "left", "model_b": "right"},
        constants={"scale": "1..2", "tie": "0", "benchmark": "b"},
    )
    queue_files(store.path.parent, [path], chosen)
    (outcome,) = commit_queued(store)
    assert [(report.kind, report.loaded) for report in outcome.reports] == [("votes", 2)]
    assert stored(store, "benchmark, outcome", "vote") == [("b", 0.0), ("b", 0.5)]
