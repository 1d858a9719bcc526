"""Errors a person can mend. Each message says what happened, where, and what to do, in one line."""


class InputError(Exception):
    """Bad input: a file, a flag or a name. Shown as it is; the command line exits 2 with it."""


class StoreHeldError(InputError):
    """Another process holds the store. ``pid`` is its process number where the system tells."""

    def __init__(self, message: str, pid: int | None = None) -> None:
        super().__init__(message)
        self.pid = pid
