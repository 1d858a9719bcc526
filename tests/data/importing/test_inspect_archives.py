"""Archives of every shape give the rows of the document they hold."""

import pytest
from inspect_builder import (
    archive,
    as_json,
    eval_members,
    log,
    read,
    sample,
    summary,
    zstandard_archive,
)


def test_json_and_archive_give_the_same_rows(tmp_path):
    document = log(
        [sample(n, "CI"[n % 2], epoch=e, metadata={"repo": "r"}) for n in range(12) for e in (1, 2)]
    )
    expected, _ = read(tmp_path, document)
    members = eval_members(document)
    packings = (
        archive(members),
        archive(eval_members(document, summaries=False)),
        zstandard_archive(members),
        zstandard_archive(members, frames=3),
    )
    for content in packings:
        assert read(tmp_path, content)[0] == expected


def test_complete_summaries_spare_the_transcripts(tmp_path):
    members = [
        (name, b"not JSON" if name.startswith("samples/") else content)
        for name, content in eval_members(log([sample(1), sample(2)]))
    ]
    assert len(read(tmp_path, archive(members))[0]) == 2


def test_a_path_is_looked_up_in_the_samples_because_summaries_are_thinned(tmp_path):
    members = eval_members(log([sample(1, metadata={"source": {"topic": "sql"}})]))
    thin = as_json([summary(sample(1))])
    members = [(name, thin if name == "summaries.json" else content) for name, content in members]
    rows, _ = read(tmp_path, archive(members), mapping={"domain": "metadata.source.topic"})
    assert [row["domain"] for row in rows] == ["sql"]


def test_summaries_without_turns_or_of_other_samples_do_not_do(tmp_path):
    made = [sample(1, turns=4), sample(2, turns=4)]
    for record in made:
        del record["turn_count"]
    document = log(made)
    assert [row["turns"] for row in read(tmp_path, archive(eval_members(document)))[0]] == ["4", "4"]
    fewer = eval_members(log([sample(1), sample(2)]))
    fewer = [(name, as_json([{"id": 1}]) if name == "summaries.json" else content) for name, content in fewer]
    assert len(read(tmp_path, archive(fewer))[0]) == 2


def test_a_run_that_never_ended_is_read_from_its_journal(tmp_path):
    content = archive(eval_members(log([sample(1), sample(2)]), summaries=False, header=False))
    rows, table = read(tmp_path, content)
    assert len(rows) == 2
    assert "never ended" in table.warnings[0]


def test_a_sample_in_a_folder_is_read(tmp_path):
    shell = sample("a/b", "P", metadata={})
    shell.pop("messages")
    folder = "samples/a/b_epoch_1/"
    members = [
        (name, content)
        for name, content in eval_members(log([shell]))
        if not name.startswith(("samples/", "summaries", "_journal/summ"))
    ]
    members += [
        (f"{folder}sample.json", as_json(shell)),
        (f"{folder}metadata.json", as_json({"repo": "z"})),
        (f"{folder}messages/0.json", as_json([{"role": "assistant"}])),
        (f"{folder}events/stats.json", as_json({})),
    ]
    rows, _ = read(tmp_path, archive(members))
    assert [(row["task_id"], row["score"], row["cluster_id"]) for row in rows] == [("a/b", "P", "z")]


def test_a_sample_written_again_counts_once_and_last(tmp_path):
    rows, table = read(tmp_path, log([sample(1, "I"), sample(1, "C")]))
    assert [row["score"] for row in rows] == ["C"]
    assert any("written more than once" in text for text in table.warnings)
    members = eval_members(log([sample(1, "I")]), summaries=False)
    members = [member for member in members if not member[0].startswith("_journal/summ")]
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = archive([*members, ("samples/1_epoch_1.json", as_json(sample(1, "C")))])
    assert [row["score"] for row in read(tmp_path, content)[0]] == ["C"]


def test_samples_without_an_id_are_set_aside(tmp_path):
    nameless = sample(1)
    del nameless["id"]
    rows, table = read(tmp_path, log([nameless, sample(2), "text"]))
    assert [row["task_id"] for row in rows] == ["2"]
    assert [(refused.record_number, refused.reason) for refused in table.refused] == [
        (2, "sample without an id"),
        (3, "sample without an id"),
    ]
