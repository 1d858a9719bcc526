"""Answers of queries kept while the store stays at one revision."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final, TypeVar

T = TypeVar("T")
_KEPT: Final = 32


class Remembered:
    """A small memory keyed on revision and question; the least recently used goes first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: OrderedDict[tuple[Any, ...], Any] = OrderedDict()

    def get(self, revision: int, key: tuple[Any, ...], compute: Callable[[], T]) -> T:
        """The remembered value, else that of ``compute``, which runs outside the lock."""
        full = (revision, *key)
        with self._lock:
            if full in self._values:
                self._values.move_to_end(full)
                value: T = self._values[full]
                return value
        value = compute()
        with self._lock:
            self._values = OrderedDict(
                (known, old) for known, old in self._values.items() if known[0] == revision
            )
            self._values[full] = value
            while len(self._values) > _KEPT:
                self._values.popitem(last=False)
        return value
