"""Published scores: errors from task counts, differences under a correlation, contradictions."""

import math

import pytest

from analysis.leaderboard.published import PublishedScore, published


def test_binomial_error_from_the_task_count():
    result = published([PublishedScore("claude", 0.9018, 1700)])
    assert result.models[0].stderr == pytest.approx(0.00721749345, rel=1e-8)
    assert result.models[0].low < 0.9018 < result.models[0].high


def aider(**more):
    scores = [PublishedScore("o3-pro (high)", 0.849, 225), PublishedScore("gpt-5 (high)", 0.88, 225)]
    return published(scores, a="gpt-5 (high)", b="o3-pro (high)", **more)


def test_a_difference_under_a_stated_correlation():
    (pair,) = aider(correlation=0.5).pairs
    assert pair.difference == pytest.approx(0.031)
    assert pair.se == pytest.approx(0.0228470164, rel=1e-4)
    assert pair.verdict == "undecided"
    assert "could be noise" in pair.reason
    (apart,) = aider(correlation=0.0).pairs
    assert apart.se > pair.se
    assert aider(correlation=0.95).pairs[0].verdict == "better"


def test_best_first_and_pairs_as_asked():
    result = aider()
    assert [model.model for model in result.models] == ["gpt-5 (high)", "o3-pro (high)"]
    assert (result.pairs[0].a, result.pairs[0].b) == ("gpt-5 (high)", "o3-pro (high)")


def test_without_tasks_nothing_is_invented():
    scores = [PublishedScore("m1", 0.70), PublishedScore("m2", 0.65)]
    result = published(scores, a="m1", b="m2")
    assert all((m.stderr, m.low, m.high) == (None, None, None) for m in result.models)
    assert (result.pairs[0].se, result.pairs[0].verdict) == (None, "undecided")
    assert any(f.status == "unknown" and "m1 and m2 have neither" in f.text for f in result.findings)
    asked = published(scores, a="m1", b="m2", tasks=400)
    assert asked.pairs[0].se == pytest.approx(math.sqrt(0.7 * 0.3 / 400 + 0.65 * 0.35 / 400))


def test_a_published_error_is_used_as_it_is():
    (model,) = published([PublishedScore("m", 0.5, 100, stderr=0.02)]).models
    assert (model.stderr, model.low) == (0.02, pytest.approx(0.5 - 1.96 * 0.02, abs=1e-5))


def test_a_full_score_has_an_interval():
    (model,) = published([PublishedScore("m", 1.0, 30)]).models
    assert model.low < 0.95
    pair = published([PublishedScore("m", 1.0, 30), PublishedScore("n", 1.0, 30)], a="m", b="n").pairs[0]
    assert (pair.verdict, pair.se, pair.p) == ("undecided", 0, None)
    assert pair.low < -0.05
    certain = published([PublishedScore("m", 1.0, 10), PublishedScore("n", 0.9, 2000)], a="m", b="n").pairs[0]
    assert certain.verdict == "undecided", "10 of 10 is not certainty"


def test_a_score_that_own_results_contradict():
    scores = [PublishedScore("Claude 3.7 Sonnet", 0.528, 500), PublishedScore("Claude 4.5 Opus", 0.744, 500)]
    own = {"Claude 3.7 Sonnet": (0.102, 500), "Claude 4.5 Opus": (0.744, 500)}
    bad = [finding for finding in published(scores, own=own).findings if finding.status == "bad"]
    assert len(bad) == 1
    assert bad[0].text == "Claude 3.7 Sonnet is published at 52.8% but scores 10.2% in your 500 tasks."


def test_wrong_requests_are_refused():
    with pytest.raises(KeyError):
        published([PublishedScore("m", 0.5)], a="m", b="nobody")
    with pytest.raises(ValueError, match="correlation"):
        published([], correlation=1.5)
    with pytest.raises(ValueError, match="task count"):
        published([], tasks=0)
