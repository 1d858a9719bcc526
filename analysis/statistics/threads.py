"""One thread for linear algebra, so that results carry the same bits whatever the machine's thread count."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import scipy.linalg  # noqa: F401 - loads its BLAS, which the controller must find
from threadpoolctl import ThreadpoolController


class _Limit:
    """A limit that several threads of this process hold together; the last one to leave lifts it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders = 0
        # Finding the libraries is slow, and numpy and scipy have loaded theirs by now.
        self._controller: ThreadpoolController | None = None
        self._limits: AbstractContextManager[object] | None = None

    def enter(self) -> None:
        with self._lock:
            self._holders += 1
            if self._limits is None:
                self._controller = self._controller or ThreadpoolController()
                self._limits = self._controller.limit(limits=1)
                self._limits.__enter__()

    def leave(self) -> None:
        with self._lock:
            self._holders -= 1
            if self._holders == 0 and self._limits is not None:
                self._limits.__exit__(None, None, None)
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
