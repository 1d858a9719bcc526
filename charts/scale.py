"""Ranges and round ticks of value axes, shared by screen and paper."""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Literal

from analysis import wording
from analysis.rounding import MINUS

AxisUnit = Literal["share", "points", "money", "count", "number"]

_PADDING = 0.06
_LEAST_SPAN = 0.02  # of a share: two points


def span(values: Iterable[float], least: float = _LEAST_SPAN) -> tuple[float, float]:
    """Low and high end of an axis around ``values`` with room for the marks; never empty.

    Raises:
        ValueError: there are no values.
    """
    known = list(values)
    if not known:
        raise ValueError("an axis needs at least one value")
    low, high = min(known), max(known)
    lack = max(0.0, least - (high - low))
    padding = (high - low) * _PADDING + lack / 2
    return low - padding, high + padding


def ticks(low: float, high: float, most: int = 7) -> tuple[float, ...]:
    """Round values within ``low..high``, a step of 1, 2 or 5 times a power of ten apart, at most ``most``."""
    raw = (high - low) / most
    if raw <= 0 or not math.isfinite(raw):
        return (low,)
    size = 10.0 ** math.floor(math.log10(raw))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(round(index * step, 12) for index in range(first, last + 1))


def share_ticks(low: float, high: float, most: int = 7) -> tuple[float, ...]:
    """Ticks of a share's axis: none below 0 or above 1, where no share can lie."""
    return tuple(tick for tick in ticks(low, high, most) if 0 <= tick <= 1)


def tick_texts(values: Sequence[float], unit: AxisUnit) -> tuple[str, ...]:
    """How the ticks read: ``45%``, ``−10``, ``$20k``, ``18k``; zero is a plain ``0``."""
    return tuple("0" if value == 0 else _tick_text(value, values, unit) for value in values)


def _tick_text(value: float, values: Sequence[float], unit: AxisUnit) -> str:
    if unit == "money":
        return wording.money_short(value)
    if unit == "count":
        return wording.count_short(value)
    factor = 100 if unit in ("share", "points") else 1
    gaps = [abs(b - a) * factor for a, b in itertools.pairwise(values)]
    step = min(gaps) if gaps else abs(value) * factor
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    text = f"{abs(value) * factor:,.{decimals}f}"
    return ("" if value > 0 else MINUS) + text + ("%" if unit == "share" else "")
