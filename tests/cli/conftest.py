"""The command line run in this process: exit code, standard output and error, against a store of its own."""

import json
from dataclasses import dataclass

import pytest

import cli


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(tmp_path, capsys):
    def call(*arguments, code=0):
        done = cli.main(["--db", str(tmp_path / "store.duckdb"), *map(str, arguments)])
        captured = capsys.readouterr()
        assert done == code, captured.err
        if code == 2:
            assert captured.out == ""
            assert len(captured.err.splitlines()) == 1, captured.err
        return Ran(done, captured.out, captured.err)

    return call


@pytest.fixture
def write(tmp_path):
    def make(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.fixture
def two_models(write):
    """60 tasks: ``new`` solves 45 of them, ``old`` 25, in 20 clusters of three."""
    lines = ["task_id,cluster_id,model,score"]
    for task in range(60):
        lines += [
            f"t{task},c{task // 3},new,{int(task % 4 != 0)}",
            f"t{task},c{task // 3},old,{int(task % 12 < 5)}",
        ]
    return write("two.csv", "\n".join(lines) + "\n")
