"""The Decision page: pins and their freshness, the recommendation, the record and its documents."""

from datetime import date

import pytest

from report.record import list_records
from tests.data.store_files import load
from tests.pages.eval_rows import results
from ui import decision
from ui import holder as holders

MODELS = {"Aster 5": 0.9, "Aster 4": 0.5, "Cedar": 0.4}


@pytest.fixture
def pinned(app, stored):
    """The app with one leaderboard pinned, on the Decision page."""
    stored(results(MODELS, tasks=60))
    app.open("leaderboard").press("pin_leaderboard").check()
    app.at.switch_page("pages/decision.py").run()
    return app.check()


def save(app, **fields):
    for name, value in fields.items():
        field = app.at.get_by_key(f"record_{name}")
        field.set_value(value)
    return app.press("save_record").check()


def records():
    return list_records(holders.store())


def test_nothing_pinned_says_what_the_page_needs(app):
    app.open("decision").check()
    assert "turns pinned answers into a decision" in app.html
    assert app.at.get("page_link")


def test_a_pin_is_shown_with_its_answer_and_recommended_on(pinned):
    assert "Which model solves the most tasks of bench?" in pinned.html
    assert "sw-verdict sw-good" in pinned.html
    assert "Aster 5" in pinned.html
    assert "current" in pinned.html
    assert "rerun_pins" not in pinned.keys("button")
    assert pinned.at.selectbox(key="record_option").value == "Aster 5"


def test_a_choice_with_its_reasons_is_recorded(pinned):
    save(pinned, reasons="Cheaper and better", by="Dana", on=date(2026, 11, 29), profile="batch")
    (made,) = records()
    assert made.choice.text == "Use Aster 5"
    assert made.choice.option == "Aster 5"
    assert made.choice.reasons == "Cheaper and better"
    assert made.choice.decided_by == "Dana, 29 Nov 2026"
    assert (made.status, made.profile) == ("accepted", "batch")
    assert made.record_id in pinned.html


def test_a_record_can_be_downloaded_in_every_format(pinned):
    save(pinned)
    labels = [button.label for button in pinned.at.get("download_button")]
    assert labels == ["Download HTML", "Download Markdown", "Download JSON", "Download CSV"]


def test_a_choice_in_own_words_is_no_option(pinned):
    save(pinned, option=decision.OWN_WORDS, choice="Wait for the next model")
    (made,) = records()
    assert (made.choice.text, made.choice.option) == ("Wait for the next model", "")
    assert made.status == "proposed"


def test_an_empty_choice_is_refused_in_words_and_nothing_is_saved(pinned):
    save(pinned, option=decision.OWN_WORDS)
    assert "the choice is empty" in pinned.html
    assert "--" not in pinned.html
    assert records() == ()


def test_a_choice_against_the_evidence_is_marked(pinned):
    save(pinned, option="Cedar")
    assert "Against the recommendation" in pinned.html


def test_changed_data_make_a_pin_stale_until_it_is_asked_again(pinned):
    load(holders.store(), results({"Ember": 0.7}, tasks=60), name="more.csv")
    pinned.at.run()
    pinned.check()
    assert "changed since" in pinned.html
    assert "older than the data" in pinned.html
    pinned.press("rerun_pins").check()
    assert "changed since" not in pinned.html
    assert "Ember" in pinned.html


def test_a_stale_pin_is_offered_again_on_its_page(pinned):
    load(holders.store(), results({"Ember": 0.7}, tasks=60), name="more.csv")
    pinned.at.switch_page("pages/leaderboard.py").run()
    pinned.check()
    assert pinned.at.button(key="pin_leaderboard").label == "Pin again"
    assert "pin is older than the data" in pinned.html


@pytest.mark.parametrize(
    ("name", "day", "words"),
    [("Dana", date(2026, 11, 9), "Dana, 9 Nov 2026"), (" Dana ", None, "Dana"), ("", date(2026, 11, 9), "")],
)
def test_a_signature_is_what_was_typed(name, day, words):
    assert decision.signed(name, day) == words
