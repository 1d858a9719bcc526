"""What must never change a leaderboard's numbers: order of rows, names, threads."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.leaderboard import leaderboard
from analysis.statistics.cells import Cells
from analysis.statistics.threads import single_thread
from tests.analysis.evals import cells_of, frame_of

ROOT = Path(__file__).resolve().parents[3]


@st.composite
def evals(draw, contenders=3):
    """A small eval with clusters, unequal runs and missing cells."""
    tasks = draw(st.integers(2, 14))
    groups = draw(st.integers(1, tasks))
    seed = draw(st.integers(0, 10**6))
    hole = draw(st.sampled_from([0.0, 0.2]))
    generator = np.random.default_rng(seed)
    outcomes = {name: {} for name in "abcd"[:contenders]}
    for cells in outcomes.values():
        for place in range(tasks):
            if generator.random() >= hole or place == 0:
                runs = int(generator.integers(1, 4))
                cells[f"t{place:02}"] = generator.integers(0, 2, runs).tolist()
    clusters = {f"t{place:02}": f"c{place % groups}" for place in range(tasks)}
    return outcomes, draw(st.sampled_from([None, clusters]))


@settings(max_examples=12, deadline=None)
@given(evals(), st.integers(0, 10**6), st.sampled_from(["absent", "fail"]))
def test_the_order_of_rows_changes_nothing(data, seed, missing):
    outcomes, clusters = data
    frame = frame_of(outcomes, clusters=clusters)
    shuffled = frame.sample(frac=1, random_state=seed)
    ours, theirs = (
        leaderboard(Cells.from_frame(rows), draws=200, missing=missing) for rows in (frame, shuffled)
    )
    assert ours == theirs


@settings(max_examples=12, deadline=None)
@given(evals())
def test_names_that_keep_their_order_change_nothing_but_names(data):
    outcomes, clusters = data
    renamed = {f"model {name}": cells for name, cells in outcomes.items()}
    ours = leaderboard(cells_of(outcomes, clusters=clusters), draws=200)
    theirs = leaderboard(cells_of(renamed, clusters=clusters), draws=200)
    assert [replace(m, model=f"model {m.model}") for m in ours.models] == list(theirs.models)
    assert [replace(p, a=f"model {p.a}", b=f"model {p.b}") for p in ours.pairs] == list(theirs.pairs)


@settings(max_examples=12, deadline=None)
@given(evals(), st.permutations("abc"), st.sampled_from(["max-t", "holm", "none"]))
def test_the_order_asked_for_changes_no_number(data, order, correction):
    outcomes, clusters = data
    cells = cells_of(outcomes, clusters=clusters)
    ours = leaderboard(cells, contenders="abc", draws=200, correction=correction)
    theirs = leaderboard(cells, contenders=order, draws=200, correction=correction)
    assert ours.models == theirs.models
    turned = {frozenset((pair.a, pair.b)): pair for pair in theirs.pairs}
    for pair in ours.pairs:
        other = turned[frozenset((pair.a, pair.b))]
        sign = 1 if other.a == pair.a else -1
        assert (pair.p, pair.p_adjusted, pair.se) == (other.p, other.p_adjusted, other.se)
        if pair.difference is not None:
            assert pair.difference == sign * other.difference
        if pair.low is not None:
            assert pair.low == (other.low if sign == 1 else -other.high)


@settings(max_examples=12, deadline=None)
@given(evals(), st.sampled_from(["absent", "fail"]), st.sampled_from(["max-t", "holm", "none"]))
def test_what_always_holds(data, missing, correction):
    outcomes, clusters = data
    board = leaderboard(
        cells_of(outcomes, clusters=clusters), draws=200, missing=missing, correction=correction
    )
    for model in board.models:
        assert model.rank is None or 1 <= model.rank_low <= model.rank <= model.rank_high <= len(board.models)
        assert (model.rank is None) == (not model.complete)
        if model.low is not None:
            assert 0 <= model.low <= model.mean + 1e-12
            assert model.mean - 1e-12 <= model.high <= 1
            assert model.low < model.high
    for pair in board.pairs:
        assert pair.both + pair.only_a + pair.only_b + pair.neither == pair.tasks
        if pair.p is not None:
            assert 0 <= pair.p <= pair.p_adjusted <= 1
            assert pair.low <= pair.difference + 1e-12
            assert pair.difference - 1e-12 <= pair.high
            assert pair.low < pair.high
        if pair.verdict == "better":
            assert pair.low > 0
            assert pair.p_adjusted < 0.05
            assert min(pair.tasks, pair.clusters * 10 / 6) >= 10
        if pair.verdict == "undecided":
            assert pair.reason


@settings(max_examples=10, deadline=None)
@given(evals(contenders=2), st.integers(2, 3))
def test_more_runs_of_the_same_outcomes_move_no_mean(data, times):
    outcomes, clusters = data
    repeated = {
        name: {task: runs * times for task, runs in cells.items()} for name, cells in outcomes.items()
    }
    ours = leaderboard(cells_of(outcomes, clusters=clusters), draws=200)
    theirs = leaderboard(cells_of(repeated, clusters=clusters), draws=200)
    for mine, other in zip(ours.models, theirs.models, strict=True):
        assert mine.mean == pytest.approx(other.mean, abs=1e-12)
        assert (mine.se is None) == (other.se is None)
        if mine.se is not None:
            assert mine.se == pytest.approx(other.se, abs=1e-12), "the unit is the task, never the run"


@settings(max_examples=10, deadline=None)
@given(evals(contenders=2))
def test_copies_of_a_task_inside_its_cluster_change_no_error(data):
    outcomes, _ = data
    clusters = {task: task for cells in outcomes.values() for task in cells}
    doubled = {
        name: {f"{task}{copy}": runs for task, runs in cells.items() for copy in "xy"}
        for name, cells in outcomes.items()
    }
    codes = {f"{task}{copy}": task for task in clusters for copy in "xy"}
    ours = leaderboard(cells_of(outcomes, clusters=clusters), draws=200)
    theirs = leaderboard(cells_of(doubled, clusters=codes), draws=200)
    for mine, other in zip(ours.models, theirs.models, strict=True):
        assert (mine.mean, mine.se) == pytest.approx((other.mean, other.se)) or mine.se is None
    for mine, other in zip(ours.pairs, theirs.pairs, strict=True):
        if mine.se is not None:
            assert mine.se == pytest.approx(other.se, abs=1e-12)


PROGRAM = """
import numpy as np
from tests.analysis.evals import array_cells
from analysis.leaderboard import leaderboard
generator = np.random.default_rng(5)
codes = np.repeat(np.arange(60), 10)
runs = generator.integers(1, 5, (12, 600))
passed = generator.binomial(runs, np.linspace(0.3, 0.7, 12)[:, None])
print(repr(leaderboard(array_cells(passed, runs, codes), draws=2000)))
holes = np.where(generator.random((12, 600)) < 0.1, 0, runs)
print(repr(leaderboard(array_cells(np.minimum(passed, holes), holes, codes), draws=2000)))
"""


def run_with(threads):
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=os.environ | dict.fromkeys(names, str(threads)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Leaderboard(models=(ModelScore(" in done.stdout
    return done.stdout


def test_threads_change_no_bit():
    assert run_with(8) == run_with(1)


def test_overlapping_limits_last_until_the_last_leaves():
    from threadpoolctl import threadpool_info

    def threads():
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    before = threads()
    with single_thread():
        with single_thread():
            assert set(threads()) == {1}
        assert set(threads()) == {1}
    assert threads() == before


def test_a_limit_is_lifted_after_an_error():
    from threadpoolctl import threadpool_info

    before = threadpool_info()
    with pytest.raises(ZeroDivisionError), single_thread():
        raise ZeroDivisionError
    assert threadpool_info() == before
