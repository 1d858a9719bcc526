"""What is loaded, and the tasks behind a difference."""

import pytest

from answers.flips import flipped_tasks
from answers.leaderboard import LeaderboardParameters
from answers.loaded import benchmarks
from data.errors import InputError
from tests.data.store_files import load, row


def test_benchmarks_come_with_their_contenders_the_last_import_first(store):
    load(store, [row("t1", "B"), row("t1", "A"), row("t2", "A", split="public")])
    (found,) = benchmarks(store)
    assert found.name == "b"
    assert found.contenders == ("A", "B")
    assert (found.tasks, found.rows, found.splits) == (2, 3, ("public",))


def test_nothing_loaded_is_no_benchmark(store):
    assert benchmarks(store) == ()


def asked(**changes):
    return LeaderboardParameters(benchmark="b", **changes)


def test_flips_are_the_tasks_most_runs_of_one_alone_solve(store):
    load(
        store,
        [
            row("both", "A", 1.0, run="1"),
            row("both", "B", 1.0, run="1"),
            row("mine", "A", 1.0, run="1"),
            row("mine", "A", 1.0, run="2"),
            row("mine", "A", 0.0, run="3"),
            row("mine", "B", 0.0, run="1"),
            row("theirs", "A", 0.0, run="1"),
            row("theirs", "B", 1.0, run="1"),
            row("alone", "A", 1.0, run="1"),
        ],
    )
    table = flipped_tasks(store, asked(), "A", "B")
    assert [(values[0], values[4]) for values in table.rows] == [("mine", "A"), ("theirs", "B")]
    assert table.rows[0][2] == pytest.approx(2 / 3)


def test_a_task_without_a_score_flips_only_where_missing_counts_as_failed(store):
    load(store, [row("t1", "A", 1.0), row("t2", "A", 0.0), row("t2", "B", 0.0)])
    assert flipped_tasks(store, asked(), "A", "B").rows == ()
    failed = flipped_tasks(store, asked(missing="fail"), "A", "B")
    assert [(values[0], values[4]) for values in failed.rows] == [("t1", "A")]


def test_an_unknown_model_is_named(store):
    load(store, [row("t1", "A"), row("t1", "B")])
    with pytest.raises(InputError, match="nobody"):
        flipped_tasks(store, asked(), "A", "nobody")
