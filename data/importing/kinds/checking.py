"""From text columns to typed columns with the checks of each shape; shared by all kinds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from data.importing.formats.base import RawTable
from data.importing.kinds import cleaners
from data.importing.kinds.base import Assignment, Field
from data.importing.limits import MAX_TEXT
from data.importing.sql import identifier, literal

MAX_COUNT: Final = 1e15
_LATEST: Final = "TIMESTAMPTZ '2200-01-01 00:00:00+00'"
_EARLIEST: Final = "TIMESTAMPTZ '1990-01-01 00:00:00+00'"
_CODES: Final = "('USD', 'EUR', 'GBP', 'CNY', 'JPY', 'INR', 'CHF', 'CAD', 'AUD', 'KRW')"
NO_ZONE: Final = "No time zone"


@dataclass(frozen=True)
class Check:
    """A reason to set a record aside. ``fails`` is an SQL condition over the ``t_`` and ``v_`` columns."""

    field: str
    reason: str
    expected: str
    advice: str
    fails: str


@dataclass(frozen=True)
class Plain:
    """The common spelling of a column, tried on every row; what it does not read goes the long way.

    ``value`` is SQL over ``r_name``, the cell as it stands. ``holds`` is a condition over ``r_name`` and
    ``p_name`` (that value): where it is true the value is the one the long way would give, and no check of
    the column fails.
    """

    value: str
    holds: str


@dataclass(frozen=True)
class Typed:
    """One column of the stored row: its text (``t_name``), its value (``v_name``) and its checks.

    ``text`` is SQL over the raw table; with ``plain`` it is SQL over ``cell``, the raw column, under the name
    ``r_name``.
    """

    name: str
    text: str
    value: str
    checks: tuple[Check, ...]
    cell: str = ""
    plain: Plain | None = None


def text_of(field: str, chosen: Assignment) -> str:
    """The trimmed text of a field, NULL where it is blank. A constant beats a column."""
    if field in chosen.constants:
        value = chosen.constants[field].strip()
        return literal(value) if value else "CAST(NULL AS VARCHAR)"
    return cleaners.trimmed(identifier(chosen.columns[field]))


def typed(field: Field, chosen: Assignment, raw: RawTable, *, required: bool = False) -> Typed:
    """The typed column of a field that has a source."""
    name, title = field.name, field.title
    text = f"t_{name}"
    comma = raw.decimal_comma
    checks: list[Check] = []
    if field.shape == "text":
        value = text
        checks.append(
            Check(
                name,
                f"{title} is too long",
                f"at most {MAX_TEXT:,} characters",
                "Map another column, or shorten the text",
                f"length({text}) > {MAX_TEXT}",
            )
        )
    elif field.shape == "code":
        value = f"upper({text})"
        checks.append(
            Check(
                name,
                f"{title} is not a three-letter code",
                "USD, EUR, CNY, ...",
                f"Write the code, or give one for all rows: --set {name}=USD",
                f"NOT regexp_full_match({text}, '[A-Za-z]{{3}}')",
            )
        )
    elif field.shape == "flag":
        value = cleaners.flag(text, decimal_comma=comma)
        checks.append(
            _unreadable(
                field,
                f"{title} is neither 0 nor 1",
                "0, 1, true, false, C or I",
                "Write 0 or 1, or map a share to score",
            )
        )
    elif field.shape == "share":
        value, share_checks = _share(field, chosen, comma=comma)
        checks += share_checks
    elif field.shape == "time":
        value, time_checks = _time(field, chosen)
        checks += time_checks
    elif field.shape == "day":
        value = cleaners.day(text)
        checks += [
            _ambiguous(field),
            _unreadable(field, f"{title} is not a date", "2026-01-31", "Write the year first"),
        ]
    else:
        value, number_checks = _number(field, comma=comma)
        checks += number_checks
    if required:
        checks.insert(
            0,
            Check(
                name, f"{title} is blank", "any text", "Fill in the file, or set one value", f"{text} IS NULL"
            ),
        )
    if name in chosen.constants:
        return Typed(name, text_of(name, chosen), value, tuple(checks))
    cell = identifier(chosen.columns[name])
    plain = _plain(field, chosen, raw, required=required)
    if plain is None:
        return Typed(name, cleaners.trimmed(cell), value, tuple(checks))
    return Typed(name, cleaners.trimmed(f"r_{name}"), value, tuple(checks), cell, plain)


def _plain(field: Field, chosen: Assignment, raw: RawTable, *, required: bool) -> Plain | None:
    cell, value = f"r_{field.name}", f"p_{field.name}"
    if field.shape == "text":
        read, holds = cell, f"strlen({cell}) <= {MAX_TEXT} AND {cleaners.is_trimmed(cell, raw.blanks)}"
    elif field.shape == "code":
        read, holds = cell, f"{cell} IN {_CODES}"
    elif field.shape == "flag":
        read, holds = cleaners.plain_flag(cell), f"{value} IS NOT NULL"
    elif field.shape == "share":
        read, holds = cleaners.plain_share(cell, chosen.scale), f"{value} BETWEEN 0 AND 1"
    elif field.shape == "count":
        read = f"try_cast({cell} AS DOUBLE)"
        holds = f"{value} BETWEEN 0 AND {MAX_COUNT} AND {value} = trunc({value})"
    elif field.shape == "number":
        read, holds = f"try_cast({cell} AS DOUBLE)", f"{value} BETWEEN 0 AND {MAX_COUNT}"
    elif field.shape == "time":
        read = f"try_cast({cell} AS TIMESTAMPTZ)"
        holds = f"{cleaners.is_plainly_zoned(cell)} AND {value} BETWEEN {_EARLIEST} AND {_LATEST}"
    else:
        return None
    return Plain(read, f"({holds})" if required else f"({cell} IS NULL OR ({holds}))")


def _unreadable(field: Field, reason: str, expected: str, advice: str) -> Check:
    text, value = f"t_{field.name}", f"v_{field.name}"
    unread = f"{text} IS NOT NULL AND {value} IS NULL AND NOT {cleaners.is_unknown(text)}"
    return Check(field.name, reason, expected, advice, unread)


def _share(field: Field, chosen: Assignment, *, comma: bool) -> tuple[str, list[Check]]:
    value = f"v_{field.name}"
    advice = "Percentages without a sign need --set scale=0..100"
    if chosen.scale is not None:
        advice = "Check the scale: it is mapped to 0 to 1"
    return cleaners.score(f"t_{field.name}", scale=chosen.scale, decimal_comma=comma), [
        _unreadable(
            field,
            f"{field.title} cannot be read",
            "0 to 1, 50%, true, false, or C, I, P, N",
            "Correct the cell, or leave it empty for an attempt without a score",
        ),
        Check(
            field.name,
            f"{field.title} is not a finite number",
            "a number from 0 to 1",
            "Leave the cell empty for an attempt without a score",
            f"NOT isfinite({value})",
        ),
        Check(
            field.name,
            f"{field.title} is outside 0 to 1",
            "0 to 1" if chosen.scale is None else f"{chosen.scale[0]:g} to {chosen.scale[1]:g}",
            advice,
            f"{value} < 0 OR {value} > 1",
        ),
    ]


def _number(field: Field, *, comma: bool) -> tuple[str, list[Check]]:
    name, title = field.name, field.title
    text, value = f"t_{name}", f"v_{name}"
    if field.shape == "count":
        checks = [
            _unreadable(
                field, f"{title} is not a number", "a whole number from 0", "Correct the cell or empty it"
            ),
            Check(
                name,
                f"{title} is not a whole number from 0",
                "a whole number from 0",
                "Correct the cell or empty it",
                f"NOT isfinite({value}) OR {value} < 0 OR {value} > {MAX_COUNT} OR {value} <> trunc({value})",
            ),
        ]
        return cleaners.count(text), checks
    checks = [
        _unreadable(field, f"{title} is not a number", "a number from 0", "Correct the cell or empty it"),
        Check(
            name,
            f"{title} is negative or not finite",
            "a number from 0",
            "Correct the cell or empty it",
            f"NOT isfinite({value}) OR {value} < 0 OR {value} > {MAX_COUNT}",
        ),
    ]
    return cleaners.money(text, decimal_comma=comma), checks


def _ambiguous(field: Field) -> Check:
    return Check(
        field.name,
        f"{field.title} is an ambiguous date",
        "year first, such as 2026-01-31",
        "Write the year first: 01/02 is two different days",
        f"v_{field.name} IS NULL AND {cleaners.is_ambiguous_date(f't_{field.name}')}",
    )


def _time(field: Field, chosen: Assignment) -> tuple[str, list[Check]]:
    name, title = field.name, field.title
    text, value = f"t_{name}", f"v_{name}"
    zone = literal(chosen.timezone) if chosen.timezone else None
    checks = [_ambiguous(field)]
    if zone is None:
        checks.append(
            Check(
                name,
                NO_ZONE,
                "a time with a zone, such as 2026-01-31T09:00:00Z",
                "Choose the zone: --timezone UTC, or Europe/Berlin",
                f"{value} IS NULL AND {cleaners.is_zoneless(text)}",
            )
        )
    checks += [
        _unreadable(
            field,
            f"{title} is not a time",
            "2026-01-31T09:00:00Z, or epoch seconds or milliseconds",
            "Correct the cell or empty it",
        ),
        Check(
            name,
            f"{title} is out of range",
            "1990 to 2200; 0 is unknown",
            "Check the unit: epoch seconds, milliseconds, microseconds or nanoseconds",
            f"{value} NOT BETWEEN {_EARLIEST} AND {_LATEST} AND {value} <> {cleaners.EPOCH}",
        ),
    ]
    return cleaners.time(text, zone), checks


def all_checks(columns: Sequence[Typed], extra: Sequence[Check] = ()) -> tuple[Check, ...]:
    """The checks of all columns in order; a record is set aside by the first that fails."""
    return (*(check for column in columns for check in column.checks), *extra)
