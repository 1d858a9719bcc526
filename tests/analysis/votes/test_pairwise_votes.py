"""Votes against published strengths and rates (section 10 of the vectors), statsmodels and simulation."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.votes import VoteCounts, votes
from analysis.votes.bootstrap import _resampled, bootstrap
from analysis.votes.bradley_terry import fit, is_connected, sandwich
from analysis.votes.davidson import davidson, first_shown
from analysis.votes.rates import win_rates

REAL = Path(__file__).resolve().parents[3].parent / "shared" / "real"
COLUMNS = ["model_a", "model_b", "wins_a", "ties", "wins_b"]
WIKI = [
    ("A", "B", 2, 0, 3),
    ("A", "D", 1, 0, 4),
    ("B", "C", 5, 0, 3),
    ("C", "D", 1, 0, 3),
]
FOODS = ["Burger", "Pasta", "Pizza", "Sushi", "Tacos"]
#: Row's wins over the column's, a tie half (the published matrix), and the ties within.
FOOD_WINS = np.array(
    [[0, 0, 3, 2, 1], [2, 0, 0.5, 0.5, 1], [0, 1.5, 0, 2, 0], [4, 1.5, 0, 0, 1], [1, 4, 4, 1, 0]]
)


def counts_of(rows, **more):
    return VoteCounts.from_frame(pd.DataFrame(rows, columns=COLUMNS).assign(**more))


def food():
    rows = []
    for i in range(5):
        for j in range(i + 1, 5):
            won, lost = FOOD_WINS[i, j], FOOD_WINS[j, i]
            even = 1 if won % 1 else 0
            rows.append((FOODS[i], FOODS[j], won - even / 2, even, lost - even / 2))
    return counts_of(rows)


def test_wikipedia_strengths():
    board = votes(counts_of(WIKI))
    strength = {rating.model: rating.strength for rating in board.ratings}
    expected = {"A": 0.63983, "B": 1.04331, "C": 0.65981, "D": 2.27038}
    assert strength == pytest.approx(expected, abs=5e-6)
    assert board.connected
    assert [rating.model for rating in board.ratings] == ["D", "B", "C", "A"]
    assert math.prod(strength.values()) == pytest.approx(1)


def test_food_strengths_ratings_and_rates():
    counts = food()
    assert counts.wins(half_ties=True).tolist() == FOOD_WINS.tolist()
    board = votes(counts)
    expected = {
        "Tacos": (2.509025, 1159.802, 0.7, 10),
        "Sushi": (1.101156, 1016.73956, 0.479167, 6.5),
        "Burger": (0.854906, 972.767418, 0.458333, 6),
        "Pasta": (0.740381, 947.782207, 0.425, 4),
        "Pizza": (0.571837, 902.908814, 0.4375, 3.5),
    }
    rates = {rate.model: rate.win_rate for rate in board.win_rates}
    for rating in board.ratings:
        strength, points, rate, _ = expected[rating.model]
        assert rating.strength == pytest.approx(strength, abs=5e-7)
        assert rating.rating == pytest.approx(points, abs=5e-3)
        assert rates[rating.model] == pytest.approx(rate, abs=5e-7)
    won = dict(zip(FOODS, FOOD_WINS.sum(axis=1), strict=True))
    assert won == {name: wins for name, (_, _, _, wins) in expected.items()}


def test_food_against_pizza():
    board = votes(food(), reference="Pizza")
    tacos = next(rate for rate in board.win_rates if rate.model == "Tacos")
    assert (tacos.win_rate, tacos.votes) == (1.0, 4)
    with pytest.raises(KeyError, match="nobody"):
        votes(food(), reference="nobody")


def test_ten_to_one_is_four_hundred_points():
    board = votes(counts_of([("a", "b", 1000, 0, 100)]))
    assert board.ratings[0].rating - board.ratings[1].rating == pytest.approx(400)


def test_a_model_that_never_lost_has_no_rating():
    board = votes(counts_of([("X", "Y", 5, 0, 0), ("Z", "Y", 0, 2, 0)]))
    assert (board.connected, board.ratings) == (False, ())
    assert "X never lost" in board.findings[0].text
    assert "no finite rating exists" in board.findings[0].text
    assert {rate.model: rate.win_rate for rate in board.win_rates}["X"] == 1


def test_no_votes_at_all():
    board = votes(counts_of([]))
    assert (board.ratings, board.win_rates, board.connected) == ((), (), False)


def test_a_model_cannot_meet_itself():
    with pytest.raises(ValueError, match="two different models"):
        counts_of([("a", "a", 1, 0, 0)])
    with pytest.raises(ValueError, match="need the columns"):
        VoteCounts.from_frame(pd.DataFrame({"model_a": []}))


def simulated(seed, *, votes_a_pair=60, models=6, tie=0.2, position=0.0):
    generator = np.random.default_rng(seed)
    truth = generator.normal(0, 0.6, models)
    rows = []
    for i in range(models):
        for j in range(models):
            if i != j:
                p = 1 / (1 + np.exp(-(truth[i] - truth[j] + position)))
                outcome = generator.multinomial(votes_a_pair, [p * (1 - tie), tie, (1 - p) * (1 - tie)])
                rows.append((f"m{i}", f"m{j}", *outcome))
    return counts_of(rows), truth - truth.mean()


def rows_of(counts):
    """One row a vote: design without the last model, and the outcome."""
    design, outcome = [], []
    for cell in range(len(counts.first)):
        x = np.zeros(len(counts.models))
        x[counts.first[cell]], x[counts.second[cell]] = 1, -1
        for value, many in (
            (1, counts.wins_first[cell]),
            (0.5, counts.ties[cell]),
            (0, counts.wins_second[cell]),
        ):
            design += [x[:-1]] * int(many)
            outcome += [value] * int(many)
    return np.array(design), np.array(outcome)


def test_strengths_and_sandwich_agree_with_a_logit():
    counts, _ = simulated(1, votes_a_pair=12)
    design, outcome = rows_of(counts)
    theirs = sm.GLM(outcome, design, family=sm.families.Binomial()).fit(cov_type="HC0", tol=1e-12)
    strength = fit(counts.wins(half_ties=True))
    assert strength[:-1] - strength[-1] == pytest.approx(theirs.params, abs=1e-6)
    covariance = sandwich(counts, strength, half_ties=True)
    gaps = [covariance[i, i] + covariance[-1, -1] - 2 * covariance[i, -1] for i in range(5)]
    assert np.sqrt(gaps) == pytest.approx(theirs.bse, rel=1e-6)


def test_the_bootstrap_agrees_with_the_sandwich():
    counts, _ = simulated(2, votes_a_pair=40)
    strength = fit(counts.wins(half_ties=True))
    drawn = bootstrap(counts, strength, half_ties=True, draws=400, seed=1)
    assert not np.isnan(drawn).any()
    errors = np.sqrt(np.diag(sandwich(counts, strength, half_ties=True)))
    assert drawn.std(axis=0, ddof=1) == pytest.approx(errors, rel=0.15)
    again = bootstrap(counts, strength, half_ties=True, draws=3, seed=1)
    assert (again == drawn[:3]).all()


@pytest.mark.parametrize(("votes_a_pair", "clusters"), [(3, None), (40, None), (6, 25)])
def test_every_resample_is_fitted_to_its_own_maximum(votes_a_pair, clusters):
    counts, _ = simulated(7, votes_a_pair=votes_a_pair)
    if clusters is not None:
        counts = dataclasses.replace(counts, cluster=np.arange(len(counts.first)) % clusters)
    strength = fit(counts.wins(half_ties=True))
    drawn = bootstrap(counts, strength, half_ties=True, draws=40, seed=3)
    blocks = _resampled(counts, half_ties=True, draws=40, seed=3)
    for ours, wins in zip(drawn, np.concatenate(list(blocks)), strict=True):
        if np.isnan(ours).any():
            assert not is_connected(wins)
        else:
            assert ours == pytest.approx(fit(wins), abs=2e-5)


def test_counts_without_their_order():
    counts, _ = simulated(2, votes_a_pair=4)
    merged = counts.unordered()
    assert len(merged.first) == 15
    for half_ties in (True, False):
        assert (merged.wins(half_ties=half_ties) == counts.wins(half_ties=half_ties)).all()
    assert (merged.tied() == counts.tied()).all()


def test_a_resample_that_falls_apart_is_not_rated():
    counts = counts_of([("a", "b", 1, 0, 1), ("b", "c", 1, 0, 1)])
    drawn = bootstrap(counts, fit(counts.wins(half_ties=True)), half_ties=True, draws=200, seed=1)
    lost = np.isnan(drawn).all(axis=1)
    assert 0.3 < lost.mean() < 1
    assert np.abs(drawn[~lost]).max() < 5, "no absurd strengths"


def test_clusters_of_votes_widen_the_errors():
    counts, _ = simulated(3, votes_a_pair=10)
    frame = pd.DataFrame(
        {
            "model_a": [counts.models[i] for i in counts.first] * 5,
            "model_b": [counts.models[i] for i in counts.second] * 5,
            "wins_a": np.tile(counts.wins_first, 5),
            "ties": np.tile(counts.ties, 5),
            "wins_b": np.tile(counts.wins_second, 5),
        }
    )
    alone = VoteCounts.from_frame(frame)
    grouped = VoteCounts.from_frame(frame.assign(cluster_id=np.tile(np.arange(len(counts.first)), 5)))
    strength = fit(alone.wins(half_ties=True))
    plain, clustered = (np.diag(sandwich(c, strength, half_ties=True)).mean() for c in (alone, grouped))
    assert clustered != pytest.approx(plain, rel=0.05)
    assert votes(grouped, draws=500).clusters == len(counts.first)
    drawn = bootstrap(grouped, strength, half_ties=True, draws=300, seed=1)
    assert np.nanvar(drawn, axis=0).mean() == pytest.approx(clustered, rel=0.35)


def test_davidson_recovers_strengths_and_ties():
    generator = np.random.default_rng(4)
    truth, nu, rows = np.array([0.8, 0.2, -0.3, -0.7]), 0.6, []
    for i in range(4):
        for j in range(i + 1, 4):
            ours, theirs = np.exp(truth[i]), np.exp(truth[j])
            even = nu * np.sqrt(ours * theirs)
            p = np.array([ours, even, theirs]) / (ours + even + theirs)
            rows.append((f"m{i}", f"m{j}", *generator.multinomial(4000, p)))
    counts = counts_of(rows)
    fitted = davidson(counts, np.zeros(4))
    errors = np.sqrt(np.diag(fitted.covariance))
    assert np.abs(fitted.strength - truth).max() < 4 * errors[:4].max()
    assert abs(fitted.extra - math.log(nu)) < 4 * errors[4]
    board = votes(counts, ties="davidson", draws=500)
    assert [rating.model for rating in board.ratings] == ["m0", "m1", "m2", "m3"]
    half = votes(counts, ties="half", draws=500)
    assert half.ratings[0].strength < board.ratings[0].strength, "half a win shrinks strengths"


def test_davidson_at_its_maximum():
    counts = food()
    fitted = davidson(counts, np.zeros(5))

    def likelihood(strength, extra):
        gap = strength[counts.first] - strength[counts.second]
        weights = np.exp(np.stack([gap / 2, np.full(len(gap), extra), -gap / 2]))
        share = np.log(weights / weights.sum(axis=0))
        return float(np.sum(np.stack([counts.wins_first, counts.ties, counts.wins_second]) * share))

    best = likelihood(fitted.strength, fitted.extra)
    generator = np.random.default_rng(1)
    for _ in range(50):
        assert likelihood(fitted.strength + generator.normal(0, 0.01, 5), fitted.extra) < best
        assert likelihood(fitted.strength, fitted.extra + generator.normal(0, 0.01)) < best


def test_davidson_without_ties_is_refused_and_falls_back():
    with pytest.raises(ArithmeticError, match="needs a tie"):
        davidson(counts_of(WIKI), np.zeros(4))
    assert votes(counts_of(WIKI), ties="davidson").ratings[0].strength == pytest.approx(2.27038, abs=5e-6)


def test_the_advantage_of_being_shown_first():
    counts, _ = simulated(5, votes_a_pair=400, tie=0.0, position=0.3)
    shown = first_shown(counts, np.zeros(6))
    assert shown.extra == pytest.approx(0.3, abs=4 * math.sqrt(shown.covariance[6, 6]))
    assert shown.extra / math.sqrt(shown.covariance[6, 6]) > 5


def test_intervals_and_rank_sets_hold_the_truth():
    held = ranked = 0
    for seed in range(40):
        counts, truth = simulated(100 + seed, tie=0.0)
        board = votes(counts, draws=500)
        place = {f"m{i}": 1 + int((truth > truth[i]).sum()) for i in range(6)}
        inside = [
            rating.low <= 1000 + 400 / math.log(10) * truth[int(rating.model[1])] <= rating.high
            for rating in board.ratings
        ]
        held += sum(inside)
        ranked += all(r.rank_low <= place[r.model] <= r.rank_high for r in board.ratings)
    assert held / 240 > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 240)
    assert ranked / 40 > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 40)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_swapping_sides_changes_nothing(seed):
    counts, _ = simulated(seed, votes_a_pair=5, models=4)
    turned = VoteCounts(
        counts.models,
        counts.second,
        counts.first,
        counts.wins_second,
        counts.ties,
        counts.wins_first,
        counts.dropped,
        None,
    )
    assert win_rates(counts) == win_rates(turned)
    wins = counts.wins(half_ties=True)
    assert is_connected(wins) == is_connected(turned.wins(half_ties=True))
    if is_connected(wins):
        for ours, theirs in zip(
            votes(counts, draws=100).ratings, votes(turned, draws=100).ratings, strict=True
        ):
            assert (ours.model, ours.rank, ours.votes) == (theirs.model, theirs.rank, theirs.votes)
            assert (ours.rating, ours.low) == pytest.approx((theirs.rating, theirs.low), rel=1e-9)


def test_alpaca_win_rates():
    path = REAL / "alpaca_eval_v1" / "pairwise_long.csv"
    if not path.exists():
        pytest.skip("real data alpaca_eval_v1 is not beside the project")
    rows = pd.read_csv(path)
    preference = rows["preference"]
    outcome = pd.DataFrame(
        {
            "model_a": rows["generator_1"],
            "model_b": rows["file_model"],
            "wins_a": (preference == 1).astype(int),
            "ties": preference.isin([0, 1.5]).astype(int),
            "wins_b": (preference == 2).astype(int),
            "dropped": preference.isna().astype(int),
        }
    )
    counted = outcome.groupby(["model_a", "model_b"], as_index=False).sum()
    board = votes(VoteCounts.from_frame(counted), reference="text_davinci_003")
    rates = {rate.model: rate for rate in board.win_rates}
    for name, rate, error, many, even, lost in (
        ("alpaca-7b", 0.2645962733, 0.0153571147, 805, 16, 0),
        ("claude-2", 0.9135572139, 0.009897323785, 804, 1, 1),
        ("ghost-7b-alpha", 0.7044025157, 0.01619386688, 795, 0, 10),
        ("text_davinci_001", 0.1517412935, 0.01235107892, 804, 20, 1),
    ):
        found = rates[name]
        assert (found.win_rate, found.se) == pytest.approx((rate, error), abs=1e-8)
        assert (found.votes, found.ties, found.dropped) == (many, even, lost)
    assert board.connected
