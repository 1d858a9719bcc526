"""The process that serves the dashboard holds the store: one connection, one watcher of the inbox."""

import contextlib
import logging
import os
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from data.inbox import QueuedOutcome, commit_queued
from data.store import Store, default_path

LOGGER = logging.getLogger(__name__)
#: How long a queued import waits at most before the holder sees it.
WATCH_SECONDS = 1.5
#: Outcomes kept for the Data page; older ones stand in the list of batches.
OUTCOMES_KEPT = 20


@dataclass
class Holder:
    """The open store with the thread that commits what other processes left in its inbox."""

    store: Store
    outcomes: deque[QueuedOutcome] = field(default_factory=lambda: deque(maxlen=OUTCOMES_KEPT))
    stopped: threading.Event = field(default_factory=threading.Event)
    watcher: threading.Thread | None = None

    def start(self) -> None:
        """Begin to watch the inbox."""
        self.watcher = threading.Thread(target=self._watch, name="inbox", daemon=True)
        self.watcher.start()

    def close(self) -> None:
        """Stop watching and give the store free for another process."""
        self.stopped.set()
        if self.watcher is not None:
            self.watcher.join(timeout=30)
        self.store.close()

    def _watch(self) -> None:
        while not self.stopped.wait(WATCH_SECONDS):
            try:
                self.outcomes.extend(commit_queued(self.store))
            except Exception:  # one bad request must not end the watch over the next ones
                LOGGER.exception("an import in the inbox could not be committed")


@st.cache_resource(show_spinner="Opening the store", on_release=Holder.close)
def _open(path: str) -> Holder:
    holder = Holder(Store.open(Path(path)))
    holder.start()
    return holder


def holder() -> Holder:
    """The one holder of this process.

    Raises:
        StoreHeldError: another process holds the store.
        InputError: the store cannot be opened; the message says why.
    """
    return _open(str(default_path(os.environ.get("SWITCHOVER_DB")).resolve()))


def store() -> Store:
    """The open store; raises as :func:`holder` does."""
    return holder().store


@contextlib.contextmanager
def spooled(name: str, content: bytes) -> Iterator[Path]:
    """A copy of an upload in the spool, where the store may read it; removed afterwards."""
    path = store().spool / name
    path.write_bytes(content)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)
