"""The leaderboard's verdict in words, on files small enough to work out by hand."""

import random

import pytest

from answers.leaderboard import LeaderboardParameters, ask
from answers.reliability import ReliabilityParameters
from answers.reliability import ask as ask_reliability
from data.errors import InputError
from data.importing import ImportOptions, import_files


@pytest.fixture
def load(store, tmp_path):
    """Load ``{model: outcomes}`` as a wide table under a benchmark; None is an empty cell."""

    def make(columns, benchmark="b"):
        tasks = max(map(len, columns.values()))
        rows = [",".join(["task", *columns])]
        for task in range(tasks):
            cells = [outcomes[task] if task < len(outcomes) else None for outcomes in columns.values()]
            rows.append(",".join([f"t{task}", *("" if cell is None else str(cell) for cell in cells)]))
        path = tmp_path / f"{benchmark}.csv"
        path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        options = ImportOptions("evals", "wide", {"task_id": "task"}, {"benchmark": benchmark})
        import_files(store, [path], options)

    return make


def answer(store, **parameters):
    return ask(store, LeaderboardParameters(benchmark="b", **parameters))


def split(both, only_a, only_b, neither):
    """Outcomes of A and B with those counts of tasks."""
    first = [1] * both + [1] * only_a + [0] * only_b + [0] * neither
    second = [1] * both + [0] * only_a + [1] * only_b + [0] * neither
    return {"A": first, "B": second}


def test_a_proven_gain_says_by_how_much(store, load):
    load(split(101, 121, 59, 33))
    card = answer(store, model=("A", "B")).headline
    assert (card.status, card.word) == ("good", "Better")
    assert card.sentence == "A solves 19.7 points more of your tasks than B."
    assert card.explanation == "Of 314 shared tasks, A alone solved 121 and B alone 59."
    assert card.number == "+19.7"
    facts = {fact.label: fact.value for fact in card.facts}
    assert facts["Paired tasks"] == "314 of 314"
    assert facts["Adjusted p"] == "< 0.001"


def test_the_mirror_image_is_a_loss(store, load):
    load(split(101, 121, 59, 33))
    card = answer(store, model=("B", "A")).headline
    assert (card.status, card.word) == ("bad", "Worse")
    assert card.sentence == "B solves 19.7 points fewer of your tasks than A."


def test_undecided_says_what_the_file_could_have_seen(store, load):
    load(split(107, 28, 19, 44))
    card = answer(store).headline
    assert (card.status, card.word) == ("undecided", "Undecided")
    assert card.sentence == "A against B is undecided at +4.5 points."
    assert "can only show differences above" in card.explanation
    assert any(fact.label == "To settle it" and "more tasks" in fact.value for fact in card.facts)


def test_inside_the_margin_is_neither_better_nor_undecided(store, load):
    load(split(300, 6, 6, 100))
    card = answer(store, margin=0.1).headline
    assert (card.status, card.word) == ("caution", "Within the margin")
    assert card.sentence == "A and B differ by less than your margin of 10 points."


def test_a_gain_below_the_margin_is_said_to_be_little(store, load):
    load(split(800, 40, 10, 150))
    card = answer(store, margin=0.1, model=("A", "B")).headline
    assert (card.status, card.word) == ("caution", "Better, but little")
    assert "below the 10 points that matter to you" in card.explanation


@pytest.mark.parametrize(
    "outcomes", [split(2, 3, 0, 1), split(0, 6, 0, 0), split(6, 0, 0, 0), split(0, 0, 0, 6)]
)
def test_six_tasks_decide_nothing(store, load, outcomes):
    load(outcomes)
    card = answer(store).headline
    assert (card.status, card.word) == ("unknown", "Too few tasks")
    assert "6 tasks" in card.sentence


def test_all_solved_by_both_is_not_sameness(store, load):
    load(split(30, 0, 0, 0))
    card = answer(store, margin=0.02).headline
    assert card.word == "Undecided"
    assert card.number == "0"


def test_one_model_cannot_be_compared(store, load):
    load({"A": [1, 0, 1, 1]})
    made = answer(store)
    assert made.headline.word == "Nothing to compare"
    assert made.headline.sentence == "A solves 75% of b."
    assert made.payload["pairs"] == []


def test_models_without_a_shared_task_cannot_be_compared(store, load):
    load({"A": [1] * 12 + [None] * 12, "B": [None] * 12 + [0] * 12})
    card = answer(store).headline
    assert card.status == "unknown"
    assert "share no scored task" in card.sentence or "share a scored task" in card.explanation


def test_the_leader_is_named_with_those_that_may_be_as_good(store, load):
    numbers = random.Random(7)  # noqa: S311 - outcomes, not secrets
    rates = {"top": 0.8, "near": 0.78, "low": 0.3}
    load({name: [int(numbers.random() < rate) for _ in range(300)] for name, rate in rates.items()})
    against = answer(store, baseline="low").headline
    assert against.word == "Better"
    assert (
        against.sentence.endswith("than low; near may be as good.")
        or "may be as good" not in against.sentence
    )
    leader = answer(store)
    assert leader.headline.word == "Undecided"
    assert {leader.result.pairs[0].a, leader.result.pairs[0].b} == {"top", "near"}


def test_figures_and_tables_tell_the_numbers_of_the_payload(store, load):
    load(split(107, 28, 19, 44))
    made = answer(store)
    scores = {table.name: table for table in made.tables}["models"]
    assert [row[0] for row in scores.rows] == [model["model"] for model in made.payload["models"]]
    assert [row[1] for row in scores.rows] == [model["mean"] for model in made.payload["models"]]
    forest, matrix = made.figures
    assert [row.value for row in forest.rows] == [model["mean"] for model in made.payload["models"]]
    pair = made.payload["pairs"][0]
    tiles = {(tile.row, tile.column): tile.difference for tile in matrix.tiles}
    assert tiles[pair["a"], pair["b"]] == pair["difference"]
    assert tiles[pair["b"], pair["a"]] == -pair["difference"]


def test_renaming_models_renames_the_answer_and_nothing_else(store, load):
    load(split(107, 28, 19, 44))
    load({"first": split(107, 28, 19, 44)["A"], "second": split(107, 28, 19, 44)["B"]}, "c")
    one = answer(store).payload["pairs"][0]
    other = ask(store, LeaderboardParameters(benchmark="c")).payload["pairs"][0]
    names = ("a", "b")
    assert {k: v for k, v in one.items() if k not in names} == {
        k: v for k, v in other.items() if k not in names
    }


def test_an_answer_names_its_files_and_its_data(store, load):
    load(split(20, 5, 5, 5))
    before = answer(store)
    assert [(source.file, source.rows_loaded) for source in before.sources] == [("b.csv", 70)]
    load(split(20, 5, 5, 5), "other")
    assert answer(store).fingerprint == before.fingerprint
    assert ask(store, LeaderboardParameters(benchmark="other")).fingerprint != before.fingerprint


def test_close_races_are_decided_by_cost_and_speed_where_they_are_known(store, tmp_path):
    lines = ["task_id,model,score,cost,currency,latency_s"]
    for task in range(40):
        lines.append(f"t{task},dear,{task % 2},0.50,USD,1")
        lines.append(f"t{task},cheap,{(task + 1) % 2},0.10,USD,9")
        lines.append(f"t{task},free,{task % 2},,,")
    path = tmp_path / "costs.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    import_files(store, [path], ImportOptions(constants={"benchmark": "b"}))
    texts = [(finding.text, finding.reason) for finding in answer(store).findings]
    assert (
        "Of the 3 models that could be first, cheap is the cheapest at $0.10 a task.",
        "the cost of free is unknown",
    ) in texts
    assert (
        "Of the 3 models that could be first, dear is the fastest at 1.0 s a run.",
        "the speed of free is unknown",
    ) in texts


def test_a_metric_that_is_not_loaded_is_refused(store, load):
    load(split(20, 5, 5, 5))
    with pytest.raises(InputError, match="metric"):
        answer(store, metric="style")


def test_reliability_splits_what_repeats_from_what_does_not(store, tmp_path):
    lines = ["task_id,model,run,score"]
    lines += [
        f"t{task},m,{run},{int(run < solved)}" for task, solved in enumerate([0, 1, 2, 3]) for run in range(3)
    ]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    import_files(store, [path], ImportOptions(constants={"benchmark": "b"}))
    made = ask_reliability(store, ReliabilityParameters(benchmark="b", model="m"))
    assert made.payload["pass_hat_k"] == {"1": 0.5, "2": pytest.approx(1 / 3), "3": 0.25}
    assert made.payload["pass_at_k"] == {"1": 0.5, "2": pytest.approx(2 / 3), "3": 0.75}
    assert made.payload["flip_share"] == 0.5
    assert [(run["run"], run["mean"]) for run in made.payload["run_means"]] == [
        ("0", 0.75),
        ("1", 0.5),
        ("2", 0.25),
    ]
    assert made.headline.sentence.startswith("50.0% of the tasks")
