import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from answers.leaderboard import QUESTION, LeaderboardParameters
from data import migrate
from data.backup import backup, restore
from data.batches import list_batches, undo
from data.contenders import set_variant_label
from data.errors import InputError, StoreHeldError
from data.export import export_everything
from data.queries import benchmarks, fingerprint
from data.store import Store
from tests.data.store_files import load, row

ROOT = Path(__file__).parents[2]


def said(store):
    """What the store answers: fingerprint and leaderboard of each benchmark, and its imports."""
    found = {"imports": [(one.batch, one.file, one.superseded) for one in list_batches(store)]}
    for name in benchmarks(store)["benchmark"]:
        answer = QUESTION.ask(store, LeaderboardParameters(benchmark=name))
        found[name] = (fingerprint(store, name), json.dumps(answer.payload))
    return found


def rows_of(models, tasks=8, **fields):
    return [
        row(f"t{task}", model=model, score=(task + place) % 2, **fields)
        for place, model in enumerate(models)
        for task in range(tasks)
    ]


def names(folder):
    return sorted(one.name for one in folder.iterdir())


def test_a_backup_restored_elsewhere_answers_the_same(store, tmp_path):
    load(store, rows_of("ab", run="r1"), content=1)
    load(store, rows_of("ab", run="r1", benchmark="c", started_at="2026-01-01 00:00:00+00"), content=2)
    undo(store, load(store, rows_of("d"), content=3).batch)
    load(store, rows_of("a", run="r1", tasks=3, cost=0.5), content=4, rejects=[(9, "x", "y", "z", "w", "v")])
    load(store, [{"benchmark": "p", "model": "m", "score": 0.5, "date": "2026-01-01"}], kind="scores")
    before = said(store)
    made = backup(store, tmp_path / "b.duckdb")
    assert (made.batches, made.revision) == (4, store.revision)
    assert said(store) == before
    done = restore(tmp_path / "other" / "s.duckdb", made.path)
    assert (done.batches, done.revision, done.set_aside) == (4, store.revision, None)
    with Store.open(done.path) as other:
        assert said(other) == before
        assert other.revision == store.revision
        both = [export_everything(one, tmp_path / f"{n}.zip").sha256 for n, one in enumerate((store, other))]
        assert both[0] == both[1]
        assert load(other, rows_of("z"), content=5).batch == 6
        undo(other, 4)
    assert names(tmp_path / "other") == ["exports", "inbox", "s.duckdb", "spool"]


file = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.integers(0, 2), st.sampled_from([0.0, 0.5, 1.0])),
    min_size=1,
    max_size=12,
    unique_by=lambda one: one[:3],
)
step = st.one_of(
    st.tuples(st.just("load"), file),
    st.tuples(st.just("undo"), st.integers(0, 5)),
    st.tuples(st.just("label"), st.text(min_size=1, max_size=5)),
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(file, st.lists(step, max_size=5))
def test_whatever_is_loaded_undone_or_named_comes_back(first, later):
    steps = [("load", first), *later]
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "s.duckdb", threads=2) as store:
        for number, (what, value) in enumerate(steps):
            loaded = [one.batch for one in list_batches(store)]
            if what == "load":
                rows = [row(f"t{t}", model=m, run=str(r), score=s) for m, t, r, s in value]
                load(store, rows, content=number)
            elif what == "undo" and loaded:
                undo(store, loaded[value % len(loaded)])
            elif what == "label" and len(benchmarks(store)):
                contenders = sorted(store.query("SELECT DISTINCT model FROM eval_live")["model"])
                set_variant_label(store, "b", contenders[0], value.replace("\0", "0"))
        made = backup(store, Path(folder) / "b.duckdb")
        done = restore(Path(folder) / "new" / "s.duckdb", made.path)
        with Store.open(done.path, threads=2) as other:
            assert said(other) == said(store)


def test_a_backup_beside_four_readers_and_a_writer_is_one_moment(store, tmp_path):
    load(store, rows_of("ab", 50), content="first")
    wrong, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            found = store.query("SELECT count(*) AS n FROM eval_live GROUP BY batch")["n"]
            if set(found) != {100}:
                wrong.append(list(found))

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            load(store, rows_of((f"m{number}", f"n{number}"), 50), content=number)

    threads = [*(threading.Thread(target=read) for _ in range(4)), threading.Thread(target=write)]
    for thread in threads:
        thread.start()
    made = [backup(store, tmp_path / f"b{number}.duckdb") for number in range(5)]
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert [one.revision for one in made] == sorted(one.revision for one in made)
    assert made[-1].revision > made[0].revision
    for number, one in enumerate(made):
        done = restore(tmp_path / str(number) / "s.duckdb", one.path)
        with Store.open(done.path) as other:
            assert other.revision == one.revision == len(list_batches(other))
            counts = other.query("SELECT batch, count(*) AS n FROM eval_live GROUP BY batch")
            assert set(counts["n"]) == {100}
            assert len(counts) == one.revision
    assert store.query("SELECT database_name FROM duckdb_databases() WHERE NOT internal").shape[0] == 1
    assert list(store.spool.glob("backup*")) == []


@pytest.mark.parametrize("place", ["", "missing/b.duckdb", "s.duckdb", "there"])
def test_a_backup_goes_nowhere_but_to_a_new_file(tmp_path, place):
    (tmp_path / "there").write_text("mine")
    with Store.open(tmp_path / "s.duckdb") as store:
        load(store, [row()])
        for write in (backup, export_everything):
            with pytest.raises(InputError, match=r"name (another|a) file"):
                write(store, tmp_path / place)
        assert list(store.spool.iterdir()) == []
    assert (tmp_path / "there").read_text() == "mine"
    with Store.open(tmp_path / "s.duckdb") as store:
        assert len(list_batches(store)) == 1


def test_the_store_stays_locked_for_others_after_a_backup(store, tmp_path):
    backup(store, tmp_path / "b.duckdb")
    script = "import sys; from data.store import Store; Store.open(sys.argv[1])"
    second = subprocess.run(
        [sys.executable, "-c", script, store.path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "StoreHeldError" in second.stderr


def test_a_store_that_holds_data_is_replaced_only_when_asked_and_set_aside(tmp_path):
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        load(store, rows_of("a"), content=1)
        made = backup(store, tmp_path / "b.duckdb")
        load(store, rows_of("b"), content=2)
    with pytest.raises(InputError, match=r"holds data.*--replace"):
        restore(path, made.path)
    with Store.open(path) as store:
        assert len(list_batches(store)) == 2
    asides = [restore(path, made.path, replace=True).set_aside for _ in range(2)]
    assert [one.name for one in asides] == ["s.replaced-1.duckdb", "s.replaced-2.duckdb"]
    for name, count in ((path, 1), (asides[0], 2), (asides[1], 1)):
        with Store.open(name) as store:
            assert len(list_batches(store)) == count


def test_an_empty_store_needs_no_asking(tmp_path):
    with Store.open(tmp_path / "a.duckdb") as store:
        load(store, [row()])
        made = backup(store, tmp_path / "b.duckdb")
    Store.open(tmp_path / "s.duckdb").close()
    assert restore(tmp_path / "s.duckdb", made.path).batches == 1


def test_a_damaged_store_with_its_log_is_set_aside(tmp_path):
    path, log = tmp_path / "s.duckdb", tmp_path / "s.duckdb.wal"
    with Store.open(tmp_path / "a.duckdb") as store:
        load(store, [row()])
        made = backup(store, tmp_path / "b.duckdb")
    path.write_bytes(b"garbage" * 5000)
    log.write_bytes(b"log")
    with pytest.raises(InputError, match="--replace"):
        restore(path, made.path)
    done = restore(path, made.path, replace=True)
    assert done.set_aside.read_bytes() == b"garbage" * 5000
    assert done.set_aside.with_name("s.replaced-1.duckdb.wal").read_bytes() == b"log"
    with Store.open(path) as store:
        assert len(list_batches(store)) == 1


def test_a_held_store_is_not_replaced(tmp_path):
    with Store.open(tmp_path / "a.duckdb") as store:
        load(store, [row()])
        made = backup(store, tmp_path / "b.duckdb")
        with pytest.raises(StoreHeldError):
            restore(store.path, made.path, replace=True)
        with pytest.raises(InputError, match="the store itself"):
            restore(store.path, store.path, replace=True)
    assert not list(tmp_path.glob(".restore*"))


def test_a_store_in_use_is_no_backup(tmp_path):
    with Store.open(tmp_path / "a.duckdb") as store:
        load(store, [row()])
        assert store.path.with_name("a.duckdb.wal").exists()
        with pytest.raises(InputError, match="no backup"):
            restore(tmp_path / "s.duckdb", store.path)


def test_a_backup_of_an_earlier_version_is_brought_up_to_date_and_a_later_one_refused(tmp_path, monkeypatch):
    with Store.open(tmp_path / "a.duckdb") as store:
        load(store, [row()])
        old = backup(store, tmp_path / "old.duckdb")
    now = migrate.migrations()
    later = migrate.Migration(len(now) + 1, "ALTER TABLE decision ADD COLUMN note VARCHAR;")
    monkeypatch.setattr(migrate, "migrations", lambda: (*now, later))
    kept = old.path.read_bytes()
    with Store.open(restore(tmp_path / "new" / "s.duckdb", old.path).path) as store:
        assert list(store.query("SELECT note FROM decision").columns) == ["note"]
        newer = backup(store, tmp_path / "newer.duckdb")
    assert old.path.read_bytes() == kept
    assert "s.duckdb" in names(tmp_path / "new")
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"newer\.duckdb was written by a newer Switchover"):
        restore(tmp_path / "third" / "s.duckdb", newer.path)
    assert not (tmp_path / "third" / "s.duckdb").exists()


def test_a_damaged_backup_is_refused_wherever_the_damage_is(tmp_path):
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        load(store, [row(f"t{n}", model=f"m{n % 7}", url=str(n * 7919) * 9) for n in range(20_000)])
        made = backup(store, tmp_path / "b.duckdb")
        before = said(store)
    whole = made.path.read_bytes()
    bad, messages = tmp_path / "bad.duckdb", []
    cuts = [whole[: len(whole) // 2], whole[:-4096], whole[:4096], b"", b"PAR1" * 100]
    step = len(whole) // 25
    flips = [
        whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in range(step // 3, len(whole), step)
    ]
    for content in (*cuts, *flips):
        bad.write_bytes(content)
        try:
            done = restore(tmp_path / "there" / "s.duckdb", bad)
        except InputError as error:
            messages.append(str(error))
            continue
        # A byte that nothing uses: then nothing is lost.
        with Store.open(done.path) as store:
            assert said(store) == before
        done.path.unlink()
    assert len(messages) >= len(cuts) + len(flips) // 2
    wrong = [text for text in messages if str(bad) not in text or "\n" in text or ".restore" in text]
    assert wrong == []
    with pytest.raises(InputError, match="no such file"):
        restore(path, tmp_path / "none.duckdb", replace=True)


KILLED = """
import sys
from pathlib import Path
from data.backup import backup, restore
from data.store import Store
folder = Path(sys.argv[1])
print("go", flush=True)
for number in range(1000):
    with Store.open(folder / "s.duckdb") as store:
        backup(store, folder / f"b{number}.duckdb")
    restore(folder / "s.duckdb", folder / f"b{number}.duckdb", replace=True)
"""


@pytest.mark.parametrize(
    "trial", [*range(3), *(pytest.param(n, marks=pytest.mark.full) for n in range(3, 20))]
)
def test_killed_at_any_moment_a_whole_store_is_there_and_every_backup_is_whole(tmp_path, trial):
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        load(store, [row(f"t{n}", model=f"m{n % 9}", url=str(n * 7919) * 9) for n in range(20_000)])
        before = said(store)
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, tmp_path], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"go\n"
    time.sleep(0.15 + 0.113 * trial)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with Store.open(path) as store:
        assert said(store) == before
        assert list(store.spool.iterdir()) == []
    for number, made in enumerate(tmp_path.glob("b*.duckdb")):
        assert restore(tmp_path / f"r{number}" / "s.duckdb", made).batches == 1


FULL = """
import resource, signal, sys
from pathlib import Path
from data.backup import backup, restore
from data.errors import InputError
from data.export import export_everything
from data.store import Store
from tests.data.store_files import load, row
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
folder = Path(sys.argv[1])
store = Store.open(folder / "s.duckdb", threads=1)
load(store, [row(f"t{n}", model=f"m{n}", url=str(n * 7919) * 12) for n in range(60000)])
backup(store, folder / "b.duckdb")
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
for work in (
    lambda: backup(store, folder / "full.duckdb"),
    lambda: export_everything(store, folder / "full.zip"),
    lambda: restore(folder / "new" / "s.duckdb", folder / "b.duckdb"),
):
    try:
        work()
        print("done")
    except InputError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(len(store.query("SELECT 1 FROM duckdb_databases() WHERE NOT internal")), store._stopped)
print(len(store.query("SELECT 1 FROM eval_live")), load(store, [row()], content="next").loaded)
print(sorted(one.name for one in folder.rglob("*") if one.suffix in (".zip", ".duckdb")))
"""


@pytest.mark.skipif(os.name != "posix", reason="file size limits are a matter of POSIX")
def test_a_full_disk_is_told_and_nothing_half_stays(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path], cwd=ROOT, capture_output=True, text=True, check=False
    )
    *said_lines, state, counts, left = done.stdout.splitlines() or [done.stderr, "", "", ""]
    assert len(said_lines) == 3, done.stderr
    assert all("is full" in line for line in said_lines), said_lines
    assert state == "1 False"
    assert counts == "60000 1"
    assert left == "['b.duckdb', 's.duckdb']"
