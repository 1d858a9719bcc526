"""Degenerate evals: each gives sentences, never a crash or a false verdict."""

import itertools
import math
import re
from dataclasses import astuple

import pandas as pd
import pytest

from analysis.leaderboard import consistency, leaderboard, reliability
from analysis.statistics.cells import Cells
from tests.analysis.evals import cells_of, frame_of, paired, repeated, single

FORBIDDEN = re.compile(
    r"\b(tied|same|equal|no difference|level with|significant\w*|proven safe|winner|AI|smart|insight|leverage)\b"
)


def board_of(outcomes, **more):
    clusters = more.pop("clusters", None)
    board = leaderboard(cells_of(outcomes, clusters=clusters), **more)
    numbers = [x for part in (*board.models, *board.pairs) for x in astuple(part) if isinstance(x, float)]
    assert all(math.isfinite(x) for x in numbers)
    assert board.findings
    for finding in board.findings:
        assert finding.text.endswith(".")
        assert not FORBIDDEN.search(f"{finding.text} {finding.reason}"), finding
    for pair in board.pairs:
        assert pair.low is None or pair.low < pair.high, "no interval of zero width"
    for model in board.models:
        assert model.low is None or model.low < model.high
        assert (model.low is None) == model.interval_method.startswith("no interval")
    return board


def texts(board):
    return " ".join(finding.text for finding in board.findings)


def test_no_contender():
    empty = frame_of({"m": {"t": [1]}}).iloc[:0]
    board = leaderboard(Cells.from_frame(empty))
    assert (board.models, board.pairs, board.tasks, board.family_size) == ((), (), 0, 0)
    assert [finding.text for finding in board.findings] == ["No contender has a score on this benchmark."]


def test_nobody_asked_for():
    assert leaderboard(cells_of(paired(1, 1, 1, 1)), contenders=[]).models == ()


def test_one_contender():
    board = board_of(repeated([1, 2, 3] * 10, 4))
    assert "m is the only contender" in texts(board)
    assert (board.models[0].rank, board.models[0].rank_high, board.pairs) == (1, 1, ())


def test_one_task():
    board = board_of({"a": {"t": [1, 1, 1]}, "b": {"t": [0, 0, 0]}})
    assert [pair.verdict for pair in board.pairs] == ["undecided"]
    assert board.models[0].se is None
    assert board.models[0].rank_high == 2
    assert "1 task cannot carry a verdict; it needs 10." in texts(board)
    assert "All tasks belong to one cluster" not in texts(board)


def test_one_run():
    board = board_of(paired(30, 12, 10, 20))
    model = board.models[0]
    assert (model.within, model.between, model.se_rerun, model.flip_share) == (None,) * 4
    assert "Each task ran once, so run noise is unknown." in texts(board)


def test_one_cluster():
    outcomes = paired(30, 25, 2, 20)
    board = board_of(outcomes, clusters=dict.fromkeys(outcomes["A"], "only"))
    (pair,) = board.pairs
    assert (pair.verdict, pair.low, pair.p) == ("undecided", None, None)
    assert pair.difference == pytest.approx(23 / 77)
    assert all(model.se is None and model.low is None for model in board.models)
    assert [model.rank for model in board.models] == [1, 2]
    assert {model.rank_low for model in board.models} == {1}
    assert {model.shrunk for model in board.models} == {None}
    assert "All tasks belong to one cluster, so no interval and no verdict is possible." in texts(board)


@pytest.mark.parametrize(("digit", "word"), [("1", "passes"), ("0", "fails")])
def test_all_pass_and_all_fail(digit, word):
    board = board_of(single("abc", [digit * 3] * 400))
    assert {pair.verdict for pair in board.pairs} == {"undecided"}
    assert {model.rank for model in board.models} == {1}
    assert f"Every contender {word} all 400 tasks: this benchmark cannot tell them apart." in texts(board)
    assert {(model.rank_low, model.rank_high) for model in board.models} == {(1, 3)}


def test_all_pass_with_runs_and_clusters():
    outcomes = {name: {f"t{i:03}": [1, 1, 1] for i in range(60)} for name in "ab"}
    board = board_of(outcomes, clusters={f"t{i:03}": f"c{i // 6}" for i in range(60)})
    assert board.models[0].low == pytest.approx(0.025 ** (1 / 10)), "ten clusters, not 180 runs"
    assert board.pairs[0].verdict == "undecided"


def test_one_contender_at_the_top_says_how_low_it_may_be():
    board = board_of(single("ab", ["11"] * 15 + ["10"] * 5))
    assert "a passes all 20 tasks; its true share is at least 83.9%." in texts(board)


def test_identical_contenders():
    board = board_of(paired(60, 0, 0, 40))
    (pair,) = board.pairs
    assert (pair.verdict, pair.difference, pair.p_adjusted) == ("undecided", 0, 1)
    assert "A and B agree on every one of 100 tasks" in texts(board)


def test_no_shared_tasks():
    outcomes = {"a": {f"t{i}": [1, 0] for i in range(20)}, "b": {f"u{i}": [0, 1] for i in range(20)}}
    board = board_of(outcomes)
    (pair,) = board.pairs
    assert (pair.tasks, pair.difference, pair.verdict) == (0, None, "undecided")
    assert pair.reason == "no shared tasks"
    assert "a and b share no tasks and cannot be compared." in texts(board)
    assert {model.rank for model in board.models} == {None}


def test_one_shared_task():
    outcomes = {"a": {f"t{i}": [1] for i in range(9)}, "b": {f"t{i}": [0] for i in range(8, 20)}}
    (pair,) = board_of(outcomes).pairs
    assert (pair.tasks, pair.difference, pair.low, pair.verdict) == (1, 1, None, "undecided")


def test_a_contender_without_any_score():
    outcomes = {"a": {f"t{i}": [1, 0] for i in range(12)}, "b": {f"t{i}": [None] for i in range(12)}}
    board = board_of(outcomes)
    b = next(model for model in board.models if model.model == "b")
    assert (b.mean, b.rank, b.low, b.unscored_rows) == (None, None, None, 12)
    assert "b has no scored run and so no score." in texts(board)
    assert board.models[0].rank == 1


def test_nothing_but_unscored_rows():
    board = leaderboard(cells_of({"a": {"t": [None]}, "b": {"t": [None]}}))
    assert all(model.mean is None for model in board.models)
    assert board.findings[-1].text == "No contender has a score on this benchmark."


def test_opposite_extremes_with_repeated_runs():
    outcomes = {"a": {f"t{i:02}": [1, 1] for i in range(40)}, "b": {f"t{i:02}": [0, 0] for i in range(40)}}
    (pair,) = board_of(outcomes).pairs
    assert (pair.difference, pair.se, pair.verdict) == (1, 0, "better")
    assert pair.low < 1


def test_a_constant_gap_without_spread_is_not_infinitely_certain():
    outcomes = {"a": {f"t{i:02}": [0.6] for i in range(12)}, "b": {f"t{i:02}": [0.5] for i in range(12)}}
    (pair,) = board_of(outcomes).pairs
    assert pair.p == 2 / 2**12
    assert pair.low < 0.1 < pair.high


def test_few_differing_tasks_with_many_runs_are_no_verdict():
    outcomes = {
        "a": {f"t{i:03}": [1] * 5 for i in range(300)},
        "b": {f"t{i:03}": [1] * 5 for i in range(300)},
    }
    for i in range(4):
        outcomes["b"][f"t{i:03}"] = [0] * 5
    (pair,) = board_of(outcomes).pairs
    assert pair.verdict == "undecided"
    assert pair.p >= 2 / 2**4
    assert pair.reason == "they differ on only 4 tasks; a verdict needs 6"


def test_two_tasks_two_contenders_every_outcome():
    for cells in itertools.product((0, 1), repeat=4):
        outcomes = {"a": {"t": [cells[0]], "u": [cells[1]]}, "b": {"t": [cells[2]], "u": [cells[3]]}}
        for correction in ("max-t", "holm", "none"):
            assert board_of(outcomes, correction=correction).pairs[0].verdict == "undecided"


def test_fractional_scores():
    outcomes = {
        "a": {f"t{i:02}": [0.5 + i / 100] for i in range(40)},
        "b": {f"t{i:02}": [0.3 + (i * 7 % 40) / 100] for i in range(40)},
    }
    board = board_of(outcomes)
    assert not board.binary
    assert board.pairs[0].verdict == "better"
    assert board.pairs[0].method == "paired t over 40 tasks"


def test_reliability_without_runs_and_of_a_stranger():
    cells = cells_of({"a": {"t": [None], "u": [None]}})
    nothing = reliability(cells, "a", 3)
    assert nothing.pass_hat_k == {1: None, 2: None, 3: None}
    assert nothing.findings[0].text == "a has no scored run."
    with pytest.raises(KeyError):
        reliability(cells, "nobody")
    with pytest.raises(ValueError, match="k must be at least 1"):
        reliability(cells, "a", 0)


def test_reliability_of_single_runs():
    once = reliability(cells_of(paired(5, 3, 2, 4)), "A")
    assert once.pass_hat_k == {1: 8 / 14}
    assert (once.within, once.flip_share) == (None, None)
    assert once.findings[0].status == "unknown"


def test_reliability_counts_the_tasks_behind_each_k():
    outcomes = {"m": {"a": [1, 1, 1], "b": [1, 0], "c": [0]}}
    dependable = reliability(cells_of(outcomes), "m", run_means=[("1", 0.7, 3), ("2", 0.5, 2)])
    assert dependable.tasks_with_k_runs == {1: 3, 2: 2, 3: 1}
    assert dependable.pass_hat_k == pytest.approx({1: 0.5, 2: 0.5, 3: 1.0})
    assert dependable.pass_hat_k_se[3] is None
    said = " ".join(finding.text for finding in dependable.findings)
    assert "k = 3 rests on 1 of 3 tasks" in said
    assert "2 complete runs score 50.0% to 70.0%" in said


def test_consistency_without_repeated_runs():
    unknown = consistency(cells_of(paired(5, 3, 2, 4)), "A", "B")
    assert (unknown.difference, unknown.p, unknown.tasks) == (None, None, 0)


def test_consistency_finds_the_noisier_contender():
    outcomes = {
        "noisy": {f"t{i:02}": [i % 2, 1, 0, 1 - i % 2] for i in range(40)},
        "steady": {f"t{i:02}": [i % 2] * (3 + i % 2) for i in range(40)},
    }
    result = consistency(cells_of(outcomes), "noisy", "steady")
    assert result.difference == pytest.approx(1 / 3)
    assert result.se == 0
    outcomes["steady"]["t00"] = [0, 1, 0]
    assert consistency(cells_of(outcomes), "noisy", "steady").low > 0


def test_a_frame_must_hold_cells():
    frame = frame_of({"m": {"t": [1]}})
    with pytest.raises(ValueError, match="several cells for one task"):
        Cells.from_frame(pd.concat([frame, frame]))
    with pytest.raises(ValueError, match="cells need the columns score_sum"):
        Cells.from_frame(frame.drop(columns="score_sum"))


def test_a_task_in_two_clusters_takes_the_more_frequent():
    frame = frame_of({name: {"t": [1], "u": [0]} for name in "abc"})
    frame["cluster_id"] = ["x", "y", "z", "y", "x", "y"]
    cells = Cells.from_frame(frame)
    assert (cells.conflicting, cells.unclustered) == (1, 0)
    assert [cells.cluster_names[code] for code in cells.cluster] == ["x", "y"]
    assert any("1 task has several cluster ids" in f.text for f in leaderboard(cells).findings)
