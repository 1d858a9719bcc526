"""Public against private in words and numbers, on files small enough to work out by hand."""

import pytest

from answers.contamination import ContaminationParameters, ask
from data.errors import InputError
from tests.answers.loading import evals, load

SIZE = 100


def in_splits(shares):
    """{model: (share of public, of private)} over 100 tasks each; models start on other tasks."""
    outcomes, split = {}, {}
    for number, (model, parts) in enumerate(shares.items()):
        outcomes[model] = {}
        for name, share in zip(("public", "private"), parts, strict=True):
            for task in range(SIZE):
                key = f"{name}-{task:03}"
                outcomes[model][key] = [int((task * 37 + number * 29) % SIZE < round(share * SIZE))]
                split[key] = name
    return evals(outcomes, split=split)


def answer(store, **parameters):
    return ask(store, ContaminationParameters(benchmark="b", **parameters))


@pytest.fixture
def loaded(store, tmp_path):
    """Peers find private tasks 5 points harder; S gains 45 points on public ones."""
    load(store, tmp_path, "evals", in_splits({"P": (0.5, 0.45), "Q": (0.6, 0.55), "S": (0.9, 0.45)}))


def test_an_excess_is_the_gap_less_that_of_the_peers(store, loaded):
    found = answer(store)
    first = found.payload["models"][0]
    assert first["model"] == "S"
    assert first["gap"] == pytest.approx(0.45)
    assert first["excess"] == pytest.approx(0.40)
    assert found.headline.status == "caution"
    assert found.headline.sentence == "S gains 40.0 points more on public tasks than its peers."


def test_the_words_name_a_pattern_and_other_causes_never_proof(store, loaded):
    found = answer(store)
    said = " ".join([found.headline.explanation, *(f"{item.text} {item.reason}" for item in found.findings)])
    assert "consistent with contamination or over-tuning" in said
    assert "Other causes" in said
    assert {item.status for item in found.findings} == {"caution"}
    assert not {"proves", "proven", "cheated"} & set(said.lower().split())


def test_the_figure_is_the_excess_against_no_excess(store, loaded):
    figure = answer(store).figures[0]
    assert figure.reference == 0
    assert figure.title == "S stands out on public tasks"
    first = figure.rows[0]
    assert first.low < first.value < first.high
    assert first.value - first.low == pytest.approx(first.high - first.value)


def test_nothing_seen_names_what_could_have_been_seen(store, tmp_path):
    load(store, tmp_path, "evals", in_splits({"P": (0.5, 0.45), "Q": (0.6, 0.55), "S": (0.7, 0.65)}))
    found = answer(store)
    assert found.headline.status == "undecided"
    assert "would mostly stay unseen" in found.headline.explanation
    assert found.figures[0].title == "No model stands out on public tasks beyond chance"
    assert any("Not seen is not ruled out." in item.reason for item in found.findings)


def test_named_references_alone_set_the_gap_to_beat(store, loaded):
    found = answer(store, reference=("P",))
    excess = {row["model"]: row["excess"] for row in found.payload["models"]}
    assert excess["Q"] == pytest.approx(0.0)
    assert excess["S"] == pytest.approx(0.40)


def test_one_model_has_nobody_to_be_held_against(store, tmp_path):
    load(store, tmp_path, "evals", in_splits({"S": (0.9, 0.45)}))
    found = answer(store)
    assert found.headline.status == "unknown"
    assert found.figures == ()


def test_splits_that_are_not_there_are_named(store, loaded):
    with pytest.raises(InputError, match="it has: private, public"):
        answer(store, public="open")
    with pytest.raises(InputError, match="must differ"):
        answer(store, private="public")
