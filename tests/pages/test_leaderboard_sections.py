"""The sections below the pairs of the Leaderboard: shown where the data have what they need, lazily."""

import pytest

from data.store import Store, default_path
from tests.data.store_files import load
from tests.pages.eval_rows import results

TWO = {"Aster 5": 0.9, "Aster 4": 0.5}


def in_domains(models, tasks=60, **fields):
    """Rows whose tasks fall into two domains by turns."""
    rows = results(models, tasks=tasks, **fields)
    return [row | {"domain": ("sql", "web")[int(row["task_id"][-3:]) % 2]} for row in rows]


def in_splits(models, tasks=60):
    rows = results(models, tasks=tasks)
    return [row | {"split": ("public", "private")[int(row["task_id"][-3:]) % 2]} for row in rows]


@pytest.fixture
def other_kinds():
    """Put votes or published scores into the workspace of the test."""

    def put(kind, rows, name):
        with Store.open(default_path()) as store:
            load(store, rows, kind=kind, name=name)

    return put


def votes(benchmark="bench", winner=0.0):
    pairs = (("Aster 5", "Aster 4"), ("Aster 4", "Aster 5"))
    return [
        {"benchmark": benchmark, "model_a": a, "model_b": b, "outcome": outcome}
        for a, b in pairs
        for outcome in (1.0, 1.0, winner, 0.5)
    ]


def published(benchmark="bench", **fields):
    return [
        {"benchmark": benchmark, "model": model, "metric": "", "score": score, **fields}
        for model, score in (("Aster 5", 0.2), ("Aster 4", 0.5))
    ]


def keys(app):
    return [item.key for item in app.at.expander]


def unfold(app, key):
    app.at.session_state[key] = True
    app.at.run()
    return app.check()


def test_the_planner_answers_in_a_sentence_beside_its_curve(app, stored):
    stored(results(TWO | {"Cedar": 0.45}, tasks=60, runs=2))
    app.open("leaderboard").check()
    assert app.at.selectbox(key="plan_pair").value == "Aster 5 against Aster 4"
    assert "tasks, 2 runs each, show a gap of 2 points" in app.html
    assert "Floor with endless runs" in app.html
    assert len(app.charts()) == 2
    assert "pin_plan" in app.keys("button")


def test_a_wider_gap_needs_fewer_tasks(app, stored):
    stored(results(TWO, tasks=60))
    app.open("leaderboard", plan_difference="2").check()

    def needed():
        sentence = next(line for line in app.html.split("sw-answer") if "show a gap of" in line)
        return int(sentence.split(" tasks,")[0].strip('"> ').split(">")[-1].replace(",", ""))

    wide = needed()
    app.at.slider(key="plan_difference").set_value(10.0).run()
    app.check()
    assert needed() < wide


def test_money_appears_once_both_costs_are_known(app, stored):
    stored(results(TWO, tasks=60))
    app.open("leaderboard").check()
    assert "about $" not in app.html
    app.at.number_input(key="plan_cost_task").set_value(10.0).run()
    app.at.number_input(key="plan_cost_run").set_value(0.5).run()
    app.check()
    assert "about $" in app.html


def test_one_model_has_no_plan(app, stored):
    stored(results({"Only": 0.5}))
    app.open("leaderboard").check()
    assert "plan_pair" not in app.keys("selectbox")


def test_folded_sections_compute_nothing(app, stored):
    stored(in_domains(TWO, runs=2))
    app.open("leaderboard").check()
    assert {"run_noise", "own_mix"} <= set(keys(app))
    assert "pin_mix" not in app.keys("button")
    assert "pin_reliability" not in app.keys("button")


def test_a_section_opened_in_a_link_is_open(app, stored):
    stored(in_domains(TWO))
    app.open("leaderboard", own_mix="true").check()
    assert "pin_mix" in app.keys("button")


def test_run_noise_shows_both_estimands_and_the_curve(app, stored):
    stored(results(TWO, tasks=40, runs=3))
    app.open("leaderboard").check()
    unfold(app, "run_noise")
    assert "New tasks like these" in app.html
    assert "These tasks, run again" in app.html
    assert app.at.selectbox(key="noise_model").value == "Aster 5"


def test_two_models_are_compared_in_their_run_noise(app, stored):
    rows = results({"Steady": 0.5}, tasks=30, runs=2)
    shaky = [row | {"model": "Shaky", "score": float(int(row["run"]))} for row in rows]
    stored(rows + shaky)
    app.open("leaderboard").check()
    unfold(app, "run_noise")
    model = app.at.selectbox(key="noise_model").value
    app.at.selectbox(key="noise_other").select(model).run()
    assert "pin_consistency" not in app.check().keys("button")
    app.at.selectbox(key="noise_other").select({"Steady": "Shaky", "Shaky": "Steady"}[model]).run()
    app.check()
    assert "pin_consistency" in app.keys("button")


def test_tasks_that_ran_once_have_unknown_run_noise(app, stored):
    stored(results(TWO))
    app.open("leaderboard").check()
    assert "run_noise" not in keys(app)
    assert "Run noise is unknown" in app.html


def test_the_mix_starts_as_the_tasks_are_and_follows_the_weights(app, stored):
    stored(in_domains(TWO))
    app.open("leaderboard").check()
    unfold(app, "own_mix")
    assert [app.at.number_input(key=f"mix_{name}").value for name in ("sql", "web")] == [50.0, 50.0]
    assert "sql 50.0% and web 50.0%" in app.html
    assert "Who is ahead if the mix is only roughly known" in app.html
    app.at.number_input(key="mix_web").set_value(0.0).run()
    app.check()
    assert "sql 100%" in app.html


def test_a_mix_of_nothing_is_a_sentence(app, stored):
    stored(in_domains(TWO))
    app.open("leaderboard", mix_sql="0", mix_web="0").check()
    unfold(app, "own_mix")
    assert "Every weight is 0." in app.html


def test_many_domains_are_weighed_in_a_table(app, stored):
    rows = results(TWO, tasks=52)
    stored([row | {"domain": f"d{int(row['task_id'][-3:]) % 13:02d}"} for row in rows])
    app.open("leaderboard").check()
    unfold(app, "own_mix")
    assert "pin_mix" in app.keys("button")
    assert "mix_d00" not in app.keys("number_input")


def test_one_domain_has_no_mix_and_one_split_no_comparison(app, stored):
    stored(results(TWO))
    app.open("leaderboard").check()
    assert not {"own_mix", "public_private", "votes", "published"} & set(keys(app))


def test_public_against_private_is_a_pattern_never_a_proof(app, stored):
    stored(in_splits(TWO | {"Cedar": 0.4}))
    app.open("leaderboard").check()
    unfold(app, "public_private")
    assert app.at.selectbox(key="split_public").value == "public"
    assert "never its proof" in app.html
    assert "pin_contamination" in app.keys("button")


def test_votes_are_set_beside_the_results_of_their_benchmark(app, stored, other_kinds):
    stored(results(TWO))
    other_kinds("votes", votes(), "votes.csv")
    app.open("leaderboard").check()
    unfold(app, "votes")
    assert app.at.selectbox(key="votes_beside").value == "bench"
    assert "Rank by votes beside rank on bench" in app.html
    assert "pin_votes" in app.keys("button")


def test_votes_without_a_benchmark_are_shown_too(app, stored, other_kinds):
    stored(results(TWO))
    other_kinds("votes", votes(benchmark=""), "votes.csv")
    app.open("leaderboard").check()
    unfold(app, "votes")
    assert 'aria-label="What the votes rest on"' in app.html or "pin_votes" in app.keys("button")


def test_votes_alone_have_a_page(app, other_kinds):
    other_kinds("votes", votes(), "votes.csv")
    app.open("leaderboard").check()
    assert keys(app) == ["votes"]
    unfold(app, "votes")
    assert "pin_votes" in app.keys("button")


def test_published_scores_against_own_results_come_first(app, stored, other_kinds):
    stored(results(TWO, tasks=200))
    other_kinds("scores", published(n_tasks=200), "scores.csv")
    app.open("leaderboard").check()
    unfold(app, "published")
    first = app.html.index("Contradicted by your own results")
    assert first < app.html.index("is published highest")
    assert "scores_tasks" not in app.keys("number_input")


def test_the_number_of_tasks_is_asked_where_no_score_says_it(app, stored, other_kinds):
    stored(results(TWO))
    other_kinds("scores", published(), "scores.csv")
    app.open("leaderboard").check()
    unfold(app, "published")
    assert "no interval" in app.html or "without an error" in app.html
    app.at.number_input(key="scores_tasks").set_value(500).run()
    app.at.selectbox(key="scores_a").select("Aster 4").run()
    app.check()
    assert app.at.slider(key="scores_correlation").value == 0.0
    assert "Aster 4 against Aster 5" in app.html


def test_a_section_is_pinned_like_the_page(app, stored):
    stored(results(TWO, tasks=60))
    app.open("leaderboard").press("pin_plan").check()
    assert app.at.button(key="pin_plan").label == "Pinned"
    assert app.at.button(key="pin_leaderboard").label == "Pin to decision"
