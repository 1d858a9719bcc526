"""Tokens of one sample of an Inspect log, in classes that exclude each other and add up.

What ``input_tokens`` means changed with inspect_ai 0.3.184 (28 February 2026, pull request 3341): since then
it leaves out what was read from and written to the cache, for every provider. Before, it included them for
some providers (OpenAI and what speaks its protocol) and not for others (Anthropic, Bedrock). The version in
the log switches the rule:

* 0.3.184 or later: ``input_tokens`` are the uncached tokens.
* earlier, or unknown: the parts are compared with ``total_tokens``. ``total = input + output`` means that the
  input includes the cache, and cached tokens are subtracted; ``total = input + cache + output`` means that it
  does not. Where neither fits, the provider in the model's name decides and the sample is counted as
  ambiguous.

Two things cannot be mended afterwards: Google models before 0.3.208 have no cache reads recorded (they stay
in the uncached input), and OpenAI cache writes before 0.3.260 (pull request 4855) stay in the uncached input.

``output_tokens`` include reasoning, except where ``total`` shows that reasoning was counted beside it.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

EXCLUSIVE_SINCE = (0, 3, 184)
_CACHE_APART = ("anthropic/", "bedrock/anthropic", "vertex/claude")
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)(\.?dev)?")


@dataclass(frozen=True)
class Tokens:
    """Tokens by class; None is unknown. ``ambiguous``: the log does not say whether input included the cache.

    ``cost`` is in US dollars as the log recorded it.
    """

    uncached: int | None
    cache_read: int | None
    cache_write: int | None
    output: int | None
    reasoning: int | None
    cost: float | None
    ambiguous: bool = False

    @property
    def total(self) -> int:
        """All known tokens (reasoning is part of output)."""
        return sum(part or 0 for part in (self.uncached, self.cache_read, self.cache_write, self.output))


def counts_cache_apart(version: str, created: str) -> bool:
    """Whether a log's ``input_tokens`` leave the cache out by rule.

    ``version`` is ``packages.inspect_ai``; a development version counts as the release before it. Without a
    version the day the log was created (ISO 8601) decides.
    """
    match = _VERSION.match(version)
    if match is None:
        return created[:10] > "2026-02-28"
    number = (int(match[1]), int(match[2]), int(match[3]))
    return number > EXCLUSIVE_SINCE or (number == EXCLUSIVE_SINCE and match[4] is None)


def exclusive(usage: Mapping[str, Any], *, model: str, cache_apart: bool) -> Tokens:
    """One ``ModelUsage`` in exclusive classes. All counts 0 means that nothing was recorded: unknown."""
    plain = count(usage.get("input_tokens"))
    output = count(usage.get("output_tokens"))
    read = count(usage.get("input_tokens_cache_read"))
    write = count(usage.get("input_tokens_cache_write"))
    reasoning = count(usage.get("reasoning_tokens"))
    total = count(usage.get("total_tokens"))
    cost = amount(usage.get("total_cost"))
    if not any((plain, output, read, write)):
        return Tokens(None, None, None, None, None, cost)
    if plain is None or output is None:
        return Tokens(plain if cache_apart else None, read, write, output, reasoning, cost)
    cached = (read or 0) + (write or 0)
    beside = {plain + output + (reasoning or 0), plain + cached + output + (reasoning or 0)}
    if total in beside - {plain + output, plain + cached + output}:
        output += reasoning or 0
    ambiguous = False
    if not cache_apart and cached:
        included = _included(plain, read or 0, write or 0, output, total)
        if included is None:
            ambiguous = True
            included = 0 if model.lower().startswith(_CACHE_APART) or cached > plain else cached
        plain -= included
    return Tokens(plain, read, write, output, reasoning, cost, ambiguous)


def _included(plain: int, read: int, write: int, output: int, total: int | None) -> int | None:
    """How many cached tokens the input contains, or None where the total does not tell."""
    if total == plain + read + write + output:
        return 0
    if total == plain + write + output and read <= plain:
        return read
    if total == plain + output and read + write <= plain:
        return read + write
    return None


def subtract(whole: Tokens, part: Tokens) -> Tokens:
    """``whole`` without ``part``, class by class; unknown stays unknown, and nothing goes below 0."""

    def less(left: int | None, right: int | None) -> int | None:
        return None if left is None else max(left - (right or 0), 0)

    cost = None if whole.cost is None or part.cost is None else max(whole.cost - part.cost, 0.0)
    return Tokens(
        less(whole.uncached, part.uncached),
        less(whole.cache_read, part.cache_read),
        less(whole.cache_write, part.cache_write),
        less(whole.output, part.output),
        less(whole.reasoning, part.reasoning),
        cost,
        whole.ambiguous or part.ambiguous,
    )


def add_usage(left: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Two raw ``ModelUsage`` records added key by key; a key that neither has stays away."""
    summed: dict[str, Any] = {}
    for key in (*left, *(key for key in right if key not in left)):
        values = [number for number in (amount(left.get(key)), amount(right.get(key))) if number is not None]
        if values:
            summed[key] = sum(values)
    return summed


def count(value: Any) -> int | None:
    """A whole number of at least 0, else None; text and whole floats ("3.0") are taken."""
    number = amount(value)
    return int(number) if number is not None and number == int(number) else None


def amount(value: Any) -> float | int | None:
    """A finite number of at least 0, else None; True and False are none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, int):
        return value if 0 <= value < 1 << 62 else None
    if isinstance(value, float):
        return value if math.isfinite(value) and 0 <= value < 1 << 62 else None
    return None
