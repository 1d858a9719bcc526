"""The kinds of data. A new kind is one module and one line here; its word leaves ``PLANNED`` then."""

from collections.abc import Mapping
from typing import Final

from data.errors import InputError
from data.importing.kinds.base import Kind
from data.importing.kinds.evals import Evals
from data.importing.kinds.scores import Scores
from data.importing.kinds.votes import Votes

KINDS: Final[tuple[Kind, ...]] = (Evals(), Scores(), Votes())

PLANNED: Final[Mapping[str, tuple[str, frozenset[str]]]] = {
    "prices": ("Price sheet", frozenset({"model", "input", "output"})),
    "usage": ("Usage log", frozenset({"model", "request_id", "output_tokens"})),
    "tasks": ("Finished tasks in production", frozenset({"task_id", "arm"})),
    "invoice": ("Invoice", frozenset({"period_start", "period_end", "amount"})),
    "schedule": ("Rollout schedule", frozenset({"date", "share"})),
    "hosting": ("Hosting offers", frozenset({"gpu_hour"})),
}
"""Kinds the store has no place for yet: title, and headers that give a file of this kind away."""


def kind_named(name: str) -> Kind:
    """The kind for a word of ``--kind``.

    Raises:
        InputError: no such kind, or one that this version cannot read yet.
    """
    for kind in KINDS:
        if kind.name == name:
            return kind
    known = ", ".join(kind.name for kind in KINDS)
    if name in PLANNED:
        raise InputError(f"kind {name!r} is not supported yet by this version; it reads {known}")
    raise InputError(f"there is no kind {name!r}; choose one of {known}")
