"""Digits: how values are rounded and written before :mod:`analysis.wording` gives them units."""

import math
from collections.abc import Sequence
from typing import TypeGuard

MINUS = "−"
MOST_DECIMALS = 12


def known(value: float | None) -> TypeGuard[float]:
    """Whether there is a finite number."""
    return value is not None and math.isfinite(value)


def usable(half_width: float | None) -> TypeGuard[float]:
    """Whether a half-width says how far a number may be trusted: a positive, finite one."""
    return known(half_width) and half_width > 0


def hundredfold(value: float) -> float:
    """Hundredfold without the digits that binary fractions add (0.145 is 14.5, not 14.499...)."""
    return round(float(value) * 100, 10)


def seen(values: Sequence[float], decimals: int) -> int:
    """Decimals at which no value but zero prints as zero, at most two more than ``decimals``."""
    for more in range(2):
        if all(value == 0 or round(value, decimals + more) != 0 for value in values):
            return decimals + more
    return decimals + 2


def significant(value: float) -> float:
    """The value at three significant digits."""
    return float(f"{value:.2e}")


def three_digits(value: float) -> int:
    """Decimals that show three significant digits; none for zero."""
    if value == 0:
        return 0
    power = int(f"{value:.2e}".partition("e")[2])
    return min(MOST_DECIMALS, max(0, 2 - power))


def short(value: float) -> str:
    """Three significant digits with a letter for the thousands: ``18k``, ``1.2M``."""
    for size, letter in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        scaled = significant(value / size)
        if abs(scaled) >= 1:
            return trimmed(scaled) + letter
    return trimmed(significant(value))


def trimmed(value: float) -> str:
    """Every digit the value has, and no zeros behind them."""
    text = digits(value, MOST_DECIMALS if abs(value) < 1 else 9)
    return text.rstrip("0").rstrip(".")


def digits(value: float, decimals: int, *, signed: bool = False) -> str:
    """``value`` at ``decimals``, with separators, U+2212 as minus and no sign on what prints as zero."""
    size = f"{abs(value):,.{decimals}f}"
    if not any(digit in size for digit in "123456789"):
        return size
    return (MINUS if value < 0 else "+" if signed else "") + size
