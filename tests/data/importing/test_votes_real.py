"""Published win rates from the files behind them."""

import math
from pathlib import Path

import pytest
from helpers import stored

from data.importing import ImportOptions, import_files
from data.votes import vote_counts

REAL = Path(__file__).resolve().parents[3].parent / "shared" / "real"
needs_real_data = pytest.mark.skipif(not REAL.is_dir(), reason="the real data sets are not beside this tree")


@needs_real_data
def test_alpaca_eval_win_rates(store):
    fields = {
        "model_a": "generator_1",
        "model_b": "file_model",
        "preference": "preference",
        "prompt_id": "row",
    }
    constants = {"benchmark": "alpaca", "scale": "1..2", "tie": "0"}
    report = import_files(
        store,
        [REAL / "alpaca_eval_v1" / "pairwise_long.csv"],
        ImportOptions(kind="votes", mapping=fields, constants=constants),
    )[0]
    assert (report.read, report.loaded, report.rejected) == (12_075, 12_075, 0)
    assert "17 of 12,075 votes have no outcome: counted as dropped" in report.warnings
    counts = vote_counts(store, "alpaca", "text_davinci_003").set_index("model_a")
    assert (counts["model_b"] == "text_davinci_003").all()
    for model, rate, error, votes, ties, dropped in (
        ("alpaca-7b", 0.2645962733, 0.0153571147, 805, 16, 0),
        ("claude-2", 0.9135572139, 0.009897323785, 804, 1, 1),
        ("ghost-7b-alpha", 0.7044025157, 0.01619386688, 795, 0, 10),
        ("gpt4_1106_preview", 0.9769900498, 0.005104849118, 804, 5, 1),
    ):
        row = counts.loc[model]
        assert (row["votes"], row["ties"], row["dropped"]) == (votes, ties, dropped)
        assert row["points"] / row["votes"] == pytest.approx(rate, abs=1e-9)
        spread = row["points_squares"] - row["points"] ** 2 / row["votes"]
        assert math.sqrt(spread / (row["votes"] - 1) / row["votes"]) == pytest.approx(error, abs=1e-9)


@needs_real_data
def test_alpaca_annotations_as_json(store):
    report = import_files(
        store,
        [REAL / "alpaca_eval_v1" / "minichat-3b.annotations.trimmed.json.gz"],
        ImportOptions(constants={"scale": "1..2", "tie": "0"}),
    )[0]
    assert (report.kind, report.read, report.rejected) == ("votes", 805, 0)
    counts = vote_counts(store, reference="text_davinci_003").iloc[0]
    assert (counts["votes"], counts["ties"], counts["dropped"]) == (804, 5, 1)
    assert counts["points"] / counts["votes"] == pytest.approx(0.4881840796, abs=1e-9)


@needs_real_data
def test_food_votes_all_count(store):
    report = import_files(store, [REAL / "evalica_food_small" / "food.csv"], ImportOptions())[0]
    assert (report.kind, report.read, report.loaded) == ("votes", 30, 30)
    counts = vote_counts(store).set_index(["model_a", "model_b"])
    # Spec vector 10.3: the win matrix with ties as half.
    assert counts.loc[("Burger", "Sushi"), "points"] == 2.0
    assert counts.loc[("Pasta", "Pizza"), "points"] == 0.5
    assert counts.loc[("Pizza", "Tacos"), ["points", "votes"]].tolist() == [0.0, 4.0]
    assert len(stored(store, "outcome", "vote")) == 30
