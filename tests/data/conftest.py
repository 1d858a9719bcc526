import pytest

from data.store import Store


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path / "home" / "switchover.duckdb", threads=2) as opened:
        yield opened
