"""One thread for linear algebra, so that results carry the same bits whatever the machine's thread count."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import threadpool_limits


class _Limit:
    """A limit that several threads of this process hold together; the last one to leave lifts it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        self._limits: threadpool_limits | None = None

    def enter(self) -> None:
        with self._lock:
            self._holders += 1
            if self._limits is None:
                self._limits = threadpool_limits(limits=1)

    def leave(self) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders == 0 and self._limits is not None:
                self._limits.restore_original_limits()
                self._limits = None


_LIMIT = _Limit()


@contextmanager
def single_thread() -> Iterator[None]:
    """Run the body with BLAS and OpenMP limited to one thread.

    A matrix product split over threads adds its terms in another order, which changes the last bits. The
    limit belongs to the process, so overlapping bodies in several threads share it.
    """
    _LIMIT.enter()
    try:
        yield
    finally:
        _LIMIT.leave()
