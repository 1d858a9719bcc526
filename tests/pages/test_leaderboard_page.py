"""The Leaderboard page in its states: nothing, one model, all passed, all failed, two, many, variants."""

import pytest

from tests.pages.eval_rows import results

TWO = {"Aster 5": 0.9, "Aster 4": 0.5}


def test_nothing_loaded_offers_the_sample(app):
    app.open("leaderboard").check()
    assert "tells which model solves more" in app.html
    assert "task_id" in app.html
    assert "load_sample" in app.keys("button")
    assert not app.charts()


def test_the_sample_is_one_click_away(app):
    app.open("leaderboard").press("load_sample").check()
    assert 'aria-label="Verdict"' in app.html
    assert app.charts()[0].key == "plot_scores"
    assert "pin_leaderboard" in app.keys("button")


def test_two_models_get_a_verdict_a_figure_and_a_pair(app, stored):
    stored(results(TWO, tasks=60))
    app.open("leaderboard").check()
    assert 'class="sw-verdict sw-good"' in app.html
    assert "Aster 5" in app.html
    assert app.at.selectbox(key="pair").value == "Aster 5 against Aster 4"
    assert "Only Aster 5 solves" in app.html


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["all fail", "all pass"])
def test_scores_at_the_edge_are_undecided_never_certain(app, stored, share):
    stored(results({"A": share, "B": share}, tasks=30))
    app.open("leaderboard").check()
    assert "sw-verdict sw-undecided" in app.html or "sw-verdict sw-unknown" in app.html
    assert [chart.key for chart in app.charts()] == ["plot_scores"]
    assert "leave nothing to plan from" in app.html


def test_one_model_is_shown_and_not_compared(app, stored):
    stored(results({"Only": 0.5}))
    app.open("leaderboard").check()
    assert "sw-verdict sw-unknown" in app.html
    assert len(app.charts()) == 1
    assert "pair" not in app.keys("selectbox")


def test_filters_come_from_the_address(app, stored):
    stored(results(TWO | {"Cedar": 0.4}), results({"X": 0.3, "Y": 0.6}, benchmark="other"))
    app.open(
        "leaderboard", benchmark="bench", models=["Aster 5", "Cedar"], baseline="Cedar", confidence="90%"
    ).check()
    assert app.at.selectbox(key="benchmark").value == "bench"
    assert app.at.selectbox(key="baseline").value == "Cedar"
    assert app.at.selectbox(key="confidence").value == 0.9
    assert "Aster 4" not in app.html


def test_a_name_in_the_address_that_is_not_loaded_falls_back(app, stored):
    stored(results(TWO))
    app.open("leaderboard", benchmark="gone", models=["nobody"], baseline="nobody", by="sideways").check()
    assert app.at.selectbox(key="benchmark").value == "bench"
    assert 'aria-label="Verdict"' in app.html


def test_another_benchmark_forgets_the_models_of_the_first(app, stored):
    stored(results(TWO | {"Cedar": 0.4}), results({"X": 0.3, "Y": 0.6}, benchmark="other"))
    app.open("leaderboard", benchmark="bench", models=["Aster 5", "Cedar"]).check()
    app.at.selectbox(key="benchmark").select("other").run()
    app.check()
    assert "<b>other</b>" in app.html
    assert app.at.get_by_key("models").value == ["X", "Y"]


def test_a_baseline_leaves_only_its_pairs(app, stored):
    stored(results(TWO | {"Cedar": 0.4}))
    app.open("leaderboard").check()
    assert len(app.at.selectbox(key="pair").options) == 3
    app.at.selectbox(key="baseline").select("Aster 4").run()
    app.check()
    assert len(app.at.selectbox(key="pair").options) == 2


def test_more_than_eight_models_are_searched_not_listed(app, stored):
    stored(results({f"m{number:02d}": number / 12 for number in range(12)}, tasks=30))
    app.open("leaderboard").check()
    assert app.at.multiselect(key="models").value == []
    assert len(app.at.multiselect(key="columns").value) == 6


def test_both_standard_errors_are_named_where_tasks_ran_more_than_once(app, stored):
    stored(results(TWO, runs=3))
    app.open("leaderboard").check()
    assert "for new tasks like these" in app.html
    assert "for these exact tasks run again" in app.html


def test_what_changed_between_variants_stands_above_the_verdict(app, stored):
    first = results({"m": 0.9}, variant="high", settings='{"effort": "high"}')
    second = results({"m": 0.5}, variant="low", settings='{"effort": "low"}')
    stored(first, second)
    app.open("leaderboard").check()
    assert app.html.index("What changed between") < app.html.index('aria-label="Verdict"')


def test_pinning_keeps_the_answer_and_says_so(app, stored):
    stored(results(TWO))
    app.open("leaderboard").press("pin_leaderboard").check()
    assert app.at.button(key="pin_leaderboard").label == "Pinned"
    assert app.at.button(key="pin_leaderboard").disabled


def test_other_settings_are_another_pin(app, stored):
    stored(results(TWO))
    app.open("leaderboard").press("pin_leaderboard")
    app.at.number_input(key="margin").set_value(5.0).run()
    app.check()
    assert app.at.button(key="pin_leaderboard").label == "Pin to decision"


def test_a_hostile_name_stays_text(app, stored):
    stored(results({"<script>alert(1)</script>": 0.9, "$x$ [a](b) :red[c]": 0.4}))
    app.open("leaderboard").check()
    assert "<script>" not in app.html


def test_the_tasks_only_one_of_a_pair_solves_are_listed_when_opened(app, stored):
    stored(results(TWO, tasks=60))
    app.open("leaderboard").check()
    before = len(app.at.dataframe)
    app.at.session_state["pair_flips"] = True
    app.at.run()
    app.check()
    assert len(app.at.dataframe) == before + 1
    table = app.at.dataframe[0].value
    assert set(table["Solved by"]) <= {"Aster 5", "Aster 4"}
    assert app.at.expander(key="pair_flips").label == f"{len(table)} tasks only one of them solves"


def test_run_noise_is_told_for_one_model_when_opened(app, stored):
    stored(results(TWO, runs=3))
    app.open("leaderboard").check()
    assert "noise_model" not in app.keys("selectbox")
    app.at.session_state["run_noise"] = True
    app.at.run()
    app.check()
    assert app.at.selectbox(key="noise_model").value == "Aster 5"
    assert 'aria-label="Run noise"' in app.html


def test_tasks_that_ran_once_have_no_run_noise(app, stored):
    stored(results(TWO))
    app.open("leaderboard").check()
    assert "run_noise" not in [item.key for item in app.at.expander]
