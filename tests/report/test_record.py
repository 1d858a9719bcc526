from dataclasses import replace
from datetime import timedelta

import pytest
from made_boards import BoardParameters, board_answer, made_record

from analysis.results import Finding
from answers.base import Fact, Headline
from data.errors import InputError
from report.evidence import pin
from report.formats import FORMATS, export
from report.options import match_option
from report.record import from_document, get_record, list_records, record

NAMES = ("Aster 4", "Aster 5", "Claude Opus 4.5 (high)", "GPT-5", "GPT-5 nano", "Sonnet")


@pytest.mark.parametrize(
    ("choice", "option"),
    [
        ("Aster 5", "Aster 5"),
        ("aster 5.", "Aster 5"),
        ("stay with Opus", "Claude Opus 4.5 (high)"),
        ("Stay on Aster 4", "Aster 4"),
        ("move from Aster 4 to Aster 5", "Aster 5"),
        ("We should switch to GPT-5", "GPT-5"),
        ("use GPT-5 nano!", "GPT-5 nano"),
        ("use nano", "GPT-5 nano"),
        ("move to Aster 5, SQL on Aster 4", ""),
        ("move to Aster 5 and keep SQL on Aster 4", ""),
        ("do not move to Aster 5", ""),
        ("never use GPT-5", ""),
        ("anything but Aster 5", ""),
        ("keep Aster", ""),
        ("wait", ""),
        ("use", ""),
    ],
)
def test_a_choice_names_an_option_only_where_that_is_certain(choice, option):
    assert match_option(choice, NAMES) == option


def test_one_contender_in_front_is_recommended():
    made = made_record(board_answer(leading=1, findings=()), choice="Move to Aster 5")
    assert made.recommendation.options == ("Aster 5",)
    assert (made.verdict.status, made.verdict.word) == ("good", "Recommended")
    assert made.verdict.sentence == "Move to Aster 5."
    assert made.choice.differs is False
    assert [(o.name, o.chosen, o.recommended) for o in made.boards[0].options][:2] == [
        ("Aster 5", True, True),
        ("Borealis L", False, False),
    ]


def test_several_that_may_be_best_leave_no_clear_choice():
    made = made_record(board_answer(leading=2), choice="Aster 5")
    assert (made.verdict.status, made.verdict.word) == ("undecided", "No clear choice")
    assert made.recommendation.sentence == "Any of Aster 5 and Borealis L may be the best on repo-tasks."
    assert not any(option.recommended for option in made.boards[0].options)
    assert made.choice.differs is None


def test_a_choice_against_the_evidence_says_so():
    made = made_record(board_answer(leading=1), choice="Stay on Aster 4")
    assert made.choice.differs is True
    assert (made.verdict.status, made.verdict.word) == ("caution", "Against the recommendation")


def test_a_choice_in_own_words_is_marked_as_neither():
    made = made_record(board_answer(leading=1), choice="Wait for the router")
    assert (made.choice.option, made.choice.differs) == ("", None)
    assert (made.verdict.status, made.verdict.word) == ("unknown", "In own words")


def test_against_a_baseline_only_what_is_shown_to_solve_more_is_recommended():
    means = [0.70, 0.62, 0.60, 0.40, 0.30, 0.20]
    made = made_record(board_answer(means=means, baseline="Aster 4"), choice="Aster 5")
    assert made.recommendation.options == ("Aster 5",)
    assert made.recommendation.sentence == (
        "Move from Aster 4 to Aster 5, which is shown to solve more of repo-tasks."
    )
    assert {board.against for board in made.boards} == {"Aster 4"}


def test_without_proof_the_baseline_stays():
    undecided = made_record(
        board_answer(means=[0.61, 0.60, 0.60, 0.4, 0.3, 0.2], baseline="Aster 4"), choice="x"
    )
    assert undecided.recommendation.status == "undecided"
    assert undecided.recommendation.options == ("Aster 4",)
    assert undecided.recommendation.sentence.startswith("Stay on Aster 4: nothing is shown to solve more")
    proven = made_record(
        board_answer(means=[0.5, 0.4, 0.60, 0.4, 0.3, 0.2], baseline="Aster 4"), choice="Aster 4"
    )
    assert proven.recommendation.status == "bad"
    assert (proven.verdict.status, proven.verdict.word) == ("good", "As recommended")
    against = made_record(
        board_answer(means=[0.5, 0.4, 0.60, 0.4, 0.3, 0.2], baseline="Aster 4"), choice="Aster 5"
    )
    assert against.verdict.word == "Against the recommendation"


def test_boards_that_disagree_leave_no_clear_choice():
    other = board_answer(benchmark="second", names=("Borealis L", "Aster 5"), leading=1)
    made = made_record(board_answer(leading=1), other, choice="Aster 5")
    assert made.recommendation.status == "undecided"
    assert made.recommendation.options == ()
    assert "different contenders" in made.recommendation.sentence


def test_boards_that_agree_recommend_what_both_support():
    other = board_answer(benchmark="second", leading=3)
    made = made_record(board_answer(leading=1, findings=()), other, choice="Aster 5")
    assert made.recommendation.options == ("Aster 5",)


def test_cautions_bad_findings_and_changed_data_are_conditions():
    answer = board_answer(leading=1, findings=(Finding("bad", "The settings of the two logs differ."),))
    made = made_record(answer, stale=(0,))
    assert (made.verdict.status, made.verdict.word) == ("caution", "Go on, with conditions")
    assert made.recommendation.conditions == (
        "The settings of the two logs differ.",
        'The answer to "Which model solves the most tasks of repo-tasks?" is older than the data.',
    )
    assert made.stale == (made.evidence[0].id,)


def test_a_bad_answer_to_another_question_stops_it():
    other = board_answer(benchmark="canary")
    other = replace(
        other, question="canary", headline=Headline("bad", "Roll back", "SQL loses 9 points.", "", ())
    )
    made = made_record(board_answer(leading=1), other, choice="Aster 5")
    assert made.recommendation.word == "Not recommended"
    assert made.recommendation.sentence == "Do not switch: SQL loses 9 points."


def test_without_a_leaderboard_the_evidence_is_missing():
    made = made_record(replace(board_answer(), question="reliability"), choice="Aster 5")
    assert (made.verdict.status, made.verdict.word) == ("unknown", "Evidence missing")
    assert made.boards == ()


def test_unknown_numbers_stay_unknown():
    answer = board_answer(means=[0.6, None, 0.5, 0.4, 0.3, 0.2], costs=[None] * 6)
    (board,) = made_record(answer).boards
    numbers = {option.name: {m.name: m.value for m in option.measures} for option in board.options}
    assert numbers["Borealis L"]["solved"] is None
    assert numbers["Borealis L"]["difference"] is None
    assert {entry["cost_per_task"] for entry in numbers.values()} == {None}


def test_a_difference_is_read_from_either_side_of_a_pair():
    (board,) = made_record(board_answer(leading=1), choice="Aster 4").boards
    differences = {
        o.name: next((m for m in o.measures if m.name == "difference"), None) for o in board.options
    }
    assert board.against == "Aster 4"
    assert differences["Aster 4"] is None
    above, below = differences["Aster 5"], differences["Dune mini"]
    assert (above.verdict, below.verdict) == ("better", "worse")
    assert above.value == pytest.approx(0.042)
    assert (above.low, above.high) == pytest.approx((0.007, 0.077))
    assert below.value == pytest.approx(-0.063)
    assert (below.low, below.high) == pytest.approx((-0.098, -0.028))


def test_what_would_settle_it_names_the_pairs_in_front():
    made = made_record(board_answer(leading=2))
    assert made.settling == (
        "Aster 5 against Borealis L on repo-tasks: about 850 more tasks, if the gap is as observed.",
    )
    assert made_record(board_answer(leading=1)).settling == ()


def test_what_would_settle_it_names_what_is_open_against_the_baseline():
    made = made_record(board_answer(means=[0.61, 0.60, 0.60, 0.5, 0.3, 0.2], baseline="Aster 4"))
    assert [line.partition(" on ")[0] for line in made.settling] == [
        "Aster 5 against Aster 4",
        "Borealis L against Aster 4",
    ]


def test_what_would_settle_another_question_comes_from_its_card():
    card = Headline("undecided", "Undecided", "Open.", "", (Fact("To settle it", "12 more days"),))
    other = replace(board_answer(), question="canary", headline=card, asked="Is it safe?")
    assert made_record(other).settling == ("Is it safe? To settle it: 12 more days.",)


def test_a_record_is_kept_numbered_and_found(store, desk, noon):
    pin(store, desk.put(), noon)
    first = record(store, "Move to Aster 5", now=noon, profile="batch", watch=("  cost\nper task ", " "))
    second = record(
        store, "Stay on Aster 4", now=noon + timedelta(hours=1), title="Again", decided_by="M. Brandt"
    )
    later = record(store, "Wait", now=noon + timedelta(days=60))
    assert [made.record_id for made in (first, second, later)] == ["2026-001", "2026-002", "2027-001"]
    assert (first.status, first.profile, first.watch) == ("proposed", "batch", ("cost per task",))
    assert (second.status, second.title) == ("accepted", "Again")
    assert first.title == "Which model solves the most tasks of repo-tasks?"
    assert list_records(store) == (first, second, later)
    assert get_record(store) == later
    assert get_record(store, "2026-001") == first
    with pytest.raises(InputError, match="choose one of 2026-001, 2026-002, 2027-001"):
        get_record(store, "2025-001")


def test_a_record_writes_the_bytes_of_its_copy_in_the_store(store, desk, noon):
    pin(store, desk.put(baseline="Aster 4"), noon)
    made = record(store, "Aster 5", now=noon)
    for form in FORMATS:
        assert export(made, form) == export(get_record(store), form)


def test_evidence_stands_in_the_order_of_the_questions(store, desk, noon):
    pin(store, replace(desk.put(), question="reliability", asked="Run noise?"), noon)
    pin(store, desk.put(), noon + timedelta(hours=2))
    desk.put(benchmark="second")
    pin(store, replace(desk.answers["second"], parameters=BoardParameters(benchmark="second")), noon)
    made = record(store, "Aster 5", now=noon + timedelta(hours=3))
    assert [(one.question, one.payload["benchmark"]) for one in made.evidence] == [
        ("leaderboard", "second"),
        ("leaderboard", "repo-tasks"),
        ("reliability", "repo-tasks"),
    ]
    assert made.title == "Which model solves the most tasks of second?"


def test_a_record_keeps_its_evidence_when_pins_move_on(store, desk, noon):
    kept = pin(store, desk.put(), noon)
    record(store, "Aster 5", now=noon)
    desk.put(fingerprint="data-2")
    pin(store, desk.answers["repo-tasks"], noon)
    assert get_record(store).evidence == (kept,)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"choice": ""}, "choice is empty"),
        ({"choice": " \n\t"}, "choice is empty"),
        ({"profile": "fast"}, "--profile cannot be 'fast'"),
        ({"choice": "x" * 5000}, "--choice has 5,000 characters"),
        ({"reasons": "y" * 4001}, "--reasons has 4,001 characters"),
        (
            {"option": "Nobody"},
            "no option 'Nobody' in the pinned leaderboards; options: Aster 5, Borealis L",
        ),
    ],
)
def test_what_cannot_be_recorded_is_told_in_one_line(store, desk, noon, wrong, message):
    pin(store, desk.put(), noon)
    with pytest.raises(InputError, match=message) as raised:
        record(store, **{"choice": "x", "now": noon, **wrong})
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError, match="no decision is recorded yet"):
        get_record(store)


def test_without_pins_there_is_nothing_to_record(store, noon):
    with pytest.raises(InputError, match="nothing is pinned; pin an answer first"):
        record(store, "Aster 5", now=noon)


def test_the_option_can_be_named_where_words_do_not(store, desk, noon):
    pin(store, desk.put(), noon)
    made = record(store, "Aster 5, SQL stays where it is", now=noon, option="Aster 5")
    assert made.choice.option == "Aster 5"
    assert made.choice.differs is False


def test_the_json_export_reads_back_to_the_record():
    made = made_record(board_answer(means=[0.6, None, 0.5, 0.4, 0.3, 0.2]), board_answer(figures=False))
    document = export(made, "json")
    assert from_document(document, "it") == made
    assert export(from_document(document, "it"), "json") == document


def test_an_unknown_format_is_named():
    with pytest.raises(InputError, match="--format cannot be 'docx'; choose one of json, md, html, csv"):
        export(made_record(), "docx")
