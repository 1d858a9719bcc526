"""Public against private tasks: difficulty is no excess, a planted leak is."""

import numpy as np
import pytest

from analysis.leaderboard.contamination import contamination
from tests.analysis.evals import cells_of, frame_of


def evals(*, leak=0.0, harder=0.15, public=200, private=120, seed=1, names="abcd"):
    """Private tasks are harder for everyone; contender a has seen a share of the public ones."""
    generator = np.random.default_rng(seed)
    outcomes, splits = {name: {} for name in names}, {}
    for place in range(public + private):
        part = "public" if place < public else "private"
        task = f"t{place:03}"
        splits[task] = part
        base = generator.beta(2, 2) - (harder if part == "private" else 0)
        for name in names:
            rate = float(np.clip(base, 0, 1))
            if name == "a" and part == "public" and generator.random() < leak:
                rate = 1.0
            outcomes[name][task] = generator.binomial(1, rate, 3).tolist()
    frame = frame_of(outcomes)
    return cells_of(outcomes, split=frame["task_id"].map(splits))


def test_harder_private_tasks_are_no_excess():
    result = contamination(evals())
    assert not any(row.suspicious for row in result.models)
    assert all(row.gap > 0.03 for row in result.models), "everyone does worse on private tasks"
    assert all(abs(row.excess) < row.detectable for row in result.models)
    assert result.findings[0].status == "undecided"
    assert "these tasks can only show one above" in result.findings[0].text


def test_a_leak_shows_as_an_excess():
    result = contamination(evals(leak=0.4))
    worst = result.models[0]
    assert (worst.model, worst.suspicious) == ("a", True)
    assert worst.low > 0
    assert worst.p_adjusted >= worst.p
    assert not any(row.suspicious for row in result.models[1:])
    assert "consistent with contamination or over-tuning" in result.findings[0].text


def test_references_share_the_difficulty_and_shrink_the_error():
    result = contamination(evals())
    for row in result.models:
        assert row.se < row.gap_se
        assert row.gap == pytest.approx(row.public - row.private)


def test_named_references_only():
    result = contamination(evals(leak=0.4), references=["b", "c"])
    assert result.references == ("b", "c")
    assert result.models[0].model == "a"
    with pytest.raises(KeyError):
        contamination(evals(), references=["nobody"])


def test_false_alarms_are_rare():
    alarms = sum(
        any(row.suspicious for row in contamination(evals(seed=seed, public=60, private=40)).models)
        for seed in range(30)
    )
    assert alarms / 30 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 30)


def test_too_little_to_compare():
    assert "No task is in the split" in contamination(evals(), private="secret").findings[0].text
    few = contamination(evals(private=5))
    assert all(row.excess is None for row in few.models)
    assert few.findings[0].status == "unknown"
    alone = contamination(evals(names="a"))
    assert (alone.models[0].excess, alone.models[0].gap is None) == (None, False)
    with pytest.raises(ValueError, match="two splits"):
        contamination(evals(), public="x", private="x")
