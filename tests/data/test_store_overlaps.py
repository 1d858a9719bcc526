"""Imports that overlap, replace each other and are undone in any order, against a model in plain Python."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from data import queries
from data.batches import RepeatNeededError, undo
from data.store import Store
from tests.data.store_files import load, row

#: An example takes a tenth of a second; shrinking one that fails would take minutes and it is short anyway.
QUICK = settings(
    max_examples=20,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
TASKS, MODELS = ("t1", "t2", "t3"), ("m", "n")


class Model:
    """What should count, by the words of docs/store.md: nothing is remembered but the imports themselves."""

    def __init__(self):
        self.batches = {}  # number -> (rows, contenders replaced below it, run_identifies)
        self.last = 0

    def add(self, rows, repeat):
        self.last += 1
        contenders = {one["model"] for one in rows} if repeat == "replace" else set()
        self.batches[self.last] = (rows, contenders, identifies(rows))

    def undo(self, number):
        del self.batches[number]

    def needs_word(self, rows):
        for other, _, _ in self.batches.values():
            for model in {one["model"] for one in rows} & {one["model"] for one in other}:
                both = [one for one in (*rows, *other) if one["model"] == model]
                if any(one["run"] is None for one in both):
                    return True
        return False

    def live(self):
        found = []
        for number, (rows, _, _) in self.batches.items():
            for position, one in enumerate(rows, start=1):
                if not any(self.covers(later, number, one) for later in self.batches if later > number):
                    found.append((number, position))
        return sorted(found)

    def covers(self, upper, lower, one):
        rows, replaced, identified = self.batches[upper]
        if one["model"] in replaced:
            return True
        if one["run"] is None:
            return False
        by_run = identified and self.batches[lower][2]
        return any(
            other["run"] == one["run"]
            and (by_run or (other["model"], other["task_id"]) == (one["model"], one["task_id"]))
            for other in rows
        )


def identifies(rows):
    runs = [one["run"] for one in rows]
    if None in runs or len(set(runs)) < len(runs):
        return False
    if len({(one["model"], one["task_id"]) for one in rows}) < 2:
        return False
    if all(run.isdigit() for run in runs):
        numbers = [int(run) for run in runs]
        return not (min(numbers) in (0, 1) and max(numbers) <= 2 * len(numbers))
    return True


SCORES = st.sampled_from([0.0, 0.5, 1.0])
#: Records known by an id of their own, now and then filed under another task or model.
IDENTIFIED = st.lists(
    st.builds(
        lambda record, moved, score: row(
            TASKS[(record + moved) % 3], model=MODELS[moved % 2], run=f"id-{record}", score=score
        ),
        st.integers(0, 3),
        st.sampled_from([0, 0, 1, 2]),
        SCORES,
    ),
    min_size=2,
    max_size=4,
    unique_by=lambda one: one["run"],
)
#: Runs that mean something within a task only.
NUMBERED = st.lists(
    st.builds(
        lambda task, model, run, score: row(task, model=model, run=run, score=score),
        st.sampled_from(TASKS[:2]),
        st.sampled_from(MODELS),
        st.sampled_from(["1", "2", "id-0", "id-1"]),
        SCORES,
    ),
    min_size=1,
    max_size=5,
)
#: No runs at all, or only on some rows.
UNNAMED = st.lists(
    st.builds(
        lambda task, run, score: row(task, run=run, score=score),
        st.sampled_from(TASKS),
        st.sampled_from([None, None, "1"]),
        SCORES,
    ),
    min_size=1,
    max_size=3,
)
FILES = st.one_of(IDENTIFIED, IDENTIFIED, NUMBERED, UNNAMED)


def several(files):
    """Three or four imports that hold much the same records."""
    return st.lists(
        st.tuples(files, st.sampled_from(["add", "add", "add", "replace"])), min_size=3, max_size=4
    )


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("import"), FILES, st.sampled_from([None, "add", "add", "replace"])),
        st.tuples(st.just("undo"), st.integers(0, 10)),
    ),
    min_size=3,
    max_size=10,
)


def stored_live(store):
    frame = store.query("SELECT batch, record_number FROM eval_live ORDER BY ALL")
    return [tuple(map(int, values)) for values in frame.itertuples(index=False)]


def walk(store, steps, *, check=True):
    model = Model()
    for number, step in enumerate(steps):
        if step[0] == "undo":
            if not model.batches:
                continue
            target = sorted(model.batches)[step[1] % len(model.batches)]
            undo(store, target)
            model.undo(target)
        elif step[2] is None and model.needs_word(step[1]):
            with pytest.raises(RepeatNeededError):
                load(store, step[1], content=number)
        else:
            load(store, step[1], content=number, repeat=step[2])
            model.add(step[1], step[2])
        assert not check or stored_live(store) == model.live()
    return model


@given(STEPS)
@QUICK
def test_what_counts_is_what_the_model_says(steps):
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.duckdb", threads=1) as store:
        walk(store, steps)


@pytest.mark.full
@given(STEPS)
@settings(parent=QUICK, max_examples=600)
def test_what_counts_is_what_the_model_says_at_length(steps):
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.duckdb", threads=1) as store:
        walk(store, steps)


@given(st.one_of(*(several(files) for files in (IDENTIFIED, NUMBERED, FILES))), st.data())
@QUICK
def test_undone_in_any_order_each_import_leaves_what_lay_under_it(files, data):
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.duckdb", threads=1) as store:
        order = data.draw(st.permutations(range(1, len(files) + 1)))
        model = walk(store, [("import", rows, repeat) for rows, repeat in files], check=False)
        for batch in order:
            undo(store, batch)
            model.undo(batch)
            assert stored_live(store) == model.live()
        for table in ("eval_result", "record_overlap", "contender_replacement", "eval_batch_contender"):
            assert store.query(f"SELECT count(*) AS n FROM {table}")["n"][0] == 0, table


@given(FILES, FILES, st.sampled_from(["add", "replace"]))
@QUICK
def test_an_import_and_its_undo_restore_the_fingerprint(first, second, repeat):
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.duckdb", threads=1) as store:
        load(store, first, content="first")
        before, rows = queries.fingerprint(store, "b"), queries.eval_cells(store, "b")
        batch = load(store, second, content="second", repeat=repeat).batch
        assert queries.fingerprint(store, "b") != before
        undo(store, batch)
        assert queries.fingerprint(store, "b") == before
        assert queries.eval_cells(store, "b").equals(rows)


def test_an_undone_correction_gives_way_to_the_one_above_it(store):
    for score in (0.0, 0.5, 1.0):
        load(store, [row("t1", run="r", score=score)])
    undo(store, 3)
    assert stored_live(store) == [(2, 1)]
    load(store, [row("t1", run="r", score=0.25)])
    undo(store, 2)
    assert stored_live(store) == [(4, 1)]
    undo(store, 4)
    assert stored_live(store) == [(1, 1)]


def test_files_of_one_import_stand_beside_each_other_when_they_replace(store):
    from data.batches import commit_batch
    from tests.data.store_files import staged

    load(store, [row("t1", score=0.0)])
    with store.scratch() as cursor, store.write(cursor):
        first = commit_batch(cursor, staged(cursor, [row("t1")], name="a"), "replace")
        second = commit_batch(
            cursor, staged(cursor, [row("t2")], name="b"), "replace", together=[first.batch]
        )
    assert stored_live(store) == [(first.batch, 1), (second.batch, 1)]
