import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest

from data import migrate
from data.batches import list_batches
from data.errors import InputError, StoreHeldError
from data.store import Store, default_path
from tests.data.store_files import load, row

ROOT = Path(__file__).parents[2]


def python(script, *arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


def test_the_default_place_follows_the_flag_then_the_home_then_the_code(monkeypatch):
    monkeypatch.setenv("SWITCHOVER_HOME", "/somewhere")
    assert default_path("x.duckdb") == Path("x.duckdb")
    assert default_path(None) == Path("/somewhere/switchover.duckdb")
    monkeypatch.delenv("SWITCHOVER_HOME")
    assert default_path() == ROOT / "workspace" / "switchover.duckdb"


def test_opening_makes_the_folders_and_closing_gives_the_file_free(tmp_path):
    path = tmp_path / "new" / "home" / "s.duckdb"
    with Store.open(path) as store:
        assert all(folder.is_dir() for folder in (store.inbox, store.spool, store.exports))
    store.close()
    with Store.open(path) as store:
        assert store.revision == 0


def test_the_spool_is_swept_at_opening(tmp_path):
    left = tmp_path / "spool" / "temporary" / "left"
    left.parent.mkdir(parents=True)
    left.write_text("x")
    (tmp_path / "spool" / "copy").write_text("x")
    with Store.open(tmp_path / "s.duckdb") as store:
        assert list(store.spool.iterdir()) == []


def test_threads_come_from_the_argument_else_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("SWITCHOVER_THREADS", "3")
    question = "SELECT current_setting('threads') AS n"
    with Store.open(tmp_path / "a.duckdb") as store:
        assert store.query(question)["n"][0] == 3
    with Store.open(tmp_path / "a.duckdb", threads=1) as store:
        assert store.query(question)["n"][0] == 1
    monkeypatch.setenv("SWITCHOVER_THREADS", "many")
    with pytest.raises(InputError, match=r"SWITCHOVER_THREADS.*many"):
        Store.open(tmp_path / "a.duckdb")


def test_a_limit_of_memory_that_is_none_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("SWITCHOVER_MEMORY", "lots")
    with pytest.raises(InputError, match=r"SWITCHOVER_MEMORY.*lots"):
        Store.open(tmp_path / "a.duckdb")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/hostname')",
        "COPY (SELECT 1) TO '/tmp/switchover-out.csv'",
        "ATTACH '/tmp/switchover-other.duckdb'",
        "INSTALL httpfs",
        "SET threads = 1",
        "SET enable_external_access = true",
        "SET allowed_directories = ['/']",
    ],
)
def test_the_store_reaches_nothing_outside_its_folders(store, sql):
    with pytest.raises((duckdb.Error, InputError)), store.scratch() as cursor:
        cursor.execute(sql)


def test_files_in_the_spool_are_read_whatever_the_folder_is_called(tmp_path):
    home = tmp_path / "it's a \"home\", isn't it"
    with Store.open(home / "s.duckdb") as store:
        (store.spool / "x.csv").write_text("a\n1\n")
        found = store.query("SELECT a FROM read_csv(?)", [str(store.spool / "x.csv")])
        assert list(found["a"]) == [1]


def test_times_are_utc(store):
    assert store.query("SELECT current_setting('TimeZone') AS zone")["zone"][0] == "UTC"


def test_frames_have_types_that_do_not_hang_on_one_row(store):
    sql = "SELECT * FROM (VALUES ('a', 1::BIGINT, true), (NULL, NULL, NULL)) AS t(word, number, flag)"
    frame = store.query(sql)
    assert [dtype.kind for dtype in frame.dtypes] == ["O", "f", "O"]
    assert frame["word"][1] is None
    assert frame["flag"][1] is None


def test_a_write_commits_whole_or_not_at_all_and_tells_the_revision(store):
    with store.write() as cursor:
        cursor.execute("INSERT INTO decision VALUES ('a', 'x', now())")
    assert store.revision == 1

    def interrupted():
        with store.write() as cursor:
            cursor.execute("INSERT INTO decision VALUES ('b', 'x', now())")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert store.revision == 1
    assert list(store.query("SELECT id FROM decision")["id"]) == ["a"]
    assert list(store.query("SELECT revision FROM store_meta")["revision"]) == [1]


def test_a_write_inside_a_write_is_a_fault_and_no_deadlock(store):
    with pytest.raises(RuntimeError), store.write(), store.write():
        pass
    with store.write():
        pass
    assert store.revision == 1


def test_a_snapshot_sees_one_moment(store):
    with store.snapshot() as cursor:
        assert cursor.execute("SELECT count(*) FROM decision").fetchall() == [(0,)]
        with store.write() as writer:
            writer.execute("INSERT INTO decision VALUES ('a', 'x', now())")
        assert cursor.execute("SELECT count(*) FROM decision").fetchall() == [(0,)]
        with pytest.raises(duckdb.Error):
            cursor.execute("INSERT INTO decision VALUES ('b', 'x', now())")
    assert len(store.query("SELECT id FROM decision")) == 1


def test_a_closed_store_says_so(tmp_path):
    store = Store.open(tmp_path / "s.duckdb")
    store.close()
    for use in (
        lambda: store.query("SELECT 1"),
        lambda: store.write().__enter__(),
        lambda: store.scratch().__enter__(),
    ):
        with pytest.raises(InputError, match="closed"):
            use()


def test_the_same_process_cannot_open_it_twice(store):
    with pytest.raises(StoreHeldError) as held:
        Store.open(store.path)
    assert held.value.pid == os.getpid()


def test_another_process_holds_the_store_and_is_named(tmp_path):
    script = "import sys, time; from data.store import Store; s = Store.open(sys.argv[1]); print('open', flush=True); time.sleep(60)"
    holder = python(script, tmp_path / "s.duckdb")
    try:
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(StoreHeldError, match=str(holder.pid)) as held:
            Store.open(tmp_path / "s.duckdb")
        assert held.value.pid == holder.pid
    finally:
        holder.kill()
        holder.communicate()
    Store.open(tmp_path / "s.duckdb").close()


def test_eight_readers_beside_three_writers_see_whole_imports_only(store):
    writers, files, rows = 3, 6, 40
    wrong, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            frame = store.query("SELECT batch, count(*) AS n, sum(score) AS s FROM eval_live GROUP BY batch")
            batches = store.query("SELECT count(*) AS n FROM import_batch")["n"][0]
            if any(frame["n"] != rows) or any(frame["s"] != rows) or len(frame) > batches:
                wrong.append(frame)

    def write(writer):
        for number in range(files):
            load(
                store,
                [row(f"t{n}", model=f"m{writer}-{number}") for n in range(rows)],
                content=(writer, number),
            )

    readers = [threading.Thread(target=read) for _ in range(8)]
    workers = [threading.Thread(target=write, args=(number,)) for number in range(writers)]
    for thread in (*readers, *workers):
        thread.start()
    for thread in workers:
        thread.join()
    stop.set()
    for thread in readers:
        thread.join()
    assert not wrong
    assert [report.batch for report in list_batches(store)] == list(range(1, writers * files + 1))
    assert store.revision == writers * files


KILLED = """
import sys
from data.store import Store
from tests.data.store_files import load, row
with Store.open(sys.argv[1], threads=2) as store:
    for number in range(1000):
        report = load(store, [row(f"t{n}", model=f"m{number}", score=n % 2) for n in range(3000)], content=number)
        print(report.batch, flush=True)
"""


@pytest.mark.parametrize(
    "trial", [*range(5), *(pytest.param(n, marks=pytest.mark.full) for n in range(5, 25))]
)
def test_a_killed_process_loses_no_committed_import_and_leaves_none_in_part(tmp_path, trial):
    path = tmp_path / "s.duckdb"
    process = python(KILLED, path)
    first = process.stdout.readline()
    time.sleep(0.037 * trial)  # another moment of an import each time
    process.send_signal(signal.SIGKILL)
    rest, errors = process.communicate()
    assert first == "1\n", errors
    told = [int(line) for line in (first + rest).splitlines()]
    with Store.open(path) as store:
        stored = [report.batch for report in list_batches(store)]
        assert stored[: len(told)] == told
        assert len(stored) <= len(told) + 1
        counts = store.query("SELECT batch, count(*) AS n FROM eval_result GROUP BY batch ORDER BY batch")
        assert list(counts["batch"]) == stored
        assert set(counts["n"]) == {3000}
        assert store.revision == len(stored)
        assert load(store, [row(model="after")], content="after").batch == stored[-1] + 1


UNFINISHED = """
import os, sys
from data.store import Store
from tests.data.store_files import load, row
store = Store.open(sys.argv[1], threads=1)
for number in range(8):
    load(store, [row(f"t{n}", model=f"m{number}") for n in range(20)], content=number)
os._exit(0)
"""


@pytest.mark.parametrize("cut", [1, 10, 200, 2000, "half"])
def test_a_torn_write_ahead_log_opens_at_a_committed_state(tmp_path, cut):
    path = tmp_path / "s.duckdb"
    _, errors = python(UNFINISHED, path).communicate()
    assert not errors
    log = path.with_name("s.duckdb.wal")
    size = log.stat().st_size
    os.truncate(log, size // 2 if cut == "half" else size - cut)
    with Store.open(path) as store:
        stored = [report.batch for report in list_batches(store)]
        assert stored == list(range(1, len(stored) + 1))
        counts = store.query("SELECT batch, count(*) AS n FROM eval_result GROUP BY batch ORDER BY batch")
        assert list(counts["batch"]) == stored
        assert set(counts["n"]) <= {20}
        assert store.revision == len(stored)


@pytest.mark.parametrize("content", [b"garbage" * 5000, b"x"])
def test_a_file_that_is_no_store_is_told_and_left(tmp_path, content):
    path = tmp_path / "s.duckdb"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a readable store") as told:
        Store.open(path)
    assert "\n" not in str(told.value)
    assert path.read_bytes() == content


def test_a_store_with_a_damaged_middle_is_told_and_no_trace_shown(tmp_path):
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        load(store, [row(f"t{n}", model="m" * 50, url="x" * 200) for n in range(5000)])
    content = bytearray(path.read_bytes())
    start = len(content) // 3
    content[start : start + 200_000] = b"\xa5" * len(content[start : start + 200_000])
    path.write_bytes(content)
    with pytest.raises(InputError, match="restore a backup"), Store.open(path) as store:
        store.query("SELECT * FROM eval_live")


def test_a_folder_and_a_database_of_others_are_refused(tmp_path):
    (tmp_path / "folder.duckdb").mkdir()
    with pytest.raises(InputError, match=r"folder\.duckdb"):
        Store.open(tmp_path / "folder.duckdb")
    duckdb.connect(str(tmp_path / "other.duckdb")).execute("CREATE TABLE t (a INTEGER)").close()
    with pytest.raises(InputError, match="not a Switchover store"):
        Store.open(tmp_path / "other.duckdb")


def test_an_empty_file_left_by_a_kill_becomes_a_store(tmp_path):
    (tmp_path / "s.duckdb").touch()
    Store.open(tmp_path / "s.duckdb").close()


def test_an_older_store_is_copied_aside_and_brought_up_to_date(tmp_path, monkeypatch):
    path = tmp_path / "s.duckdb"
    with Store.open(path) as store:
        load(store, [row()])
    now = migrate.migrations()
    later = migrate.Migration(len(now) + 1, "ALTER TABLE decision ADD COLUMN note VARCHAR;")
    monkeypatch.setattr(migrate, "migrations", lambda: (*now, later))
    with Store.open(path) as store:
        assert list(store.query("SELECT note FROM decision").columns) == ["note"]
        assert len(list_batches(store)) == 1
    copy = tmp_path / f"s.schema-{len(now)}.duckdb"
    monkeypatch.undo()
    with Store.open(copy) as store:
        assert len(list_batches(store)) == 1
    with pytest.raises(InputError, match=f"newer Switchover.*schema {len(now) + 1}"):
        Store.open(path)


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "s.duckdb"
    Store.open(path).close()
    now = migrate.migrations()
    broken = migrate.Migration(len(now) + 1, "CREATE TABLE half (a INTEGER); SELECT error('no');")
    monkeypatch.setattr(migrate, "migrations", lambda: (*now, broken))
    with pytest.raises(duckdb.Error, match="no"):
        Store.open(path)
    monkeypatch.undo()
    with Store.open(path) as store:
        assert len(store.query("SELECT 1 FROM duckdb_tables() WHERE table_name = 'half'")) == 0


FULL = """
import resource, signal, sys
from data.errors import InputError
from data.store import Store
from tests.data.store_files import load, row
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store.open(sys.argv[1], threads=1)
load(store, [row()], content="kept")
rows = [row(f"t{n}", model=f"m{n}", url=str(n * 7919) * 12) for n in range(60000)]
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))
try:
    load(store, rows, content="large")
    print("stored")
except InputError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(len(store.query("SELECT 1 FROM eval_live")))
print(load(store, rows[:10], content="small").loaded, store.revision)
"""


def test_a_full_disk_gets_a_sentence_and_loses_nothing(tmp_path):
    path = tmp_path / "s.duckdb"
    said, errors = python(FULL, path).communicate()
    first, *rest = said.splitlines()
    assert "is full; nothing was stored" in first, errors
    assert rest == ["1", "10 2"], errors
    with Store.open(path) as store:
        assert [report.loaded for report in list_batches(store)] == [1, 10]
        assert load(store, [row("t2", model="n")], content="next").loaded == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_that_cannot_be_written_is_told(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="choose another place"):
        Store.open(tmp_path / "home" / "s.duckdb")


def test_a_file_in_the_way_of_the_folders_is_told(tmp_path):
    (tmp_path / "home").write_text("x")
    with pytest.raises(InputError, match="choose another place"):
        Store.open(tmp_path / "home" / "s.duckdb")
