"""Ranks, rank sets, tiers and shrinkage (section 9 of the vectors)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.statistics import ranks
from analysis.statistics.multiplicity import joint_draws
from analysis.statistics.shrink import shrink

PISA = """Japan 526.973250/2.471475 Korea 525.933002/3.121394 Estonia 523.414580/1.743602
Netherlands 519.230982/2.632278 Poland 515.647875/2.602085 Switzerland 515.314713/2.908004
Canada 512.016943/2.357476 Denmark 509.398375/1.735002 Slovenia 508.897544/1.363878
Belgium 508.070306/2.262662 Finland 507.301362/1.967920 Sweden 502.387702/2.654251 UK 501.769899/2.564428
Norway 500.963788/2.219045 Germany 500.043781/2.647083 Ireland 499.632894/2.198621
Czechia 499.467651/2.460662 Austria 498.942314/2.970999 Latvia 496.126331/1.962767
France 495.407579/2.320214 Iceland 495.187376/1.953083 New-Zealand 494.489676/1.705943
Portugal 492.487406/2.684570 Australia 491.360025/1.939833 Italy 486.589857/2.780046
Slovakia 486.164854/2.555596 Luxembourg 483.421485/1.097632 Spain 481.392613/1.462418
Lithuania 481.191188/1.953282 Hungary 481.082636/2.319597 USA 478.244717/3.235444
Israel 463.034549/3.498563 Turkiye 453.507777/2.260407 Greece 451.370344/3.091228
Chile 417.406556/2.415888 Mexico 408.801473/2.493226 Costa-Rica 402.330559/3.288799
Colombia 390.932273/2.989559"""


@pytest.fixture(scope="module")
def pisa():
    entries = [entry.split() for entry in PISA.replace("\n", " ").replace(" ", "\n").splitlines()]
    words = [word for entry in entries for word in entry]
    names = words[::2]
    scores = np.array([float(word.split("/")[0]) for word in words[1::2]])
    errors = np.array([float(word.split("/")[1]) for word in words[1::2]])
    return names, *compare(scores, np.diag(errors), draws=20_000)


def compare(scores, root, *, draws=4000, freedom=np.inf):
    first, second = ranks.pair_index(len(scores))
    drawn = joint_draws(root, freedom=freedom, draws=draws, seed=1, first=first, second=second)
    gap = scores[first] - scores[second]
    statistics = np.divide(gap, drawn.scale, out=np.zeros(len(gap)), where=drawn.scale > 0)
    return statistics, drawn


def test_pisa_marginal_set_of_the_united_kingdom(pisa):
    names, statistics, draws = pisa
    uk = names.index("UK")
    sets = ranks.rank_sets(statistics, draws, confidence=0.95, only=uk, step_down=False)
    assert (sets.low[uk], sets.high[uk]) == (7, 23)
    # Stepping down, Canada's t of 2.942 meets a critical value of 2.935: less than the noise of 1,000 draws,
    # from which the published 7 comes, can tell apart.
    stepped = ranks.rank_sets(statistics, draws, confidence=0.95, only=uk)
    assert stepped.low[uk] in (7, 8)
    assert stepped.high[uk] == 23


@pytest.mark.parametrize(("confidence", "size", "sweden"), [(0.95, 12, True), (0.90, 11, False)])
def test_pisa_best_five(pisa, confidence, size, sweden):
    names, statistics, draws = pisa
    best = ranks.rank_sets(statistics, draws, confidence=confidence).best(5)
    assert best.sum() == size
    assert best[names.index("Sweden")] == sweden


def test_pisa_simultaneous_sets(pisa):
    names, statistics, draws = pisa
    sets = ranks.rank_sets(statistics, draws, confidence=0.95)
    for name in ("Korea", "Germany"):
        place = names.index(name)
        assert sets.low[place] <= 7 <= sets.high[place]
    last = [names.index(name) for name in ("Chile", "Mexico", "Colombia", "Costa-Rica")]
    rest = [place for place in range(len(names)) if place not in last]
    assert sets.low[last].min() > sets.high[rest].max()


def test_a_marginal_set_lies_within_the_simultaneous_one(pisa):
    _, statistics, draws = pisa
    together = ranks.rank_sets(statistics, draws, confidence=0.95)
    for place in (0, 12, 37):
        alone = ranks.rank_sets(statistics, draws, confidence=0.95, only=place)
        assert together.low[place] <= alone.low[place]
        assert alone.high[place] <= together.high[place]
        lower = ranks.rank_sets(statistics, draws, confidence=0.95, only=place, side="low")
        assert lower.low[place] >= alone.low[place]


def test_equal_scores_leave_every_rank_open():
    statistics, draws = compare(np.full(10, 0.3), np.sqrt(0.5) * np.eye(10))
    sets = ranks.rank_sets(statistics, draws, confidence=0.95)
    assert set(zip(sets.low.tolist(), sets.high.tolist(), strict=True)) == {(1, 10)}
    assert (statistics == 0).all()
    assert len(set(draws.scale.tolist())) == 1


def test_draws_share_the_best_rank_of_their_group():
    scores = np.array([1, 3, 4, 4, 4, 7, 7, 10.0])
    assert ranks.ranks(scores).tolist() == [8, 7, 4, 4, 4, 2, 2, 1]
    assert ranks.fractional_ranks(scores, 1).tolist() == [8, 7, 6, 6, 6, 3, 3, 1]
    assert ranks.fractional_ranks(scores, 0.5).tolist() == [8, 7, 5, 5, 5, 2.5, 2.5, 1]
    assert ranks.ranks(np.array([0.66, 0.66, 0.7])).tolist() == [2, 2, 1]
    assert ranks.ranks(np.array([0.1 + 0.2, 0.3])).tolist() == [1, 1]


def test_clear_gaps_pin_every_rank_down():
    statistics, draws = compare(np.array([0.9, 0.5, 0.1]), 0.01 * np.eye(3))
    sets = ranks.rank_sets(statistics, draws, confidence=0.95)
    assert sets.low.tolist() == sets.high.tolist() == [1, 2, 3]
    assert sets.best().tolist() == [True, False, False]


def test_stepping_down_proves_more_than_one_step():
    scores = np.array([3.0, 1.52, 0.0])
    statistics, draws = compare(scores, 0.38 * np.eye(3), draws=20_000)
    once = np.sort(np.abs(draws.base[[0, 0, 1]] - draws.base[[1, 2, 2]]).max(axis=0) / draws.scale[0])
    critical = np.quantile(once, 0.95)
    assert statistics.min() < critical * 1.2
    sets = ranks.rank_sets(statistics, draws, confidence=0.95)
    single = 1 + np.array([0, statistics[0] > critical, (statistics[1:] > critical).sum()])
    assert (sets.low >= single).all()


def test_two_contenders_without_any_spread():
    statistics, draws = compare(np.array([1.0, 0.0]), np.zeros((1, 2)), freedom=19.0)
    assert ranks.rank_sets(statistics, draws, confidence=0.95).low.tolist() == [1, 1]
    proven = ranks.rank_sets(np.array([7.0]), draws, confidence=0.95)
    assert proven.low.tolist() == [1, 2]


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 8), st.integers(0, 10**6))
def test_rank_sets_hold_the_observed_rank_and_move_with_names(count, seed):
    generator = np.random.default_rng(seed)
    scores, root = generator.random(count), generator.normal(0, 0.2, (12, count))
    statistics, draws = compare(scores, root, draws=500)
    sets = ranks.rank_sets(statistics, draws, confidence=0.9)
    place = ranks.ranks(scores)
    assert (sets.low <= place).all()
    assert (place <= sets.high).all()
    turned = np.arange(count)[::-1]
    reversed_sets = ranks.rank_sets(*compare(scores[turned], root[:, turned], draws=500), confidence=0.9)
    assert reversed_sets.low[turned].tolist() == sets.low.tolist()


def test_tiers_compare_with_the_anchor_only():
    # Each neighbour overlaps the next; chaining would make one tier of all four.
    scores = np.array([0.7, 0.66, 0.62, 0.58])
    separated = np.abs(scores[:, None] - scores) > 0.05
    assert ranks.tiers(scores, separated).tolist() == [1, 1, 2, 2]
    assert ranks.tiers(scores, np.zeros((4, 4), dtype=bool)).tolist() == [1, 1, 1, 1]
    assert ranks.tiers(np.empty(0), np.zeros((0, 0), dtype=bool)).tolist() == []


def test_best_share_splits_draws_and_adds_up():
    values = np.random.default_rng(3).random((60, 3))
    values[:, 1] = values[:, 0]
    share = ranks.best_share(values, np.arange(60) // 3, draws=400, seed=1)
    assert share.sum() == pytest.approx(1)
    assert share[0] == share[1]


def test_best_share_of_two_is_the_sign_of_their_difference():
    generator = np.random.default_rng(9)
    values = np.column_stack([generator.random(400), generator.random(400)])
    gap = values[:, 0] - values[:, 1]
    share = ranks.best_share(values, np.arange(400), draws=20_000, seed=2)
    assert share[0] == pytest.approx(stats.norm.cdf(gap.mean() / (gap.std() / 20)), abs=0.015)


def test_shrinkage_of_four_scores():
    shrunk = shrink(np.array([0.70, 0.66, 0.64, 0.60]), 0.03**2 * np.eye(4))
    assert shrunk == pytest.approx([0.674038, 0.654808, 0.645192, 0.625962], abs=5e-7)


def test_shared_tasks_shrink_less():
    scores = np.array([0.70, 0.66, 0.64, 0.60])
    shared = 0.03**2 * (0.2 * np.eye(4) + 0.8)
    assert shrink(scores, shared)[0] > shrink(scores, 0.03**2 * np.eye(4))[0]


def test_shrinkage_needs_three_and_survives_no_spread():
    assert shrink(np.array([0.7, 0.6]), 0.001 * np.eye(2)) is None
    assert shrink(np.full(3, 0.5), np.zeros((3, 3))).tolist() == [0.5] * 3


def test_noise_alone_shrinks_to_the_mean():
    scores = np.array([0.51, 0.50, 0.49])
    assert shrink(scores, 0.01 * np.eye(3)) == pytest.approx(np.full(3, 0.5))
