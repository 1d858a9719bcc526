"""A damaged or malicious log ends in one clear line; nothing of it is trusted."""

import io
import json
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_builder import archive, as_json, eval_members, log, read, sample, spooled, zstandard_archive

from data.errors import InputError
from data.importing.formats import inspect_archive, inspect_document
from data.importing.formats.inspect import InspectFormat
from data.importing.formats.inspect_document import leading_members, members
from data.importing.formats.inspect_settings import canonical
from data.importing.formats.inspect_text import clean, identifier


def refuse(folder, content, words):
    with pytest.raises(InputError, match=words) as raised:
        read(folder, content)
    assert "\n" not in str(raised.value)
    assert str(raised.value).startswith("log: ")


DOCUMENT = log([sample(n) for n in range(3)])


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.999])
def test_a_cut_document_is_refused(tmp_path, share):
    whole = as_json(DOCUMENT)
    refuse(tmp_path, whole[: int(len(whole) * share)], "cut off|no eval block")


@pytest.mark.parametrize("share", [0.2, 0.5, 0.95])
def test_a_cut_archive_is_refused_and_still_recognised(tmp_path, share):
    whole = archive(eval_members(DOCUMENT))
    content = whole[: int(len(whole) * share)]
    claim = InspectFormat().recognise(spooled(tmp_path, content))
    assert claim is not None
    refuse(tmp_path, content, "cut off or damaged")


def test_a_spoilt_member_is_refused(tmp_path):
    for content in (archive(eval_members(DOCUMENT)), zstandard_archive(eval_members(DOCUMENT))):
        at = content.index(b"header.json") + len(b"header.json") + 8
        refuse(tmp_path, content[:at] + bytes(24) + content[at + 24 :], "cut off or damaged")
    refuse(tmp_path, zstandard_archive(eval_members(DOCUMENT), spoil=True), "cut off or damaged")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"eval": {"task": "t", "model": "m"}, "samples": [1 2]}', "not valid JSON"),
        (b'{"eval": {"task": "t", "model": "m"}, "samples": [{], "stats": {}}', "not valid JSON"),
        (b'{"eval" {"task": "t"}}', "not valid JSON"),
        (b"{eval: 1}", "not valid JSON"),
        (b'{"eval": {"task": "t", "model": "m"}, "status": "\xff"}', "not UTF-8"),
        (b'{"eval": {"task": "t", "model": "m"}, "version": ' + b"9" * 5000 + b"}", "too long"),
        (b'{"eval": ' + b"[" * 200_000, "too deep"),
        (b'{"eval": {"task": "t", "model": "m"}, "samples": [' + b'{"a":' * 200_000, "too deep"),
        (b"{}", "no eval block"),
        (b'{"eval": 3, "samples": []}', "no eval block"),
    ],
)  # fmt: skip
def test_bad_documents(tmp_path, content, words):
    refuse(tmp_path, content, words)


def test_a_deep_member_of_an_archive_is_refused(tmp_path):
    made = [
        (name, b"[" * 200_000 if name == "header.json" else body) for name, body in eval_members(DOCUMENT)
    ]
    refuse(tmp_path, archive(made), "too deep")
    made = [(name, b"{" if name == "summaries.json" else body) for name, body in eval_members(DOCUMENT)]
    refuse(tmp_path, archive(made), "summaries.json is not valid JSON")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(inspect_archive, "MEMBER_BYTES", 50_000)
    bomb = [*eval_members(DOCUMENT, summaries=False), ("samples/9_epoch_1.json", b" " * 60_000)]
    bomb = [member for member in bomb if not member[0].startswith("_journal/summ")]
    refuse(tmp_path, archive(bomb), "more than the 0 MB")
    monkeypatch.setattr(inspect_archive, "MEMBER_BYTES", 10**9)
    monkeypatch.setattr(inspect_archive, "TOTAL_BYTES", 2_000)
    refuse(tmp_path, archive(bomb), "unpacks to more than")
    monkeypatch.setattr(inspect_archive, "MEMBER_COUNT", 3)
    refuse(tmp_path, archive(bomb), "members, over 3")


def test_a_member_that_lies_about_its_size_is_refused(tmp_path):
    for packed in (archive, zstandard_archive):
        content = bytearray(packed(eval_members(DOCUMENT)))
        at = content.rindex(b"header.json") - 46 + 24
        content[at : at + 4] = (100).to_bytes(4, "little")
        refuse(tmp_path, bytes(content), "cut off or damaged|not valid JSON")


def test_a_large_value_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(inspect_document, "VALUE_CHARACTERS", 1 << 20)
    refuse(tmp_path, log([sample(1, notes="x" * (6 << 20))]), "larger than 1 MB")


def test_unknown_packing_and_passwords_are_named(tmp_path):
    content = bytearray(archive(eval_members(DOCUMENT)))
    at = content.rindex(b"header.json") - 46
    encrypted = bytearray(content)
    encrypted[at + 8] |= 1
    refuse(tmp_path, bytes(encrypted), "encrypted")
    content[at + 10] = 97
    refuse(tmp_path, bytes(content), "method 97")


def test_paths_in_an_archive_are_only_names(tmp_path):
    evil = sample("../../../../etc/passwd")
    made = eval_members(log([evil]), summaries=False)
    made = [member for member in made if not member[0].startswith("_journal/summ")]
    made += [("/etc/cron.d/x", b"boo"), ("samples/../../x", b"boo")]
    rows, _ = read(tmp_path, archive(made))
    assert [row["task_id"] for row in rows] == ["../../../../etc/passwd"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spooled"]


def test_text_is_made_harmless(tmp_path):
    content = as_json(log([sample("a\\ud800b\n\x07c", metadata={"category": "<b>\x00" + "x" * 1000})]))
    rows, _ = read(tmp_path, content.replace(b"\\\\ud800", b"\\ud800"))
    assert rows[0]["task_id"] == "a?b  c"
    assert rows[0]["domain"].startswith("<b> x")
    long = read(tmp_path, log([sample("y" * 5000), sample("y" * 5001)]))[0]
    assert len({row["task_id"] for row in long}) == 2
    assert max(len(row["task_id"]) for row in long) <= 300
    assert clean(float("nan")) == ""
    assert identifier(7) == "7"


@pytest.mark.parametrize("scores", ["text", [1], {"match": "C"}, {"match": {}}, {"match": {"value": {}}}, []])
def test_odd_score_blocks_are_unscored(tmp_path, scores):
    rows, _ = read(tmp_path, log([sample(1, scores=scores), sample(2)], scores=["match"]))
    assert {row["score"] for row in rows if row["task_id"] == "1"} == {None}


def test_odd_blocks_everywhere_still_give_rows(tmp_path):
    odd = sample(
        1, epoch="x", metadata=[1], model_usage=[2], role_usage=3, messages="none", turn_count="4",
        total_time="slow", working_time=-1, error=["bad"], limit=7, started_at=5, events={"a": 1}, transcript=[],
    )  # fmt: skip
    document = log(
        [odd],
        spec={"config": [], "dataset": "d", "packages": "p", "model_roles": 1, "model_args": [], "task_id": 12},
        plan={"steps": {"a": 1}, "config": 3}, results={"scores": [1, {"name": 3}], "total_samples": "many"}, stats=[],
    )  # fmt: skip
    rows, table = read(tmp_path, document)
    assert (rows[0]["turns"], rows[0]["latency_s"], rows[0]["status"]) == (None, None, "error")
    assert rows[0]["run"].endswith(":1")
    assert table.producer == "inspect_ai"


def test_many_metrics_are_bounded(tmp_path):
    many = {f"k{n}": n / 1000 for n in range(500)}
    rows, table = read(tmp_path, log([sample(1, many, scorer="judge")], scores=["judge/k400"]))
    assert len(rows) == 64
    assert "judge/k400" in {row["metric"] for row in rows}
    assert "436 more are left out" in table.warnings[0]


def test_settings_are_bounded_and_still_tell_variants_apart():
    long = {"task_args": {f"key{n}": "x" * 300 for n in range(50)}, "task_version": 1}
    other = {**long, "task_args": {**long["task_args"], "key7": "y"}}
    assert len(canonical(long)) < 3600
    assert canonical(long) != canonical(other)
    assert json.loads(canonical(long))["task_version"] == 1


def test_deep_settings_end(tmp_path):
    deep = {}
    for _ in range(200):
        deep = {"a": deep, "b": 1}
    assert json.loads(canonical({"task_args": deep}))["task_args"]["a"]["b"] == 1
    assert len(read(tmp_path, log([sample(1)], spec={"task_args": deep}))[0]) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(
    document=st.dictionaries(st.text(), JSON, max_size=5),
    items=st.lists(JSON, max_size=6),
    piece=st.integers(1, 9),
)
def test_reading_in_pieces_gives_what_json_gives(document, items, piece):
    document = {key: value for key, value in document.items() if key != "samples"} | {"samples": items}
    for text in (json.dumps(document), json.dumps(document, indent=1, ensure_ascii=True)):
        expected = json.loads(text)
        found, listed = {}, []
        stream = Pieces(text.encode(), piece)
        for key, value in members(stream, "log", "samples"):
            if key == "samples":
                listed.append(value)
            else:
                found[key] = value
        assert repr(found | {"samples": listed}) == repr(expected)


class Pieces(io.BytesIO):
    """Gives at most ``piece`` bytes at a time, so that every value is split somewhere."""

    def __init__(self, content, piece):
        super().__init__(content)
        self._piece = piece

    def read(self, size=-1):
        return super().read(min(self._piece, size) if size >= 0 else self._piece)


def test_the_beginning_of_a_file_is_read_as_far_as_it_goes():
    whole = (
        b'{"version": 2, "eval": {"task": "t", "model": "m"}, "plan": {"steps": []}, "samples": [{"id": 1}]}'
    )
    assert leading_members(whole, "samples")["samples"] is True
    assert set(leading_members(whole[:60], "samples")) == {"version", "eval"}
    assert leading_members(b"not JSON", "samples") == {}
    assert leading_members(b'{"a": \xff', "samples") == {}


def test_an_archive_without_its_header_is_no_log(tmp_path):
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr("samples/1_epoch_1.json", "{}")
    refuse(tmp_path, target.getvalue(), "has no header.json")
