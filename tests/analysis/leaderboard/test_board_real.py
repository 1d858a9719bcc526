"""The leaderboard on real files beside the project; skipped where they are absent."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.leaderboard import leaderboard
from analysis.statistics.cells import Cells

REAL = Path(__file__).resolve().parents[3].parent / "shared" / "real"


def cells_from(name, *, contender, task, score, cost=None):
    path = REAL / name
    if not path.exists():
        pytest.skip(f"real data {name} is not beside the project")
    rows = pd.read_csv(path)
    frame = pd.DataFrame(
        {
            "contender": rows[contender],
            "task_id": rows[task].astype(str),
            "score": rows[score].astype(float),
            "cost": rows[cost] if cost else np.nan,
        }
    )
    frame["square"], frame["passed"] = frame["score"] ** 2, frame["score"] == 1
    cells = frame.groupby(["contender", "task_id"]).agg(
        rows=("score", "size"),
        scored=("score", "count"),
        passed=("passed", "sum"),
        score_sum=("score", "sum"),
        score_sum_squares=("square", "sum"),
        cost=("cost", "sum"),
        cost_rows=("cost", "count"),
    )
    return Cells.from_frame(cells.reset_index().assign(binary=True, currency="USD" if cost else None))


@pytest.fixture(scope="module")
def bash_only():
    return cells_from(
        "swebench_bash_only/per_instance_long.csv",
        contender="model",
        task="instance_id",
        score="resolved",
        cost="cost_usd",
    )


OPUS = "Claude 4.5 Opus medium (20251101)"
GEMINI = "Gemini 3 Pro Preview (2025-11-18)"
NANO = "GPT-5 nano (2025-08-07) (medium reasoning)"


def test_swebench_ranks(bash_only):
    board = leaderboard(bash_only)
    models = {model.model: model for model in board.models}
    assert len(models) == 25
    opus = models[OPUS]
    assert (opus.mean, opus.tasks, opus.rank, opus.rank_low) == (pytest.approx(0.744), 500, 1, 1)
    assert opus.se == pytest.approx(0.0195369236, rel=1e-6)
    assert (opus.low, opus.high) == pytest.approx((0.70398703, 0.780292292), abs=1e-8)
    assert 2 <= opus.rank_high <= 8
    assert 0.70 < opus.shrunk < 0.744
    assert opus.cost_per_task == pytest.approx(0.721245, abs=1e-6)
    assert models["GPT-5.1 (2025-11-13) (medium reasoning)"].rank == 5
    assert models["GPT-5.1-codex (medium reasoning)"].rank == 5
    assert models["Qwen2.5-Coder 32B Instruct"].rank == 25
    assert board.family_size == 300


def test_swebench_pairs(bash_only):
    (pair,) = leaderboard(bash_only, contenders=[OPUS, GEMINI], correction="none").pairs
    assert (pair.both, pair.only_a, pair.only_b, pair.neither) == (343, 29, 28, 100)
    assert pair.se == pytest.approx(0.0151145261, rel=1e-6)
    assert (pair.verdict, pair.p) == ("undecided", 1.0)
    (pair,) = leaderboard(bash_only, contenders=[OPUS, NANO]).pairs
    assert (pair.both, pair.only_a, pair.only_b, pair.neither) == (165, 207, 9, 119)
    assert (pair.verdict, pair.difference) == ("better", pytest.approx(0.396))


def test_uneven_runs_of_metr():
    cells = cells_from(
        "metr_runs_2025_01/runs_2025-01-28.csv", contender="alias", task="task_id", score="score_binarized"
    )
    board = leaderboard(cells, by="task")
    models = {model.model: model for model in board.models}
    expected = {
        "o1": (0.529877193, 0.357988166, 1014, 83),
        "o1-preview": (0.517634921, 0.536155203, 567, 75),
        "GPT-4o": (0.331331116, 0.244067797, 885, 83),
        "davinci-002": (0.0, 0.0, 68, 16),
    }
    for name, (mean, by_rows, rows, tasks) in expected.items():
        model = models[name]
        assert (model.mean, model.mean_rows) == pytest.approx((mean, by_rows), abs=1e-8)
        assert (model.rows, model.tasks) == (rows, tasks)
    assert models["o1"].se == pytest.approx(0.0471073553, rel=1e-7)
    assert models["davinci-002"].rank is None
    text = " ".join(finding.text for finding in board.findings)
    assert re.search("(?i)row|run|weight|uneven|unequal", text)
    assert re.search("(?i)davinci-002", text)
