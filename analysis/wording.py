"""Numbers in words: the one place that rounds and writes a number for page, command and document.

Shares and differences of shares come in as 0..1 and leave as percent and points. Missing (None, NaN,
infinite) is always the word ``unknown``. The minus is U+2212 so that it is as wide as the plus.
"""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from analysis.rounding import (
    MINUS,
    MOST_DECIMALS,
    digits,
    hundredfold,
    known,
    seen,
    short,
    significant,
    three_digits,
    trimmed,
    usable,
)

if TYPE_CHECKING:
    from datetime import date as Day  # noqa: N812 - ``date`` is the function below

UNKNOWN = "unknown"

Unit = Literal[
    "text", "share", "points", "spread", "relative", "money", "count", "p", "number", "milliseconds"
]

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def unknown() -> str:
    """The word for a missing value."""
    return UNKNOWN


def decimals_for(half_width: float) -> int:
    """Decimals that an interval of this half-width supports, both in the unit they are printed in.

    The last digit printed is the first digit of the half-width, or one finer where that digit is 1.

    Raises:
        ValueError: the half-width is not a positive finite number.
    """
    if not math.isfinite(half_width) or half_width <= 0:
        raise ValueError(f"half-width must be positive and finite, not {half_width!r}")
    digit, _, exponent = f"{half_width:.12e}".partition(".")
    power = int(exponent.partition("e")[2])
    return min(MOST_DECIMALS, max(0, -power + (digit == "1")))


def share(value: float | None, half_width: float | None = None) -> str:
    """A share 0..1 as percent: ``68.4%``. One that is not 0 or 1 never prints as 0% or 100%."""
    if not known(value):
        return UNKNOWN
    if value in (0, 1) and not usable(half_width):
        return f"{value:.0%}"
    percent = hundredfold(value)
    for decimals in range(_percent_decimals(half_width), 4):
        text = digits(percent, decimals)
        if value in (0, 1) or float(text.replace(MINUS, "-").replace(",", "")) not in (0, 100):
            return f"{text}%"
    return "under 0.001%" if value < 0.5 else "over 99.999%"


def share_of_draws(hits: int, draws: int) -> str:
    """A simulated share, which is never 0% or 100%: ``under 1 in 5,000``."""
    if draws <= 0:
        return UNKNOWN
    if hits == 0:
        return f"under 1 in {count(draws)}"
    if hits == draws:
        return f"over {count(draws - 1)} in {count(draws)}"
    return share(hits / draws)


def points(value: float | None, half_width: float | None = None, *, signed: bool = False) -> str:
    """A difference of shares (0..1) in points: ``5.9 points``, signed ``+5.9 points``."""
    text = points_number(value, half_width, signed=signed)
    if text == UNKNOWN:
        return UNKNOWN
    return f"{text} point" if text.lstrip(f"+{MINUS}") == "1" else f"{text} points"


def points_number(value: float | None, half_width: float | None = None, *, signed: bool = True) -> str:
    """The number of :func:`points` alone: ``+5.9``."""
    if not known(value):
        return UNKNOWN
    percent = hundredfold(value)
    return digits(percent, seen((percent,), _percent_decimals(half_width)), signed=signed)


def level(value: float | None) -> str:
    """A share that was chosen, not measured, such as a confidence: ``95%``, ``99.5%``."""
    return f"{trimmed(hundredfold(value))}%" if known(value) else UNKNOWN


def margin(value: float | None) -> str:
    """A difference of shares that was chosen, not measured: ``5 points``, ``2.5 points``."""
    if not known(value):
        return UNKNOWN
    text = trimmed(hundredfold(value))
    return f"{text} point" if text == "1" else f"{text} points"


def relative(value: float | None, half_width: float | None = None, *, signed: bool = False) -> str:
    """A relative change (-0.3 is 30 % less): ``30% less``, signed ``−30%``."""
    if not known(value):
        return UNKNOWN
    percent = hundredfold(value)
    decimals = _relative_decimals(percent, half_width)
    if signed or percent == 0:
        return digits(percent, decimals, signed=signed) + "%"
    return f"{digits(abs(percent), decimals)}% {'more' if percent > 0 else 'less'}"


def interval(
    low: float | None,
    high: float | None,
    unit: Unit,
    *,
    signed: bool = False,
    half_width: float | None = None,
    currency: str = "USD",
) -> str:
    """An interval: ``2.4 to 9.4``, signed ``−16.3 to −2.1``; shares and points in percent, without the sign.

    Both ends get the decimals of ``half_width`` (default: half their distance), and more where an end that
    is not zero would print as zero: on which side of zero it lies is the verdict. One open end reads
    ``at least 2.4`` or ``at most 9.4``.
    """
    if not known(low) and not known(high):
        return UNKNOWN
    if not usable(half_width) and known(low) and known(high):
        half_width = abs(high - low) / 2
    ends = [end for end in (low, high) if known(end)]
    texts = _ends(ends, unit, half_width, signed=signed, currency=currency)
    if not known(low):
        return f"at most {texts[0]}"
    if not known(high):
        return f"at least {texts[0]}"
    return f"{texts[0]} to {texts[1]}"


def _ends(
    ends: Sequence[float], unit: Unit, half_width: float | None, *, signed: bool, currency: str
) -> list[str]:
    if unit == "money":
        return [money(end, currency, half_width) for end in ends]
    if unit == "milliseconds":
        return [latency(end) for end in ends]
    if unit == "count":
        return [count(end) for end in ends]
    if unit in ("share", "points"):
        scaled = [hundredfold(end) for end in ends]
        decimals = _percent_decimals(half_width)
    elif unit == "relative":
        scaled = [hundredfold(end) for end in ends]
        decimals = max(_relative_decimals(end, half_width) for end in scaled)
    else:
        scaled = list(ends)
        decimals = decimals_for(half_width) if usable(half_width) else max(map(three_digits, scaled))
    decimals = seen(scaled, decimals) if unit != "share" else decimals
    suffix = "%" if unit == "relative" else ""
    return [digits(end, decimals, signed=signed) + suffix for end in scaled]


def number(value: float | None, half_width: float | None = None, *, signed: bool = False) -> str:
    """A plain number with the digits its half-width supports, else three significant digits."""
    if not known(value):
        return UNKNOWN
    if not usable(half_width):
        return digits(significant(value), three_digits(value), signed=signed)
    return digits(value, seen((value,), decimals_for(half_width)), signed=signed)


def money(amount: float | None, currency: str = "USD", half_width: float | None = None) -> str:
    """An amount: ``$0.31``, under a cent ``$0.00421``, from 1,000 on ``$21,400``, elsewhere ``EUR 0.31``."""
    if not known(amount):
        return UNKNOWN
    size = abs(amount)
    rounded = significant(size)
    if size == 0:
        text = "0.00"
    elif rounded < 0.01:
        text = digits(rounded, three_digits(rounded))
    elif rounded >= 1000:
        text = digits(rounded, 0)
    elif usable(half_width):
        decimals = decimals_for(half_width)
        text = digits(size, seen((size,), 2 if decimals == 1 else decimals))
    else:
        text = digits(size, 0 if rounded >= 100 else 2)
    return _with_currency(text, currency, negative=amount < 0)


def money_short(amount: float | None, currency: str = "USD") -> str:
    """An amount on an axis: ``$20k``; zero is a plain ``0``."""
    if not known(amount):
        return UNKNOWN
    if amount == 0:
        return "0"
    text = money(abs(amount), "").strip() if abs(amount) < 1000 else short(abs(amount))
    return _with_currency(text.removesuffix(".00"), currency, negative=amount < 0)


def price(amount: float | None, currency: str = "USD") -> str:
    """A price of a million tokens, with every digit of the price list: ``$3.00 per million``."""
    if not known(amount):
        return UNKNOWN
    decimals = next((d for d in range(2, 9) if math.isclose(round(amount, d), amount, abs_tol=1e-12)), 8)
    return _with_currency(digits(abs(amount), decimals), currency, negative=amount < 0) + " per million"


def count(value: float | None) -> str:
    """A whole number with separators: ``184,200``."""
    return digits(value, 0) if known(value) else UNKNOWN


def count_short(value: float | None) -> str:
    """A count on an axis: ``1,500``, then ``18k``, ``1.2M``."""
    if not known(value):
        return UNKNOWN
    if 1000 <= abs(value) < 10_000:
        return count(value)
    return short(value)


def count_words(value: float | None) -> str:
    """A count in a sentence: ``184,200`` below a million, then ``1.2 million``."""
    if not known(value):
        return UNKNOWN
    for size, word in ((1e9, "billion"), (1e6, "million")):
        if abs(value) >= size:
            return f"{trimmed(round(value / size, 1))} {word}"
    return count(value)


def plural(n: float | None, one: str, many: str | None = None) -> str:
    """A count with its noun: ``1 task``, ``2 tasks``; ``many`` for a plural that is not ``one`` + s."""
    if not known(n):
        return UNKNOWN
    return f"{count(n)} {one if n == 1 else many or one + 's'}"


def p_value(p: float | None) -> str:
    """A p-value: ``p = 0.002``, ``p < 0.001``."""
    text = p_number(p)
    if text == UNKNOWN:
        return UNKNOWN
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def p_number(p: float | None) -> str:
    """The number of a p-value where a label says what it is: ``0.002``, ``< 0.001``.

    Three decimals below 0.1 and two above, more where rounding would lift it onto 0.05.
    """
    if not known(p):
        return UNKNOWN
    if p < 0.001:
        return "< 0.001"
    decimals = 3 if p < 0.1 else 2
    while p < 0.05 and round(p, decimals) >= 0.05 and decimals < MOST_DECIMALS:
        decimals += 1
    return f"{p:.{decimals}f}"


def latency(milliseconds: float | None) -> str:
    """A duration: ``840 ms``, ``1.8 s``."""
    if not known(milliseconds):
        return UNKNOWN
    if abs(significant(milliseconds)) < 1000:
        return f"{trimmed(significant(milliseconds))} ms"
    seconds = milliseconds / 1000
    return f"{digits(seconds, 1 if abs(seconds) < 99.95 else 0)} s"


def date(moment: "str | Day | None") -> str:
    """A day: ``29 Nov 2026``; a time with a zone gives its day in UTC.

    Raises:
        ValueError: the text is not an ISO 8601 date or time.
    """
    if moment is None or moment == "":
        return UNKNOWN
    day = _moment(moment) if isinstance(moment, str | datetime) else moment
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def timestamp(moment: str | datetime | None) -> str:
    """A time: ``29 Nov 2026, 14:05 UTC``; without a zone it is taken as UTC, as the store keeps it.

    Raises:
        ValueError: the text is not an ISO 8601 date or time.
    """
    if moment is None or moment == "":
        return UNKNOWN
    instant = _moment(moment)
    return f"{date(instant)}, {instant:%H:%M} UTC"


def rank_range(low: int | None, high: int | None) -> str:
    """A range of ranks: ``1–2``, or ``6`` where only one rank is possible."""
    if low is None or high is None:
        return UNKNOWN
    return str(low) if low == high else f"{low}–{high}"


def sentence_list(items: Sequence[str], most: int | None = None) -> str:
    """Items as a phrase: ``a, b and c``; beyond ``most`` items ``a, b and 4 more``."""
    shown = list(items)
    if most is not None and len(shown) > most:
        shown = [*shown[:most], f"{count(len(items) - most)} more"]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def short_hash(sha256: str | None) -> str:
    """The ends of a hash: ``9f2c…41ab``."""
    return f"{sha256[:4]}…{sha256[-4:]}" if sha256 else UNKNOWN


def cell(value: str | float | bool | None, unit: Unit, currency: str = "USD") -> str:
    """A raw value of a table as text, by the unit of its column; True and False are ``yes`` and ``no``."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, str):
        return value or UNKNOWN
    if unit == "money":
        return money(value, currency)
    if unit == "relative":
        return relative(value, signed=True)
    return _CELLS.get(unit, number)(value)


def _spread(value: float | None) -> str:
    """A standard error or another distance in points, which has no sign."""
    return points_number(value, signed=False)


_CELLS: dict[Unit, Callable[[float | None], str]] = {
    "share": share,
    "points": points_number,
    "spread": _spread,
    "count": count,
    "p": p_number,
    "milliseconds": latency,
}


def _percent_decimals(half_width: float | None) -> int:
    """Two digits of the half-width, at most one decimal: 68.4 with 3.7 either side, 68 with 14."""
    return 0 if usable(half_width) and half_width >= 0.1 else 1


def _relative_decimals(percent: float, half_width: float | None) -> int:
    wanted = decimals_for(half_width * 100) if usable(half_width) else three_digits(percent)
    return seen((percent,), min(1, wanted))


def _with_currency(text: str, currency: str, *, negative: bool) -> str:
    symbol = "$" if currency == "USD" else f"{currency} " if currency else ""
    return (MINUS if negative else "") + symbol + text


def _moment(moment: str | datetime) -> datetime:
    instant = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return instant.replace(tzinfo=UTC) if instant.tzinfo is None else instant.astimezone(UTC)
