"""The rules of the leaderboard: verdicts, minimum data, pair order, coverage, costs, ranks."""

import itertools

import numpy as np
import pytest
from scipy import stats

from analysis.leaderboard import leaderboard
from analysis.leaderboard.verdicts import judge, shortage, tasks_to_settle
from tests.analysis.evals import array_cells, cells_of, frame_of, paired, repeated, single


def ruling(**changes):
    given = {
        "difference": 0.05,
        "low": 0.01,
        "high": 0.09,
        "p_adjusted": 0.01,
        "margin": 0.02,
        "confidence": 0.95,
        "shortage": "",
        "detectable": 0.06,
        "tasks": 300,
    }
    return judge(**(given | changes))


@pytest.mark.parametrize(
    ("changes", "verdict", "material"),
    [
        ({}, "better", True),
        ({"difference": -0.05, "low": -0.09, "high": -0.01}, "worse", True),
        ({"difference": 0.02, "low": 0.01, "high": 0.03}, "better", True),
        ({"difference": 0.01, "low": 0.002, "high": 0.018}, "better", False),
        ({"difference": -0.01, "low": -0.018, "high": -0.002}, "worse", False),
        ({"difference": 0.0, "low": -0.01, "high": 0.01, "p_adjusted": 1.0}, "equivalent", False),
        ({"difference": 0.0, "low": -0.02, "high": 0.02, "p_adjusted": 1.0}, "undecided", True),
        ({"low": -0.01, "p_adjusted": 0.2}, "undecided", True),
        ({"p_adjusted": 0.06}, "undecided", True),
        ({"low": -0.001, "p_adjusted": 0.04}, "undecided", True),
        ({"shortage": "only 9 shared tasks; a verdict needs 10"}, "undecided", True),
    ],
)
def test_one_rule(changes, verdict, material):
    result = ruling(**changes)
    assert (result.verdict, result.material) == (verdict, material)


def test_undecided_says_what_could_have_been_seen():
    text = "300 tasks can only show differences above 6.0 points"
    assert ruling(low=-0.01, p_adjusted=0.2).reason == text
    assert ruling(p_adjusted=0.06).reason == f"the interval and the test (p 0.060) disagree; {text}"


@pytest.mark.parametrize(
    ("tasks", "units", "differing", "words"),
    [
        (0, 0, 0, "no shared tasks"),
        (9, 9, 9, "only 9 shared tasks; a verdict needs 10"),
        (100, 5, 5, "only 5 clusters"),
        (100, 100, 5, "they differ on only 5 tasks; a verdict needs 6"),
        (10, 6, 6, ""),
    ],
)
def test_minimum_data(tasks, units, differing, words):
    unit = "cluster" if units < tasks else "task"
    lack = shortage(tasks=tasks, units=units, differing=differing, unit=unit)
    assert lack == "" if not words else lack.startswith(words)


def test_five_wins_to_none_cannot_be_a_verdict_and_six_can():
    for wins, verdict in ((5, "undecided"), (6, "better")):
        (pair,) = leaderboard(cells_of(paired(20, wins, 0, 20)), contenders="AB").pairs
        assert pair.verdict == verdict


def test_tasks_to_settle_grow_with_the_square():
    assert tasks_to_settle(tasks=100, difference=0.03, detectable=0.06) == 400
    assert tasks_to_settle(tasks=100, difference=-0.03, detectable=0.06) == 400
    assert tasks_to_settle(tasks=100, difference=0.0, detectable=0.06) is None
    assert tasks_to_settle(tasks=100, difference=0.06, detectable=0.06) is None
    assert tasks_to_settle(tasks=4, difference=0.5, detectable=0.6) == 10


FOUR = single(
    "wxyz", ["1110"] * 40 + ["1100"] * 20 + ["1000"] * 10 + ["0001"] * 5 + ["0110"] * 5 + ["0000"] * 20
)


def test_pairs_come_once_in_rank_order():
    board = leaderboard(cells_of(FOUR))
    assert [model.model for model in board.models] == ["w", "x", "y", "z"]
    assert [(pair.a, pair.b) for pair in board.pairs] == list(itertools.combinations("wxyz", 2))


def test_pairs_come_in_the_order_asked_for():
    board = leaderboard(cells_of(FOUR), contenders=["z", "w", "y"])
    assert [(pair.a, pair.b) for pair in board.pairs] == [("z", "w"), ("z", "y"), ("w", "y")]
    assert board.pairs[0].verdict == "worse"
    assert [model.model for model in board.models] == ["w", "y", "z"], "scores stay best first"


def test_a_baseline_is_the_second_of_every_pair():
    board = leaderboard(cells_of(FOUR), baseline="y")
    assert [(pair.a, pair.b) for pair in board.pairs] == [("w", "y"), ("x", "y"), ("z", "y")]
    assert board.family_size == 3
    asked = leaderboard(cells_of(FOUR), contenders=["z", "x"], baseline="y")
    assert [(pair.a, pair.b) for pair in asked.pairs] == [("z", "y"), ("x", "y")]
    everyone = leaderboard(cells_of(FOUR))
    wide = next(pair for pair in everyone.pairs if (pair.a, pair.b) == ("w", "y"))
    assert board.pairs[0].high - board.pairs[0].low < wide.high - wide.low, "a smaller family"


@pytest.mark.parametrize("correction", ["max-t", "holm", "none"])
def test_turning_a_pair_round_only_changes_signs(correction):
    there = leaderboard(cells_of(FOUR), contenders=["w", "x", "z"], correction=correction).pairs
    back = leaderboard(cells_of(FOUR), contenders=["z", "x", "w"], correction=correction).pairs
    turned = {(pair.b, pair.a): pair for pair in back}
    for pair in there:
        other = turned[pair.a, pair.b]
        assert (pair.difference, pair.low, pair.high) == pytest.approx(
            (-other.difference, -other.high, -other.low), abs=1e-12
        )
        assert (pair.p, pair.only_a, pair.only_b) == (other.p, other.only_b, other.only_a)
        assert pair.p_adjusted == pytest.approx(other.p_adjusted, abs=0.02)
        opposite = {"better": "worse", "worse": "better"}
        assert opposite.get(other.verdict, other.verdict) == pair.verdict


def test_corrections_widen_and_never_lower_a_p():
    plain = leaderboard(cells_of(FOUR), correction="none").pairs
    for correction in ("max-t", "holm"):
        board = leaderboard(cells_of(FOUR), correction=correction)
        for alone, corrected in zip(plain, board.pairs, strict=True):
            assert corrected.p == alone.p
            assert corrected.p_adjusted >= alone.p_adjusted == alone.p
            assert corrected.low <= alone.low < alone.high <= corrected.high


def test_max_t_is_no_wider_than_holm():
    joint, holm = (leaderboard(cells_of(FOUR), correction=name).pairs for name in ("max-t", "holm"))
    for ours, theirs in zip(joint, holm, strict=True):
        assert theirs.low - 1e-12 <= ours.low
        assert ours.high <= theirs.high + 1e-12


def test_one_pair_needs_no_correction():
    both = [
        leaderboard(cells_of(paired(40, 30, 10, 20)), correction=name).pairs[0] for name in ("max-t", "none")
    ]
    assert (both[0].low, both[0].high, both[0].p_adjusted) == pytest.approx(
        (both[1].low, both[1].high, both[1].p), abs=1e-9
    )


def uneven():
    """Three contenders on 60 tasks, of which the third lacks the 20 hardest."""
    generator = np.random.default_rng(3)
    outcomes = {name: {} for name in ("full-a", "full-b", "part")}
    for place in range(60):
        easy = 0.9 - place / 100
        for name, gain in (("full-a", 0.1), ("full-b", 0.0), ("part", 0.0)):
            if name != "part" or place < 40:
                outcomes[name][f"t{place:02}"] = generator.binomial(1, min(1, easy + gain), 3).tolist()
    return outcomes


def test_a_contender_without_every_task_has_no_rank():
    board = leaderboard(cells_of(uneven()))
    part = board.models[-1]
    assert (part.model, part.rank, part.tier, part.complete) == ("part", None, None, False)
    assert (part.tasks, board.tasks, board.missing_cells, board.cells) == (40, 60, 20, 180)
    assert [model.rank for model in board.models[:2]] == [1, 2]
    assert all(pair.tasks == (40 if "part" in (pair.a, pair.b) else 60) for pair in board.pairs)
    text = " ".join(finding.text for finding in board.findings)
    assert "part covers 40 of 60 tasks and has no rank." in text
    assert "Counting missing outcomes as failed" in text


def test_missing_tasks_can_count_as_failed():
    board = leaderboard(cells_of(uneven()), missing="fail")
    part = next(model for model in board.models if model.model == "part")
    assert (part.tasks, part.complete) == (60, True)
    assert part.rank is not None
    lenient = next(m for m in leaderboard(cells_of(uneven())).models if m.model == "part")
    assert part.mean == pytest.approx(lenient.mean * 40 / 60)
    assert all(pair.tasks == 60 for pair in board.pairs)
    assert any("20 missing cells of 180 count as failed" in finding.text for finding in board.findings)


def test_pairs_rest_on_shared_tasks_alone():
    outcomes = uneven()
    reduced = {
        name: {task: runs for task, runs in tasks.items() if task < "t40"} for name, tasks in outcomes.items()
    }
    whole = leaderboard(cells_of(outcomes), contenders=["full-a", "part"], correction="none").pairs[0]
    shared = leaderboard(cells_of(reduced), contenders=["full-a", "part"], correction="none").pairs[0]
    assert whole == shared


def test_incomplete_families_use_each_pairs_own_tasks():
    board = leaderboard(cells_of(uneven()))
    plain = leaderboard(cells_of(uneven()), correction="none")
    for corrected, alone in zip(board.pairs, plain.pairs, strict=True):
        assert corrected.low < alone.low
        critical = (corrected.high - corrected.difference) / corrected.se
        assert (
            stats.t.ppf(0.975, corrected.tasks - 1)
            < critical
            < stats.t.ppf(1 - 0.025 / 3, corrected.tasks - 1)
        )


def test_a_family_too_large_to_draw_is_bonferroni(monkeypatch):
    monkeypatch.setattr("analysis.leaderboard.family.MOST_PAIRS", 2)
    board = leaderboard(cells_of(uneven()))
    assert any("too many to draw jointly" in finding.text for finding in board.findings)
    for pair in board.pairs:
        critical = (pair.high - pair.difference) / pair.se
        assert critical == pytest.approx(stats.t.ppf(1 - 0.025 / 3, pair.tasks - 1), rel=2e-3)
        assert pair.p_adjusted >= min(1, 3 * pair.p) - 1e-12


def test_an_unscored_run_is_left_out_and_counted():
    outcomes = {"m": {f"t{i:02}": [1, None] for i in range(12)}, "n": {f"t{i:02}": [0, 1] for i in range(12)}}
    board = leaderboard(cells_of(outcomes))
    m = next(model for model in board.models if model.model == "m")
    assert (m.mean, m.rows, m.unscored_rows, m.runs_per_task) == (1.0, 12, 12, 1.0)
    assert any(
        "12 runs of 48 have no score and are left out; most belong to m (12)." in f.text
        for f in board.findings
    )
    strict = leaderboard(cells_of(outcomes), missing="fail")
    assert next(model for model in strict.models if model.model == "m").mean == 0.5


def test_tasks_that_nobody_scored_do_not_cost_a_rank():
    outcomes = {name: {f"t{i:02}": [i % 2] for i in range(12)} | {"z": [None]} for name in "mn"}
    board = leaderboard(cells_of(outcomes))
    assert [model.rank for model in board.models] == [1, 1]
    assert board.tasks == 12
    assert any("1 task of the benchmark has no score from any contender" in f.text for f in board.findings)
    assert leaderboard(cells_of(outcomes), missing="fail").tasks == 13


def test_draws_share_a_rank_and_names_make_no_order():
    outcomes = single("cab", ["111"] * 6 + ["100"] * 2 + ["010"] * 2 + ["000"] * 4)
    assert [(m.model, m.rank) for m in leaderboard(cells_of(outcomes)).models] == [
        ("a", 1),
        ("c", 1),
        ("b", 3),
    ]


def test_means_over_tasks_and_over_rows_can_disagree():
    outcomes = {
        "steady": {"easy": [1], "hard": [0] * 1} | {f"t{i}": [i % 2] for i in range(10)},
        "much": {"easy": [1] * 50, "hard": [0]} | {f"t{i}": [0] for i in range(10)},
    }
    board = leaderboard(cells_of(outcomes))
    assert board.models[0].model == "steady"
    texts = [finding.text for finding in board.findings]
    assert any(text.startswith("By rows much is ahead of steady") for text in texts)
    assert any(text.startswith("Tasks ran 1 to 50 times") for text in texts)


def priced(cost, cost_rows, currency="USD"):
    outcomes = {"m": {"a": [1, 0], "b": [1, 1]}, "n": {"a": [1, 1], "b": [0, 0]}}
    return cells_of(outcomes, cost=cost, cost_rows=cost_rows, currency=currency)


def test_cost_per_task_is_the_mean_over_tasks_of_the_mean_over_runs():
    board = leaderboard(priced([0.2, 0.6, 1.0, 1.0], [2, 2, 2, 2]))
    costs = {model.model: model.cost_per_task for model in board.models}
    assert costs == pytest.approx({"m": 0.2, "n": 0.5})


def test_one_unknown_cost_makes_the_cost_unknown():
    board = leaderboard(priced([0.2, 0.3, 1.0, 1.0], [2, 1, 2, 2]))
    m = next(model for model in board.models if model.model == "m")
    assert (m.cost_per_task, m.unknown_cost_rows) == (None, 1)
    assert any("m (1 of 4 runs)" in finding.text for finding in board.findings if finding.status == "unknown")


def test_currencies_are_never_added_up():
    board = leaderboard(priced([1.0] * 4, [2] * 4, currency=["USD", "EUR", "EUR", "EUR"]))
    m, n = sorted(board.models, key=lambda model: model.model)
    assert (m.currency, m.cost_per_task) == ("mixed", None)
    assert (n.currency, n.cost_per_task) == ("EUR", 0.5)
    assert any("m has costs in several currencies" in finding.text for finding in board.findings)


def test_no_cost_at_all_is_no_news():
    assert not any("cost" in f.text.lower() for f in leaderboard(cells_of(paired(5, 5, 5, 5))).findings)


def test_tokens_and_latency_are_means_of_the_known():
    frame = frame_of({"m": {"a": [1, 1], "b": [1, 0]}})
    frame["success_output_tokens"], frame["success_output_rows"] = [300.0, np.nan], [2, 0]
    frame["latency_ms_sum"], frame["latency_rows"] = [4000.0, 1000.0], [2, 1]
    from analysis.statistics.cells import Cells

    (model,) = leaderboard(Cells.from_frame(frame)).models
    assert (model.output_tokens_per_success, model.latency_ms) == (150.0, pytest.approx(5000 / 3))


def clustered(groups, size, *, lift=0.0, seed=1, contenders=2):
    generator = np.random.default_rng(seed)
    codes = np.repeat(np.arange(groups), size)
    common = generator.normal(0, 1, groups)[codes]
    gain = lift * np.arange(contenders)[::-1, None]
    share = 1 / (1 + np.exp(-(common + gain)))
    return array_cells(generator.binomial(4, share), 4, codes)


def test_five_clusters_never_reach_a_verdict():
    board = leaderboard(clustered(5, 40, lift=3.0))
    (pair,) = board.pairs
    assert pair.verdict == "undecided"
    assert pair.p >= 2 / 2**5
    assert "5 clusters" in pair.reason
    assert board.models[0].rank_high == 2, "nor does a rank set claim more"
    assert any("5 clusters can never reach p 0.05" in finding.text for finding in board.findings)


def test_few_clusters_also_pass_a_sign_flip_test():
    board = leaderboard(clustered(8, 30, lift=3.0))
    (pair,) = board.pairs
    assert pair.verdict == "better"
    assert pair.p == 2 / 2**8
    assert pair.method == "paired t over 8 clusters, cluster sign-flip"
    assert any("With 8 clusters each verdict must also pass" in finding.text for finding in board.findings)


def test_clusters_show_what_they_cost():
    board = leaderboard(clustered(30, 20))
    text = " ".join(finding.text for finding in board.findings)
    assert "600 tasks in 30 clusters carry the information of" in text
    assert board.by == "cluster"
    alone = leaderboard(clustered(30, 20), by="task")
    assert alone.by == "task"
    assert alone.models[0].se < board.models[0].se


def test_a_dominant_cluster_is_called_out():
    codes = np.concatenate([np.zeros(40, dtype=int), np.arange(1, 21)])
    board = leaderboard(array_cells(np.random.default_rng(1).binomial(3, 0.5, (2, 60)), 3, codes))
    assert any("One cluster holds 66.7% of the tasks" in finding.text for finding in board.findings)


def test_tasks_without_a_cluster_id_are_counted():
    outcomes = repeated([1, 2, 3, 4] * 5, 4)
    clusters = {f"t{i:03}": f"c{i // 2}" for i in range(18)}
    board = leaderboard(cells_of(outcomes, clusters=clusters))
    assert board.clusters == 11
    assert any("2 of 20 tasks have no cluster id; each counts as its own" in f.text for f in board.findings)


def test_the_leader_is_shrunk_towards_the_others():
    generator = np.random.default_rng(1)
    board = leaderboard(array_cells(generator.binomial(3, 0.5, (10, 200)), 3))
    leader, last = board.models[0], board.models[-1]
    assert last.shrunk > last.mean
    assert leader.shrunk < leader.mean
    assert any(f"{leader.model} leads with" in f.text and "on fresh tasks" in f.text for f in board.findings)


def test_a_clear_field_has_clear_ranks_and_tiers():
    share = np.array([0.9, 0.7, 0.5, 0.3])[:, None]
    board = leaderboard(array_cells(np.random.default_rng(2).binomial(5, share, (4, 300)), 5))
    assert [(m.rank, m.rank_low, m.rank_high, m.tier) for m in board.models] == [
        (place, place, place, str(place)) for place in (1, 2, 3, 4)
    ]
    assert [m.possible_best for m in board.models] == [True, False, False, False]
    assert board.models[0].best_share == 1


def test_equal_contenders_share_one_tier():
    board = leaderboard(array_cells(np.random.default_rng(4).binomial(3, 0.5, (6, 150)), 3))
    assert {m.tier for m in board.models} == {"1"}
    assert {(m.rank_low, m.rank_high) for m in board.models} == {(1, 6)}
    assert sum(m.best_share for m in board.models) == pytest.approx(1)


def test_wrong_requests_are_refused():
    cells = cells_of(FOUR)
    with pytest.raises(KeyError, match="nobody"):
        leaderboard(cells, contenders=["w", "nobody"])
    with pytest.raises(KeyError, match="nobody"):
        leaderboard(cells, baseline="nobody")
    with pytest.raises(ValueError, match="named twice"):
        leaderboard(cells, contenders=["w", "w"])
    for name, value in (("margin", -0.1), ("confidence", 1.0), ("draws", 5)):
        with pytest.raises(ValueError, match=name):
            leaderboard(cells, **{name: value})
