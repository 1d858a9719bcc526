from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from made_boards import BoardParameters, board_answer

from answers import register
from answers.base import Question
from data.errors import InputError
from report import canonical
from report.evidence import (
    Evidence,
    from_answer,
    get_pin,
    list_pins,
    pin,
    repin,
    seal,
    timestamp,
    unpin,
)


def test_a_pin_holds_the_whole_answer_and_reads_back(store, noon):
    answer = board_answer()
    made = pin(store, answer, noon)
    (state,) = list_pins(store, lambda *_: answer.fingerprint)
    assert state.evidence == made
    assert made.payload == canonical.plain(answer.payload)
    assert (made.tables, made.figures, made.sources) == (answer.tables, answer.figures, answer.sources)
    assert made.parameters["benchmark"] == "repo-tasks"
    assert made.pinned_at == "2026-11-29T12:00:00Z"
    assert set(made.versions) == {"switchover", "python", "duckdb", "numpy", "pandas", "scipy", "statsmodels"}


def test_the_same_answer_pinned_twice_is_one_pin_with_its_first_time(store, noon):
    first = pin(store, board_answer(), noon)
    second = pin(store, board_answer(), noon + timedelta(days=1))
    assert second == first
    assert len(list_pins(store, lambda *_: "data-1")) == 1


def test_asking_again_replaces_the_pin_and_other_parameters_make_another(store, noon):
    pin(store, board_answer(), noon)
    changed = pin(store, board_answer(fingerprint="data-2"), noon + timedelta(hours=1))
    pin(store, board_answer(baseline="Aster 4"), noon)
    states = list_pins(store, lambda *_: "data-2")
    assert [state.evidence.fingerprint for state in states] == ["data-1", "data-2"]
    assert changed in [state.evidence for state in states]


def test_a_pin_is_stale_when_its_data_changed_or_it_cannot_be_asked(store, desk, noon):
    pin(store, desk.put(), noon)
    assert not list_pins(store)[0].stale
    desk.put(fingerprint="data-2")
    (state,) = list_pins(store)
    assert state.stale
    assert state.reason == "the data have changed since it was pinned on 29 Nov 2026"
    desk.answers.clear()
    (state,) = list_pins(store)
    assert state.stale
    assert "cannot be asked again: no eval results" in state.reason


def test_staleness_does_not_compute_the_answer(store, desk, noon):
    pin(store, desk.put(), noon)
    list_pins(store)
    assert desk.asks == 0


def test_a_question_without_a_cheap_fingerprint_is_asked(store, desk, noon, monkeypatch):
    pin(store, desk.put(), noon)
    monkeypatch.setitem(
        register.QUESTIONS, "leaderboard", Question("leaderboard", "", BoardParameters, desk.ask)
    )
    assert not list_pins(store)[0].stale
    assert desk.asks == 1


def test_repin_asks_on_the_data_of_now(store, desk, noon):
    old = pin(store, desk.put(), noon)
    desk.put(fingerprint="data-2")
    new = repin(store, old.id, noon + timedelta(days=2))
    assert (new.id, new.fingerprint, new.pinned_at) == (old.id, "data-2", "2026-12-01T12:00:00Z")
    assert [state.stale for state in list_pins(store)] == [False]


def test_unpin_forgets_and_an_unknown_pin_is_named(store, desk, noon):
    made = pin(store, desk.put(), noon)
    with pytest.raises(InputError, match=rf"no pin 'nope'; choose one of {made.id}"):
        unpin(store, "nope")
    unpin(store, made.id)
    assert list_pins(store) == ()
    with pytest.raises(InputError, match="nothing is pinned yet"):
        get_pin(store, made.id)


@pytest.mark.parametrize(
    "field",
    [name for name in Evidence.__dataclass_fields__ if name not in ("id", "pinned_at", "digest")],
)
def test_the_digest_covers_every_part_but_name_and_clock(field):
    made = from_answer(board_answer(), "2026-11-29T10:14:00Z")
    other = from_answer(
        board_answer(("X", "Y"), benchmark="other", fingerprint="f", findings=()), "2026-11-29T10:14:00Z"
    )
    changes = {
        "question": "reliability",
        "versions": {"python": "9"},
        "headline": replace(made.headline, word="Worse"),
        "sources": (),
        "method": "guessed",
    }
    changed = replace(made, **{field: changes.get(field, getattr(other, field))})
    assert seal(made) == made.digest
    assert seal(changed) != made.digest


def test_the_digest_does_not_cover_the_clock():
    answer = board_answer()
    assert (
        from_answer(answer, "2026-01-01T00:00:00Z").digest
        == from_answer(answer, "2027-01-01T00:00:00Z").digest
    )


def test_times_are_utc_to_the_second_and_need_a_zone():
    here = datetime(2026, 11, 29, 13, 0, 0, 999, tzinfo=timezone(timedelta(hours=1)))
    assert timestamp(here) == "2026-11-29T12:00:00Z"
    assert timestamp(datetime(2026, 1, 2, tzinfo=UTC)) == "2026-01-02T00:00:00Z"
    with pytest.raises(ValueError, match="zone"):
        timestamp(datetime(2026, 1, 1))  # noqa: DTZ001 - a time without a zone is the subject
