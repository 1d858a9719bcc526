"""The leaderboard on published data: GPQA runs, small binary files, LangChain tool use, tau-bench."""

import numpy as np
import pytest
from scipy import stats

from analysis.leaderboard import consistency, leaderboard, reliability
from analysis.statistics import clusters
from tests.analysis import gpqa
from tests.analysis.evals import cells_of, paired, repeated, single


@pytest.fixture(scope="module")
def cells():
    return cells_of(gpqa.outcomes())


@pytest.fixture(scope="module")
def board(cells):
    return leaderboard(cells, contenders=[gpqa.NANO, gpqa.MINI], by="task", correction="none")


def test_gpqa_scores(board):
    nano, mini = board.models
    assert (nano.mean, mini.mean) == pytest.approx((0.6758, 0.6172), abs=5e-5)
    assert nano.se == pytest.approx(0.02759555, abs=5e-9)
    assert (nano.low, nano.high) == pytest.approx((0.6213, 0.7302), abs=5e-5)
    naive = np.sqrt(nano.mean * (1 - nano.mean) / 989)
    assert naive == pytest.approx(0.01488443, abs=5e-9)
    assert (nano.se / naive) ** 2 == pytest.approx(3.44, abs=5e-3)
    assert nano.se / naive == pytest.approx(1.85, abs=5e-3)
    assert (nano.rows, nano.tasks, nano.runs_per_task) == (990, 198, 5)
    assert nano.mean_rows == pytest.approx(nano.mean, abs=1e-12)


def test_gpqa_pair(board):
    (pair,) = board.pairs
    assert (pair.a, pair.b) == (gpqa.NANO, gpqa.MINI)
    assert pair.difference == pytest.approx(0.0586, abs=5e-5)
    assert pair.se == pytest.approx(0.02778847, abs=5e-9)
    assert pair.difference / pair.se == pytest.approx(2.10828, abs=5e-6)
    assert pair.p == pytest.approx(0.0363, abs=5e-5)
    assert (pair.low, pair.high) == pytest.approx((0.0038, 0.1134), abs=5e-5)
    assert pair.correlation == pytest.approx(0.5301, abs=5e-5)
    assert (pair.verdict, pair.material, pair.reason) == ("better", True, "")
    assert pair.method == "paired t over 198 tasks"
    assert pair.detectable == pytest.approx(0.078, abs=5e-4), "7.8 points at five runs"


def test_gpqa_unpaired_for_comparison(board):
    (pair,) = board.pairs
    z = pair.difference / pair.se_unpaired
    half = 1.96 * pair.se_unpaired
    assert (pair.difference - half, pair.difference + half) == pytest.approx((-0.021, 0.138), abs=1e-3)
    assert 2 * stats.norm.sf(z) == pytest.approx(0.15, abs=5e-3)


def test_gpqa_other_tests_of_the_difference(cells):
    gap = cells.cell_means[0] - cells.cell_means[1]
    assert stats.wilcoxon(gap).pvalue == pytest.approx(0.04366, abs=5e-5)
    flips = clusters.sign_flip(gap[:, None], draws=20_000, seed=1)
    assert flips.p[0] == pytest.approx(0.040, abs=0.005)


def test_gpqa_run_noise(board):
    nano, mini = board.models
    assert (nano.within, mini.within) == pytest.approx((0.0863636, 0.0792929), abs=5e-8)
    assert (nano.between, mini.between) == pytest.approx((0.1335072, 0.1578552), abs=5e-8)
    assert (nano.flip_share, mini.flip_share) == pytest.approx((0.3485, 0.3333), abs=5e-5)
    share = [model.within / (model.within + model.between) for model in (nano, mini)]
    assert share == pytest.approx([0.3928, 0.3344], abs=5e-5)
    assert nano.se_rerun == pytest.approx(np.sqrt(nano.within / 5 / 198), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "hat", "at"),
    [
        (
            gpqa.NANO,
            (0.675758, 0.589394, 0.543434, 0.514141, 0.494949),
            (0.675758, 0.762121, 0.802525, 0.826263, 0.843434),
        ),
        (gpqa.MINI, (0.617172, 0.537879, 0.501515, 0.477778, 0.459596), None),
    ],
)
def test_gpqa_pass_k(cells, name, hat, at):
    dependable = reliability(cells, name, 5)
    assert tuple(dependable.pass_hat_k.values()) == pytest.approx(hat, abs=5e-7)
    if at:
        assert tuple(dependable.pass_at_k.values()) == pytest.approx(at, abs=5e-7)
    assert dependable.pass_hat_k_se[1] == pytest.approx(dependable.pass_at_k_se[1], rel=1e-12)
    assert set(dependable.tasks_with_k_runs.values()) == {198}


def test_gpqa_consistency(cells):
    steady = consistency(cells, gpqa.NANO, gpqa.MINI)
    assert steady.difference == pytest.approx(0.0863636 - 0.0792929, abs=1e-7)
    assert steady.low < 0 < steady.high
    assert steady.p == pytest.approx(2 * stats.t.sf(steady.difference / steady.se, 197), rel=1e-9)
    mirrored = consistency(cells, gpqa.MINI, gpqa.NANO)
    assert (mirrored.low, mirrored.high) == pytest.approx((-steady.high, -steady.low), rel=1e-12)


def test_gpqa_margin_turns_the_win_immaterial(cells):
    board = leaderboard(cells, contenders=[gpqa.NANO, gpqa.MINI], correction="none", margin=0.08)
    (pair,) = board.pairs
    assert (pair.verdict, pair.material) == ("better", False)
    caution = [finding for finding in board.findings if "less than the margin of 8.0 points" in finding.text]
    assert caution[0].status == "caution"


def test_gpqa_first_run_only():
    board = leaderboard(cells_of(paired(107, 28, 19, 44)), contenders="AB", correction="none")
    (pair,) = board.pairs
    assert (pair.both, pair.only_a, pair.only_b, pair.neither) == (107, 28, 19, 44)
    assert pair.p == pytest.approx(0.24296, abs=5e-6)
    assert pair.verdict == "undecided"
    assert pair.method == "exact McNemar, Tango interval"


def test_a_regression_of_sixty_two_tasks():
    (pair,) = leaderboard(cells_of(paired(101, 121, 59, 33)), contenders="AB", correction="none").pairs
    assert pair.difference == pytest.approx(62 / 314)
    assert pair.p == pytest.approx(4.43e-6, rel=0.01)
    assert pair.verdict == "better"


def test_identical_vectors_are_never_proven_equal_by_a_zero_width_interval():
    board = leaderboard(cells_of(paired(30, 0, 0, 20)), contenders="AB", correction="none")
    (pair,) = board.pairs
    assert (pair.difference, pair.p) == (0, 1)
    assert pair.high == pytest.approx(3.8414588 / 53.8414588, abs=1e-7)
    assert pair.low == -pair.high
    assert pair.detectable > pair.high
    assert pair.tasks_to_settle is None
    assert any("agree on every one of 50 tasks" in finding.text for finding in board.findings)


TOOLS = [
    "101101100",
    "110111100",
    "110110100",
    "100011000",
    "110110100",
    "110101100",
    "110101100",
    "110000100",
    "100101100",
    "110001100",
    "100001100",
    "110000101",
    "110100101",
    "110000100",
    "110100100",
    "100000000",
    "110000100",
    "100000100",
    "100010100",
    "100100100",
]
TOOL_USERS = (
    "claude-2.1",
    "mixtral-8x7b-instruct",
    "mistral-7b-instruct",
    "gpt-3.5-turbo-0613",
    "gpt-3.5-turbo-1106",
    "gpt-4-0613",
    "gpt-4-1106-preview",
    "llama-v2-13b-chat",
    "llama-v2-70b-chat",
)


def test_tool_use_of_nine_models():
    board = leaderboard(cells_of(single(TOOL_USERS, TOOLS)))
    solved = {model.model: round(model.mean * 20) for model in board.models}
    assert [solved[name] for name in TOOL_USERS] == [20, 12, 1, 10, 5, 8, 18, 0, 2]
    best, worst = board.models[0], board.models[-1]
    assert (best.model, worst.model) == ("claude-2.1", "llama-v2-13b-chat")
    assert (best.low, best.high) == pytest.approx((1 / (1 + 3.8414588 / 20), 1), abs=1e-7)
    assert (worst.low, worst.high) == pytest.approx((0, 0.1611), abs=5e-5)
    extreme = next(pair for pair in board.pairs if (pair.a, pair.b) == (best.model, worst.model))
    assert extreme.p == pytest.approx(1.9073e-6, rel=1e-4)
    assert 0.3 < extreme.low < 0.67775
    assert extreme.detectable > 0.1
    assert extreme.high == 1
    assert extreme.verdict == "better"
    assert board.family_size == 36
    close = next(pair for pair in board.pairs if (pair.a, pair.b) == (best.model, "gpt-4-1106-preview"))
    assert (close.verdict, close.reason) == ("undecided", "they differ on only 2 tasks; a verdict needs 6")


def test_twenty_values_in_four_clusters():
    outcomes = {"m": {f"t{i:02}": [i / 19] for i in range(20)}}
    cells = cells_of(outcomes, clusters={f"t{i:02}": f"c{i % 4}" for i in range(20)})
    (model,) = leaderboard(cells).models
    assert model.se == pytest.approx(0.0339735381, rel=1e-8)
    assert (model.low, model.high) == pytest.approx((0.391881039, 0.608118961), abs=1e-6)
    assert (model.clusters, model.interval_method) == (4, "t over 4 clusters")
    assert model.design_effect == pytest.approx(0.238095238, rel=1e-8)
    (model,) = leaderboard(cells, by="task").models
    assert model.se == pytest.approx(0.0696250345, rel=1e-8)
    assert (model.clusters, model.design_effect) == (20, 1)


def test_airline_of_tau_bench():
    counts = [int(c) for c in "01100111000142021140430040220122003443413241222144"]
    cells = cells_of(repeated(counts, 4, "gpt-4o"))
    dependable = reliability(cells, "gpt-4o", 4)
    assert tuple(dependable.pass_hat_k.values()) == pytest.approx((0.42, 0.273333, 0.22, 0.2), abs=5e-7)
    assert tuple(dependable.pass_at_k.values()) == pytest.approx((0.42, 0.566667, 0.66, 0.72), abs=5e-7)
    assert dependable.flip_share == 0.52
    assert (dependable.within, dependable.between) == pytest.approx((0.146666667, 0.0996598639), rel=1e-8)
    (model,) = leaderboard(cells, by="task").models
    assert (model.se, model.se_rerun) == pytest.approx((0.0522161911, 0.027080128), rel=1e-8)
    assert (model.low, model.high) == pytest.approx((0.315067635, 0.524932365), abs=1e-8)


def test_three_samples_of_an_inspect_log():
    (model,) = leaderboard(cells_of(single("m", "110"))).models
    assert (model.mean, model.se) == pytest.approx((2 / 3, 1 / 3))
    (model,) = leaderboard(cells_of(single("m", "111"))).models
    assert 0.1 < model.low < 0.9
