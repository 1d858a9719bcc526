"""Own mixes in words and numbers, on files small enough to work out by hand."""

import pytest

from answers.mix import MixParameters, ask
from data.errors import InputError
from tests.answers.loading import evals, load

TASKS = 40


def domain_rows(shares):
    """{model: (share solved of sql, of web)}, each over 40 tasks; solved tasks of a model start elsewhere."""
    outcomes, domains = {}, {}
    for number, (model, parts) in enumerate(shares.items()):
        outcomes[model] = {}
        for domain, share in zip(("sql", "web"), parts, strict=True):
            for task in range(TASKS):
                name = f"{domain}-{task:02}"
                place = (task * 7 + number * 11) % TASKS
                outcomes[model][name] = [int(place < share * TASKS)]
                domains[name] = domain
    return evals(outcomes, domain=domains)


@pytest.fixture
def crossed(store, tmp_path):
    """A solves more of sql by 50 points, B more of web by 25."""
    load(store, tmp_path, "evals", domain_rows({"A": (0.9, 0.25), "B": (0.4, 0.5)}))


def answer(store, *weight, **parameters):
    return ask(store, MixParameters(benchmark="b", weight=weight, **parameters))


def test_scores_are_weighted_means_of_the_domains(store, crossed):
    found = answer(store, "sql=3", "web=1")
    means = {row["model"]: row["mean"] for row in found.payload["models"]}
    assert means == {"A": pytest.approx(0.7375), "B": pytest.approx(0.425)}
    assert found.payload["uncovered"] == 0
    # Kish: weights 3/4 / 40 and 1/4 / 40 over 40 tasks each; 1 / (40 (9 + 1) / 16 / 1600) = 64.
    assert found.payload["models"][0]["n_effective"] == pytest.approx(64)
    assert found.headline.sentence == "On your mix A solves 31.2 points more than B."


def test_the_order_turns_where_the_domains_balance(store, crossed):
    found = answer(store, "sql=3", "web=1")
    sql, web = found.payload["domains"]
    # 0.5 x = 0.25 (1 - x)
    assert (sql["domain"], sql["difference"]) == ("sql", pytest.approx(0.5))
    assert sql["turns_at"] == pytest.approx(1 / 3)
    assert web["turns_at"] == pytest.approx(2 / 3)
    texts = [item.text for item in found.findings]
    assert "B would be ahead with web above 66.7% of the mix; it is 25.0% now." in texts
    assert found.payload["pairs"][0]["break_even"]["sql"] == pytest.approx(1 / 3)


def test_the_map_loses_certainty_with_a_looser_mix(store, crossed):
    found = answer(store, "sql=45", "web=55")
    board = found.payload["winner_map"]
    firm, _, loose = next(row["ahead"] for row in board["models"] if row["model"] == "A")
    assert firm > loose > 0.5
    assert board["certainties"] == [None, 50.0, 10.0]
    assert found.payload["winner_map"] == answer(store, "sql=45", "web=55").payload["winner_map"]
    table = next(table for table in found.tables if table.name == "winner_map")
    assert sum(row[1] for row in table.rows) <= board["draws"]


def test_the_figure_shows_the_mix_with_its_effective_tasks(store, crossed):
    figure = answer(store, "sql=3", "web=1").figures[0]
    assert [row.label for row in figure.rows] == ["A", "B"]
    assert figure.rows[0].columns[2] == "64"
    assert figure.title.startswith("A solves 7")


def test_an_untested_part_gives_bounds_and_no_figure(store, crossed):
    found = answer(store, "sql=1", "mobile=1")
    assert found.payload["uncovered"] == 0.5
    first = found.payload["models"][0]
    assert (first["mean"], first["least"], first["most"]) == (None, pytest.approx(0.45), pytest.approx(0.95))
    assert found.figures == ()
    assert found.payload["winner_map"] is None
    assert found.headline.status == "unknown"


def test_domains_that_agree_turn_at_no_share(store, tmp_path):
    load(store, tmp_path, "evals", domain_rows({"A": (0.9, 0.8), "B": (0.4, 0.5)}))
    found = answer(store, "sql=1", "web=1")
    assert any("No shift of one domain's share turns the order" in item.text for item in found.findings)
    assert [row["turns_at"] for row in found.payload["domains"]] == [None, None]


def test_one_model_has_a_score_and_nobody_to_beat(store, crossed):
    found = answer(store, "sql=1", "web=1", model=("A",))
    assert found.headline.status == "unknown"
    assert not found.payload["pairs"]
    assert found.payload["winner_map"] is None


@pytest.mark.parametrize(
    ("weight", "says"),
    [(("sql",), "DOMAIN=W"), (("sql=1", "sql=2"), "twice"), (("sql=0",), "above 0"), (("x=1",), "no domain")],
)
def test_a_wrong_weight_is_named(store, crossed, weight, says):
    with pytest.raises(InputError, match=says):
        answer(store, *weight)
