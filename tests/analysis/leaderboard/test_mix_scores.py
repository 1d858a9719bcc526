"""Own mixes of domains (section 11 of the vectors)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.meta_analysis import combine_effects

from analysis.leaderboard.mix import mix
from analysis.statistics import mixing
from tests.analysis.evals import cells_of, frame_of

SIZES, MEANS, SPREADS = np.array([50, 100, 50]), np.array([0.04, -0.02, 0.10]), np.array([0.5, 0.4, 0.45])


def test_a_mix_of_three_domains():
    weights = np.array([0.2, 0.7, 0.1])
    errors = SPREADS / np.sqrt(SIZES)
    assert mixing.combine(weights, MEANS, errors) == pytest.approx((0.004, 0.0320078), abs=5e-8)
    assert mixing.kish_size(np.repeat(weights / SIZES, SIZES)) == pytest.approx(169.49, abs=5e-3)
    assert mixing.combine(SIZES / 200, MEANS, errors)[0] == pytest.approx(0.025)
    equal = mixing.combine(np.full(3, 1 / 3), MEANS, errors)
    assert equal == pytest.approx((0.04, 0.0343996), abs=5e-8)


def test_heterogeneity_of_three_domains():
    result = mixing.heterogeneity(MEANS, SPREADS / np.sqrt(SIZES))
    assert (result.q, result.freedom) == (pytest.approx(2.658796, abs=5e-7), 2)
    assert result.p == pytest.approx(0.264636, abs=5e-7)
    theirs = combine_effects(MEANS, SPREADS**2 / SIZES)
    assert result.q == pytest.approx(theirs.q)


def test_the_error_has_the_weights_of_the_mean():
    errors = np.array([0.02, 0.01])
    assert mixing.combine(np.array([0.2, 0.8]), errors, errors)[1] == pytest.approx(0.00894427, abs=5e-9)
    assert mixing.combine(np.array([0.5, 0.5]), errors, errors)[1] == pytest.approx(0.01118034, abs=5e-9)


def test_livebench_by_category():
    means = np.array([0.0078, 0.0991, 0.0756, 0.2671, -0.0430, -0.0933])
    spreads = np.array([0.5097, 0.3710, 0.3478, 0.4075, 0.4602, 0.4388])
    sizes = np.array([128, 150, 200, 140, 232, 150])
    errors = spreads / np.sqrt(sizes)
    assert mixing.combine(np.full(6, 1 / 6), means, errors) == pytest.approx((0.0522, 0.0139), abs=5e-5)
    pooled = mixing.combine(sizes / 1000, means, errors)[0]
    assert pooled == pytest.approx(0.0444, abs=5e-5)
    # Pooled tasks also vary between categories; a mix with given weights does not.
    total = np.sum((sizes - 1) * spreads**2) + np.sum(sizes * (means - pooled) ** 2)
    assert math.sqrt(total / 999 / 1000) == pytest.approx(0.0138, abs=5e-5)
    result = mixing.heterogeneity(means, errors)
    assert result.q == pytest.approx(69.458, abs=0.01), "from inputs of four decimals"
    assert result.freedom == 5
    assert result.i2 == pytest.approx(0.928, abs=5e-4)
    assert result.p == pytest.approx(1.3e-13, rel=0.05)


def test_public_and_private_means():
    errors = np.sqrt([0.85 * 0.15 / 400, 0.72 * 0.28 / 200])
    gap, error = mixing.combine(np.array([1.0, -1.0]), np.array([0.85, 0.72]), errors)
    assert (gap, error) == pytest.approx((0.13, 0.0364246), abs=5e-8)
    assert gap / error == pytest.approx(3.569, abs=5e-4)


def test_clusters_inside_domains_add_in_squares():
    generator = np.random.default_rng(1)
    domain, codes = np.repeat([0, 1], 40), np.arange(80) // 4
    values, weights = generator.random(80), np.array([0.3, 0.7])
    from analysis.statistics.clusters import clustered_mean

    parts = [clustered_mean(values[domain == d], codes[domain == d]) for d in (0, 1)]
    expected = mixing.combine(weights, *(np.array([getattr(p, f) for p in parts]) for f in ("mean", "se")))
    result = mixing.stratified_mean(values, domain, codes, weights)
    assert (result.mean, result.se) == pytest.approx(expected)
    assert result.shares.sum() == pytest.approx(1)
    crossed = mixing.stratified_mean(values, domain, np.tile(np.arange(40), 2), weights)
    assert crossed.mean == pytest.approx(result.mean)
    assert crossed.se != pytest.approx(result.se, rel=1e-3)


def test_a_domain_of_one_cluster_has_no_error():
    result = mixing.stratified_mean(
        np.array([1.0, 0.0, 1.0]), np.array([0, 0, 1]), np.arange(3), np.array([0.5, 0.5])
    )
    assert (result.mean, result.se) == (0.75, None)
    with pytest.raises(ValueError, match="no task"):
        mixing.stratified_mean(np.ones(2), np.zeros(2, dtype=int), np.arange(2), np.array([0.5, 0.5]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 20), st.integers(-30, 30)), min_size=2, max_size=6))
def test_break_even_is_a_mix_and_level(parts):
    weights = np.array([w for w, _ in parts], dtype=float)
    weights /= weights.sum()
    differences = np.array([d for _, d in parts]) / 100
    found = mixing.break_even(weights, differences)
    mixed = differences.min() < 0 < differences.max() or (differences == 0).any()
    assert (found is not None) == mixed or found is None
    if found is not None:
        assert found.min() >= 0
        assert found.sum() == pytest.approx(1)
        assert found @ differences == pytest.approx(0, abs=1e-9)


def test_break_even_is_the_nearest_of_two_domains():
    found = mixing.break_even(np.array([0.8, 0.2]), np.array([0.1, -0.1]))
    assert found == pytest.approx([0.5, 0.5])
    assert mixing.break_even(np.array([0.5, 0.5]), np.array([0.1, 0.2])) is None


def test_mixes_near_break_even_are_a_coin_flip():
    terms = {"certainty": 50, "draws": 4000, "seed": 1}
    weights, covariance = np.array([0.5, 0.5]), 1e-6 * np.eye(2)
    level = mixing.ahead_share(weights, np.array([0.1, -0.1]), covariance, **terms)
    assert level == pytest.approx(0.5, abs=0.03)
    assert mixing.ahead_share(weights, np.array([0.1, 0.05]), covariance, **terms) == 1


def evals():
    generator = np.random.default_rng(3)
    rates = {"code": {"a": 0.8, "b": 0.5}, "chat": {"a": 0.4, "b": 0.7}}
    outcomes, domains = {"a": {}, "b": {}}, {}
    for domain, by_model in rates.items():
        for place in range(60):
            task = f"{domain}-{place:02}"
            domains[task] = domain
            for name, rate in by_model.items():
                outcomes[name][task] = generator.binomial(1, rate, 4).tolist()
    frame = frame_of(outcomes)
    return cells_of(outcomes, domain=frame["task_id"].map(domains))


def test_the_mix_turns_the_order():
    cells = evals()
    code, chat = mix(cells, {"code": 90, "chat": 10}), mix(cells, {"code": 0.1, "chat": 0.9})
    assert (code.models[0].model, chat.models[0].model) == ("a", "b")
    assert (code.pairs[0].a, code.pairs[0].verdict) == ("a", "better")
    assert (chat.pairs[0].a, chat.pairs[0].verdict) == ("b", "better")
    assert code.weights == pytest.approx({"code": 0.9, "chat": 0.1})
    level = code.pairs[0].break_even
    assert sum(level.values()) == pytest.approx(1)
    assert mix(cells, level).pairs[0].difference == pytest.approx(0, abs=1e-9)
    assert code.models[0].n_effective == pytest.approx(60 / (0.81 + 0.01))
    assert any("code contributes" in finding.text for finding in code.findings)


def test_a_domain_without_tasks_leaves_bounds():
    result = mix(evals(), {"code": 0.75, "billing": 0.25})
    assert (result.uncovered, result.uncovered_domains, result.pairs) == (0.25, ("billing",), ())
    score = result.models[0]
    assert score.mean is None
    assert score.most - score.least == pytest.approx(0.25)
    assert any("25.0% of the mix is unknown" in finding.text for finding in result.findings)


def test_one_domain_alone_is_its_plain_mean():
    cells = evals()
    result = mix(cells, {"code": 1})
    values = cells.cell_means[0, [d == "code" for d in cells.domains]]
    a = next(score for score in result.models if score.model == "a")
    assert a.mean == pytest.approx(values.mean())
    assert a.se == pytest.approx(values.std(ddof=1) / math.sqrt(60))


def test_a_full_score_under_a_mix_has_an_interval():
    outcomes = {"m": {f"t{i:02}": [1, 1] for i in range(20)}}
    cells = cells_of(outcomes, domain=["x"] * 10 + ["y"] * 10)
    (score,) = mix(cells, {"x": 3, "y": 1}).models
    assert (score.mean, score.high) == (1, 1)
    assert score.low == pytest.approx(0.025 ** (1 / score.n_effective))


@pytest.mark.parametrize("weights", [{}, {"code": 0}, {"code": -1, "chat": 2}, {"code": math.nan}])
def test_weights_must_make_a_mix(weights):
    with pytest.raises(ValueError, match="weights must be"):
        mix(evals(), weights)
