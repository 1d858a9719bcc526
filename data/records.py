"""Pins and decisions as the store keeps them: a text under an id. What the text says is for the report."""

from datetime import UTC, datetime

from data.errors import InputError
from data.rows import one_row
from data.store import Store


def save_evidence(store: Store, pin_id: str, body: str) -> None:
    """Keep a pin; one of the same id is replaced."""
    with store.write() as cursor:
        cursor.execute("DELETE FROM evidence WHERE id = ?", [pin_id])
        cursor.execute("INSERT INTO evidence VALUES (?, ?, ?)", [pin_id, body, datetime.now(UTC)])


def list_evidence(store: Store) -> list[str]:
    """The texts of all pins, by id."""
    return _bodies(store, "evidence")


def delete_evidence(store: Store, pin_id: str) -> None:
    """Forget a pin.

    Raises:
        InputError: there is no such pin.
    """
    with store.write() as cursor:
        if one_row(cursor, "DELETE FROM evidence WHERE id = ? RETURNING id", [pin_id]) is None:
            raise InputError(f"no pin {pin_id!r}; `decision list` names those there are")


def save_decision(store: Store, record_id: str, body: str) -> None:
    """Keep a decision for good.

    Raises:
        InputError: a decision of that id is kept already (two people saved at one moment).
    """
    with store.write() as cursor:
        if one_row(cursor, "SELECT 1 FROM decision WHERE id = ?", [record_id]):
            raise InputError(
                f"decision {record_id} was saved by someone else meanwhile; save yours once more"
            )
        cursor.execute("INSERT INTO decision VALUES (?, ?, ?)", [record_id, body, datetime.now(UTC)])


def list_decisions(store: Store) -> list[str]:
    """The texts of all decisions, by id."""
    return _bodies(store, "decision")


def _bodies(store: Store, table: str) -> list[str]:
    return [str(body) for body in store.query(f"SELECT body FROM {table} ORDER BY id")["body"]]
