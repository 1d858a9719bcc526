"""Votes counted: pairs, references, positions, clusters, agreement, sources and fingerprint."""

import math
from collections import Counter

import numpy as np
import pytest

from data import migrate, votes
from data.batches import list_batches, undo
from data.errors import InputError
from data.store import Store
from tests.data.store_files import load, row


def vote(a, b, outcome, benchmark="arena", **fields):
    row = {"benchmark": benchmark, "model_a": a, "model_b": b, "outcome": outcome}
    return {**row, "prompt_id": None, "judge": None, "position": None, **fields}


def bring(store, rows, **more):
    return load(store, rows, kind="votes", **more)


def as_rows(frame):
    return [tuple(row) for row in frame.itertuples(index=False)]


def test_a_pair_is_counted_once_whichever_way_it_was_filed(store):
    bring(
        store,
        [
            vote("x", "y", 1.0),
            vote("y", "x", 1.0),
            vote("y", "x", 0.0),
            vote("x", "y", 0.5),
            vote("y", "x", None),
        ],
    )
    frame = votes.vote_counts(store, "arena")
    assert list(frame.columns) == [
        "model_a", "model_b", "votes", "a_wins", "b_wins", "ties", "dropped", "points", "points_squares",
    ]  # fmt: skip
    assert as_rows(frame) == [("x", "y", 4, 2, 1, 1, 1, 2.5, 2.25)]
    assert {frame[name].dtype.kind for name in frame.columns[2:7]} == {"i"}


def test_graded_preferences_count_in_part(store):
    bring(store, [vote("x", "y", 0.75), vote("y", "x", 0.4), vote("x", "y", 0.5)])
    row = votes.vote_counts(store).iloc[0]
    assert (row["a_wins"], row["b_wins"], row["ties"]) == (2, 0, 1)
    assert row["points"] == pytest.approx(0.75 + 0.6 + 0.5, abs=1e-15)
    assert row["points_squares"] == pytest.approx(0.75**2 + 0.6**2 + 0.25, abs=1e-15)


def test_against_a_reference_it_is_model_b_of_every_row(store):
    bring(store, [vote("m", "a", 1.0), vote("z", "m", 1.0), vote("m", "z", 0.5), vote("a", "z", 1.0)])
    frame = votes.vote_counts(store, "arena", "m")
    assert as_rows(frame) == [("a", "m", 1, 0, 1, 0, 0, 0.0, 0.0), ("z", "m", 2, 1, 0, 1, 0, 1.5, 1.25)]


def test_the_moments_give_a_win_rate_and_its_standard_error(store):
    scores = [1.0] * 7 + [0.0] * 4 + [0.5] * 3
    bring(store, [vote("x", "ref", score) for score in scores] + [vote("x", "ref", None)])
    row = votes.vote_counts(store, reference="ref").iloc[0]
    mean = row["points"] / row["votes"]
    variance = (row["points_squares"] - row["points"] ** 2 / row["votes"]) / (row["votes"] - 1) / row["votes"]
    assert mean == np.mean(scores)
    assert math.sqrt(variance) == pytest.approx(np.std(scores, ddof=1) / math.sqrt(len(scores)), rel=1e-14)


def test_a_pair_of_dropped_votes_alone_stands_with_nothing_decided(store):
    bring(store, [vote("x", "y", None), vote("x", "z", 1.0)])
    assert as_rows(votes.vote_counts(store))[0] == ("x", "y", 0, 0, 0, 0, 1, 0.0, 0.0)


def test_benchmarks_apart_and_together(store):
    bring(store, [vote("x", "y", 1.0, prompt_id="q1", judge="j"), vote("x", "z", None, position="b")])
    bring(store, [vote("y", "x", 0.5, benchmark="")])
    frame = votes.vote_benchmarks(store).set_index("benchmark")
    assert list(frame.index) == ["", "arena"]
    shown = ["models", "pairs", "votes", "ties", "dropped", "prompts", "judges", "positions"]
    assert list(frame.loc["arena", shown]) == [3, 2, 1, 0, 1, 1, 1, 1]
    assert list(frame.loc["", shown]) == [2, 1, 1, 1, 0, 0, 0, 0]
    assert votes.vote_counts(store, "")["votes"].sum() == 1
    assert as_rows(votes.vote_counts(store))[0][:7] == ("x", "y", 2, 1, 0, 1, 0)


def test_what_is_not_there_is_said(store):
    with pytest.raises(InputError, match="no votes are loaded"):
        votes.vote_counts(store)
    bring(store, [vote("x", "y", 1.0)])
    with pytest.raises(InputError, match="no votes for benchmark 'nope'; loaded: arena"):
        votes.vote_counts(store, "nope")
    with pytest.raises(InputError, match="no votes on 'nobody'; the models are x, y"):
        votes.vote_counts(store, "arena", "nobody")
    for ask in (votes.vote_clusters, votes.vote_counts_by_position, votes.vote_agreement):
        with pytest.raises(InputError, match="nope"):
            ask(store, "nope")


def test_positions_turn_with_the_pair(store):
    bring(
        store,
        [
            vote("x", "y", 1.0, position="a"),
            vote("y", "x", 0.0, position="b"),
            vote("y", "x", 1.0, position="a"),
            vote("x", "y", 0.5),
        ],
    )
    frame = votes.vote_counts_by_position(store, "arena")
    assert [(row.first, row.votes, row.points) for row in frame.itertuples()] == [
        ("a", 2, 2.0), ("b", 1, 0.0), (None, 1, 0.5),
    ]  # fmt: skip


def rebuilt(found):
    """Votes of every cluster by (model, model, points); each vote that stands alone is a cluster."""
    together = {}
    for cell in found.cells.itertuples():
        key = (found.models[cell.model_a], found.models[cell.model_b], cell.points)
        together.setdefault(cell.cluster, {})[key] = cell.votes
    alone = {
        (found.models[cell.model_a], found.models[cell.model_b], cell.points): cell.votes
        for cell in found.single.itertuples()
    }
    return sorted(sorted(cells.items()) for cells in together.values()), alone


def test_clusters_hold_several_votes_and_the_rest_stands_alone(store):
    bring(
        store,
        [
            vote("x", "y", 1.0, prompt_id="q1", judge="j"),
            vote("y", "x", 0.0, prompt_id="q1", judge="k"),
            vote("z", "x", 0.5, prompt_id="q1", judge="j"),
            vote("x", "y", 0.0, prompt_id="q2", judge="j"),
            vote("x", "y", None, prompt_id="q2", judge="j"),
            vote("x", "y", 0.0),
            vote("y", "z", 1.0, prompt_id="q1", benchmark="other", judge="j"),
        ],
    )
    found = votes.vote_clusters(store, "arena")
    assert (found.models, found.clusters, found.merged) == (("x", "y", "z"), 1, False)
    assert rebuilt(found) == ([[(("x", "y", 1.0), 2), (("x", "z", 0.5), 1)]], {("x", "y", 0.0): 2})
    pooled = votes.vote_clusters(store)
    assert pooled.single["votes"].sum() == 3
    assert pooled.clusters == 1
    by_judge = votes.vote_clusters(store, by="judge")
    assert (by_judge.clusters, by_judge.cells["votes"].sum(), by_judge.single["votes"].sum()) == (1, 4, 2)


OUTCOMES = (0.0, 0.5, 1.0, None)


def many(seed=1):
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "d"]
    rows = []
    for _ in range(600):
        first, second = rng.permutation(names)[:2]
        rows.append(
            vote(str(first), str(second), OUTCOMES[rng.integers(4)], prompt_id=f"q{rng.integers(80)}")
        )
    return rows


def test_clusters_add_up_to_the_counts_and_are_put_together_where_they_are_too_many(store):
    rows = many()
    bring(store, rows)
    sizes = Counter(row["prompt_id"] for row in rows if row["outcome"] is not None)
    several = sum(1 for size in sizes.values() if size > 1)
    counts = votes.vote_counts(store)
    whole = votes.vote_clusters(store)
    merged = votes.vote_clusters(store, most_cells=60)
    for found in (whole, merged):
        frame = found.cells.assign(sum=found.cells["points"] * found.cells["votes"])
        sums = frame.groupby(["model_a", "model_b"])[["votes", "sum"]].sum()
        alone = found.single.assign(sum=found.single["points"] * found.single["votes"])
        sums = sums.add(alone.groupby(["model_a", "model_b"])[["votes", "sum"]].sum(), fill_value=0)
        assert list(sums["votes"]) == list(counts["votes"])
        assert list(sums["sum"]) == list(counts["points"])
    assert (whole.merged, whole.clusters) == (False, several)
    assert (merged.merged, merged.clusters) == (True, 10)
    pairs = merged.cells.drop_duplicates(["cluster", "model_a", "model_b"])
    assert len(pairs) <= 60


def test_no_order_and_no_thread_count_changes_a_number(tmp_path):
    shares = np.random.default_rng(5).random(500)
    rows = [vote("x", "y", float(share), prompt_id=f"q{i % 7}") for i, share in enumerate(shares)]
    seen = set()
    for place, threads in enumerate((1, 2)):
        with Store.open(tmp_path / f"{place}.duckdb", threads=threads) as one:
            bring(one, rows if place else rows[::-1])
            counts, found = votes.vote_counts(one), votes.vote_clusters(one)
            seen.add((as_rows(counts)[0], tuple(as_rows(found.cells))))
    assert len(seen) == 1


def test_agreement_counts_units_judged_several_times(store):
    bring(
        store,
        [
            vote("x", "y", 1.0, prompt_id="q1"), vote("y", "x", 0.0, prompt_id="q1"),
            vote("x", "y", 1.0, prompt_id="q2"), vote("x", "y", 0.5, prompt_id="q2"),
            vote("x", "y", 1.0, prompt_id="q3"), vote("x", "z", 1.0, prompt_id="q3"),
            vote("x", "y", 1.0), vote("x", "y", 1.0),
        ],
    )  # fmt: skip
    assert as_rows(votes.vote_agreement(store)) == [(1, 0, 1, 1), (2, 0, 0, 1)]


def test_callers_get_their_own_copy(store):
    bring(store, many())
    taken = votes.vote_counts(store)
    taken["votes"] = 0
    assert votes.vote_counts(store)["votes"].sum() > 0
    taken = votes.vote_clusters(store).cells
    taken["votes"] = 0
    assert votes.vote_clusters(store).cells["votes"].sum() > 0


def test_a_store_from_before_votes_takes_them(tmp_path, monkeypatch):
    path = tmp_path / "s.duckdb"
    first = migrate.migrations()[:1]
    monkeypatch.setattr(migrate, "migrations", lambda: first)
    with Store.open(path) as one:
        load(one, [row()])
    monkeypatch.undo()
    with Store.open(path) as one:
        bring(one, [vote("x", "y", 1.0)], name="votes.csv")
        assert [batch.kind for batch in list_batches(one)] == ["evals", "votes"]
        assert votes.vote_counts(one)["votes"].sum() == 1


def test_sources_and_fingerprint_follow_the_files(store):
    first = bring(store, [vote("x", "y", 1.0)], name="one.csv")
    other = bring(store, [vote("x", "y", 1.0, benchmark="other")], name="two.csv")
    before = votes.vote_fingerprint(store, "arena")
    everything = votes.vote_fingerprint(store)
    assert [source.file for source in votes.vote_sources(store)] == ["one.csv", "two.csv"]
    assert [(one.batch, one.kind, one.rows_superseded) for one in votes.vote_sources(store, "arena")] == [
        (first.batch, "votes", 0)
    ]
    more = bring(store, [vote("x", "y", 0.0)], name="three.csv")
    assert votes.vote_fingerprint(store, "arena") != before
    undo(store, more.batch)
    assert votes.vote_fingerprint(store, "arena") == before
    undo(store, other.batch)
    assert votes.vote_fingerprint(store, "arena") == before
    assert votes.vote_fingerprint(store) != everything
