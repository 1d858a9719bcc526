"""Votes in words and numbers, on files small enough to work out by hand."""

import numpy as np
import pytest

from answers.votes import VotesParameters, ask
from answers.votes_reading import by_position
from data.errors import InputError
from data.importing import ImportOptions, import_files
from tests.answers.loading import evals, load

#: Vector 10.1: wins of A, B, C, D over each other.
WINS = {
    ("A", "B"): 2,
    ("B", "A"): 3,
    ("A", "D"): 1,
    ("D", "A"): 4,
    ("B", "C"): 5,
    ("C", "B"): 3,
    ("C", "D"): 1,
    ("D", "C"): 3,
}


def votes_of(wins, ties=()):
    rows = [
        {"model_a": a, "model_b": b, "winner": "a"} for (a, b), count in wins.items() for _ in range(count)
    ]
    return rows + [{"model_a": a, "model_b": b, "winner": "tie"} for a, b in ties]


def answer(store, **parameters):
    return ask(store, VotesParameters(**parameters))


def test_strengths_are_those_of_the_published_vector(store, tmp_path):
    load(store, tmp_path, "votes", votes_of(WINS))
    found = answer(store)
    strengths = {row["model"]: row["strength"] for row in found.payload["ratings"]}
    assert strengths == {
        "A": pytest.approx(0.63983, abs=5e-6),
        "B": pytest.approx(1.04331, abs=5e-6),
        "C": pytest.approx(0.65981, abs=5e-6),
        "D": pytest.approx(2.27038, abs=5e-6),
    }
    assert found.payload["connected"] is True
    assert found.headline.status == "undecided"
    assert found.headline.sentence.startswith("D leads the votes; ")


def test_the_figure_is_the_ratings_with_their_rank_ranges(store, tmp_path):
    load(store, tmp_path, "votes", votes_of(WINS))
    figure = answer(store).figures[0]
    assert [row.label for row in figure.rows] == ["D", "B", "C", "A"]
    assert figure.unit == "number"
    assert figure.reference == 1000
    assert figure.rows[0].columns[2] == "1–4"


def test_win_rates_against_a_reference_are_drawn_beside_the_ratings(store, tmp_path):
    load(store, tmp_path, "votes", votes_of(WINS))
    found = answer(store, reference="D")
    rates = {row["model"]: row["win_rate"] for row in found.payload["win_rates"]}
    assert rates == {"A": pytest.approx(0.2), "C": pytest.approx(0.25)}
    assert [figure.name for figure in found.figures] == ["ratings", "win_rates"]
    assert found.figures[1].title == "C wins 25% of votes against D"
    assert [fact.value for fact in found.headline.facts] == ["22", "4"]


def test_votes_that_never_meet_have_no_rating_but_win_rates(store, tmp_path):
    load(store, tmp_path, "votes", votes_of({("A", "B"): 3}))
    found = answer(store)
    assert found.headline.status == "unknown"
    assert found.payload["ratings"] == []
    assert found.payload["error_ratio"] is None
    assert [figure.name for figure in found.figures] == ["win_rates"]


def test_ranks_under_each_rule_for_ties_stand_in_a_table(store, tmp_path):
    # Against each other and C alike, but B's ties with C are worth half a win only while ties count.
    wins = {("A", "C"): 5, ("C", "A"): 4, ("B", "C"): 3, ("C", "B"): 1, ("A", "B"): 2, ("B", "A"): 2}
    load(store, tmp_path, "votes", votes_of(wins, ties=[("B", "C")] * 40))
    found = answer(store)
    ranks = found.payload["tie_ranks"]
    assert ranks["half"]["A"] == 1
    assert ranks["drop"]["B"] == 1
    table = next(table for table in found.tables if table.name == "tie_rules")
    assert [column.name for column in table.columns] == ["model", "half", "drop", "davidson"]
    assert any("Another rule for ties moves" in item.text for item in found.findings)


def placed(first_wins, second_wins, swapped=0):
    """Votes on two models shown in both orders, in which the answer shown first wins so often."""
    rows = [{"model_a": "A", "model_b": "B", "winner": "a", "position": "a"}] * first_wins
    rows += [{"model_a": "A", "model_b": "B", "winner": "b", "position": "a"}] * second_wins
    rows += [{"model_a": "A", "model_b": "B", "winner": "b", "position": "b"}] * first_wins
    return rows + [{"model_a": "A", "model_b": "B", "winner": "a", "position": "b"}] * second_wins


def test_being_shown_first_is_worth_its_share_of_even_votes(store, tmp_path):
    load(store, tmp_path, "votes", placed(70, 30))
    found = answer(store)
    # Two even models, 140 of 200 votes to the answer shown first; logit(.7) +- 1.96 / sqrt(200 * .21).
    assert found.payload["position"]["share"] == pytest.approx(0.7)
    half = 1.959964 / np.sqrt(200 * 0.21)
    low = 1 / (1 + np.exp(-(np.log(7 / 3) - half)))
    assert found.payload["position"]["low"] == pytest.approx(low, abs=1e-4)
    assert any("shown first wins 70" in item.text and item.status == "caution" for item in found.findings)


def test_a_vote_whose_second_model_was_shown_first_is_turned(store, tmp_path):
    load(store, tmp_path, "votes", placed(70, 30))
    counts = by_position(store, None)
    wins = dict(zip(counts.first.tolist(), counts.wins_first.tolist(), strict=True))
    assert wins == {0: 70.0, 1: 70.0}


def test_no_position_no_effect(store, tmp_path):
    load(store, tmp_path, "votes", votes_of(WINS))
    assert answer(store).payload["position"] is None


def by_prompt(copies):
    """30 prompts on which each vote was cast ``copies`` times alike, half of the prompts for A."""
    return [
        {"model_a": "A", "model_b": "B", "winner": "ab"[prompt % 2], "prompt_id": f"p{prompt}"}
        for prompt in range(30)
        for _ in range(copies)
    ]


def test_votes_cast_alike_on_a_prompt_widen_errors_by_the_root_of_their_number(store, tmp_path):
    load(store, tmp_path, "votes", by_prompt(4))
    narrow, wide = answer(store), answer(store, errors="prompt")
    # Four alike votes say as much as one: sqrt(4), times the small-sample factor sqrt(30 / 29).
    assert narrow.payload["error_ratio"] == pytest.approx(2 * np.sqrt(30 / 29))
    before, after = (found.payload["ratings"][0] for found in (narrow, wide))
    widths = [row["high"] - row["low"] for row in (before, after)]
    assert widths[1] / widths[0] == pytest.approx(2 * np.sqrt(30 / 29))
    assert any("too narrow" in item.text for item in narrow.findings)
    assert any("allow for that" in item.text for item in wide.findings)


def test_prompts_voted_on_once_change_nothing(store, tmp_path):
    load(store, tmp_path, "votes", by_prompt(1))
    assert answer(store, errors="prompt").payload["error_ratio"] is None


def solved(share, tasks=80):
    return {f"t{task:03}": [int(task < share * tasks)] for task in range(tasks)}


def test_votes_against_the_order_on_tasks_are_called_out(store, tmp_path):
    load(store, tmp_path, "votes", votes_of({("weak", "strong"): 90, ("strong", "weak"): 10}), "v.csv")
    load(store, tmp_path, "evals", evals({"strong": solved(0.9), "weak": solved(0.3)}), "e.csv")
    found = answer(store, beside="b")
    rows = {row["model"]: row["agreement"] for row in found.payload["both_ranks"]}
    assert rows == {"weak": "votes prefer it more", "strong": "tasks favour it more"}
    assert any("elsewhere by votes than on b" in item.text for item in found.findings)
    assert found.fingerprint != answer(store).fingerprint


def test_ranks_beside_each_other_are_among_the_models_that_have_both(store, tmp_path):
    load(store, tmp_path, "votes", votes_of(WINS), "v.csv")
    load(store, tmp_path, "evals", evals({"A": solved(0.5), "D": solved(0.5)}), "e.csv")
    found = answer(store, beside="b")
    table = next(table for table in found.tables if table.name == "both_ranks")
    assert [row[:4] for row in table.rows] == [("D", 1, 1, 2), ("A", 2, 1, 2)]
    assert any("do not contradict" in item.text for item in found.findings)


def test_a_reference_without_votes_is_refused(store, tmp_path):
    load(store, tmp_path, "votes", votes_of(WINS))
    with pytest.raises(InputError, match="nobody"):
        answer(store, reference="nobody")
    with pytest.raises(InputError, match="no eval results"):
        answer(store, beside="nothing")


def test_resampled_intervals_agree_with_those_of_the_errors(store, tmp_path):
    lines = ["model_a,model_b,winner,prompt_id"]
    for vote in range(600):
        first, second = (("x", "y"), ("y", "z"), ("x", "z"))[vote % 3]
        lines.append(f"{first},{second},{'a' if vote % 5 < 3 else 'b'},p{vote}")
    path = tmp_path / "many.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    import_files(store, [path], ImportOptions(constants={"benchmark": "many"}))
    made = ask(store, VotesParameters(benchmark="many", replicates=400))
    assert made.payload["judge_agreement"] is None
    for rating, drawn in zip(made.payload["ratings"], made.payload["resampled"], strict=True):
        assert drawn["model"] == rating["model"]
        assert drawn["usable"] == 400
        # Limits of 400 resamples wander by about a fifth of a half-width.
        slack = 0.2 * (rating["high"] - rating["low"])
        assert drawn["low"] == pytest.approx(rating["low"], abs=slack)
        assert drawn["high"] == pytest.approx(rating["high"], abs=slack)


def test_prompts_judged_twice_tell_how_far_judges_agree(store, tmp_path):
    lines = ["model_a,model_b,winner,prompt_id,judge"]
    for prompt in range(40):
        first = "a" if prompt % 2 else "b"
        second = first if prompt % 4 else ("b" if first == "a" else "a")
        lines += [f"x,y,{first},p{prompt},j1", f"x,y,{second},p{prompt},j2"]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    import_files(store, [path], ImportOptions(constants={"benchmark": "judged"}))
    found = ask(store, VotesParameters(benchmark="judged")).payload["judge_agreement"]
    assert (found["units"], found["judgements"]) == (40, 80)
    assert found["agreement"] == pytest.approx(0.75)
