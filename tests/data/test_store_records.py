import pytest

from data import records
from data.errors import InputError


def test_a_pin_is_replaced_by_id_and_forgotten_once(store):
    records.save_evidence(store, "b", '{"n":1}')
    records.save_evidence(store, "a", '{"n":2}')
    records.save_evidence(store, "b", '{"n":3}')
    assert records.list_evidence(store) == ['{"n":2}', '{"n":3}']
    records.delete_evidence(store, "a")
    assert records.list_evidence(store) == ['{"n":3}']
    with pytest.raises(InputError, match="'a'"):
        records.delete_evidence(store, "a")


def test_a_decision_is_never_overwritten(store):
    records.save_decision(store, "2026-1", "mine")
    with pytest.raises(InputError, match="2026-1"):
        records.save_decision(store, "2026-1", "yours")
    assert records.list_decisions(store) == ["mine"]


def test_a_refused_change_leaves_the_revision(store):
    records.save_decision(store, "1", "mine")
    before = store.revision
    with pytest.raises(InputError):
        records.save_decision(store, "1", "yours")
    assert store.revision == before
