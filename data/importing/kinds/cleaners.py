"""Text to typed value, in SQL: the spellings people use, and nothing that only looks like a value.

Each function takes an SQL expression of trimmed text (NULL where the cell is blank) and gives an expression
that is NULL where the text cannot be read. The common spelling is tried first; patterns run only on the rest.
"""

from typing import Final

UNKNOWN: Final = (
    "('n/a', 'na', '#n/a', 'null', 'none', 'nil', '-', '--', '—', '–', '?', 'unknown', 'missing')"
)
_BLANKS: Final = ("' '", "chr(9)", "chr(10)", "chr(13)", "chr(160)")
_SPACES: Final = "[\\s\\x{00a0}\\x{202f}\\x{2009}''’_]"
_PLAIN: Final = "[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?"
_POINTS: Final = "^[+-]?[1-9]\\d{0,2}(\\.\\d{3})+,\\d*$|^[+-]?[1-9]\\d{0,2}(\\.\\d{3}){2,}$"
EPOCH: Final = "TIMESTAMPTZ '1970-01-01 00:00:00+00'"
_MONEY: Final = (
    "^(US|A|C|NZ|HK)?[$€£¥₹]|[$€£¥₹]$|^(USD|EUR|GBP|CNY|JPY|CHF|INR)|(USD|EUR|GBP|CNY|JPY|CHF|INR)$"
)


def is_unknown(text: str) -> str:
    """Whether a cell says in words that there is no value."""
    return f"(lower({text}) IN {UNKNOWN})"


def number(text: str, *, decimal_comma: bool) -> str:
    """A number as DOUBLE: plain, with thousands separators, or with a decimal comma; may be NaN or infinite.

    ``1.234,5`` and ``1,234.5`` leave no doubt. ``1,234`` alone is a thousand and more, or one and a bit in a
    file whose ``decimal_comma`` says so; ``0,25`` and ``12,5`` are always decimals.
    """
    bare = f"regexp_replace(replace({text}, '−', '-'), '{_SPACES}', '', 'g')"
    thousands = (
        "^[+-]?[1-9]\\d{0,2}(,\\d{3})+(\\.\\d*)?$"
        if not decimal_comma
        else ("^[+-]?[1-9]\\d{0,2}(,\\d{3}){2,}$|^[+-]?[1-9]\\d{0,2}(,\\d{3})+\\.\\d*$")
    )
    settled = (
        f"CASE WHEN regexp_matches({bare}, '{thousands}') THEN replace({bare}, ',', '') "
        f"WHEN regexp_matches({bare}, '{_POINTS}') "
        f"THEN replace(replace({bare}, '.', ''), ',', '.') "
        f"WHEN regexp_matches({bare}, '^[+-]?\\d*,\\d+([eE][+-]?\\d+)?$') THEN replace({bare}, ',', '.') "
        f"ELSE {bare} END"
    )
    slow = f"CASE WHEN regexp_full_match({settled}, '{_PLAIN}') THEN try_cast({settled} AS DOUBLE) END"
    return _quick(f"try_cast({text} AS DOUBLE)", slow)


def _quick(common: str, rare: str) -> str:
    """``common`` where it has a value, else ``rare``, which then runs on those rows only.

    Not coalesce: DuckDB takes what its arguments share out of it and computes that for all rows.
    """
    return f"CASE WHEN {common} IS NOT NULL THEN {common} ELSE {rare} END"


def trimmed(column: str) -> str:
    """Text without blanks at its ends, NULL where nothing is left; most texts are left as they are."""
    ends = " OR ".join(f"suffix({column}, {blank})" for blank in _BLANKS)
    starts = f"{column} < '!' OR prefix({column}, chr(160))"
    blanks = " || ".join(_BLANKS)
    return f"CASE WHEN {starts} OR {ends} THEN nullif(trim({column}, {blanks}), '') ELSE {column} END"


def is_trimmed(cell: str, held: str) -> str:
    """Whether :func:`trimmed` leaves a cell as it is; false for few that it does leave, too.

    ``held`` are the blanks that cells of the table can hold at all.
    """
    conditions = [f"{cell} >= '!'"]
    if "\u00a0" in held:
        conditions += [f"NOT prefix({cell}, chr(160))", f"NOT suffix({cell}, chr(160))"]
    ends = [sign for sign in held if sign != "\u00a0"]
    if len(ends) > 2:
        conditions.append(f"reverse({cell}) >= '!'")
    else:
        conditions += [f"NOT suffix({cell}, chr({ord(sign)}))" for sign in ends]
    return " AND ".join(conditions)


def money(text: str, *, decimal_comma: bool) -> str:
    """An amount as DOUBLE; a currency sign before or after it is left out."""
    bare = f"trim(regexp_replace({text}, '{_MONEY}', '', 'g'))"
    return _quick(f"try_cast({text} AS DOUBLE)", number(bare, decimal_comma=decimal_comma))


def truth(text: str) -> str:
    """A yes or no as DOUBLE 1 or 0."""
    return (
        f"CASE WHEN lower({text}) IN ('true', 'yes', 'y', 't', 'c', 'pass', 'passed', 'correct', 'resolved', "
        f"'solved', 'success', 'succeeded', 'ok') THEN 1.0 "
        f"WHEN lower({text}) IN ('false', 'no', 'n', 'f', 'i', 'fail', 'failed', 'incorrect', 'unresolved', "
        f"'unsolved', 'failure', 'wrong') THEN 0.0 END"
    )


def score(text: str, *, scale: tuple[float, float] | None, decimal_comma: bool) -> str:
    """A share as DOUBLE, not yet checked to be in 0..1: numbers, percentages, words, and letters C, I, P, N.

    ``scale`` maps LOW..HIGH to 0..1 for numbers without a percent sign; a percentage is of a hundred anyway.
    """
    common = f"try_cast({text} AS DOUBLE)"
    plain = number(text, decimal_comma=decimal_comma)
    if scale is not None:
        low, high = scale
        common, plain = (f"(({value}) - ({low!r})) / ({high - low!r})" for value in (common, plain))
    percent = number(f"trim(rtrim({text}, '%'))", decimal_comma=decimal_comma)
    text = f"trim({text})"
    return _quick(
        common,
        f"coalesce({plain}, CASE WHEN {text} LIKE '%\\%' ESCAPE '\\' THEN ({percent}) / 100 "
        f"WHEN lower({text}) IN ('p', 'partial') THEN 0.5 ELSE {truth(text)} END)",
    )


def plain_share(cell: str, scale: tuple[float, float] | None) -> str:
    """A share written as a plain number, as :func:`score` reads it."""
    if scale is None:
        return f"try_cast({cell} AS DOUBLE)"
    low, high = scale
    return f"((try_cast({cell} AS DOUBLE)) - ({low!r})) / ({high - low!r})"


def plain_flag(cell: str) -> str:
    """The usual ways to write yes and no, as :func:`flag` reads them."""
    return (
        f"CASE WHEN {cell} IN ('1', 'true', 'True', 'TRUE') THEN true "
        f"WHEN {cell} IN ('0', 'false', 'False', 'FALSE') THEN false END"
    )


def flag(text: str, *, decimal_comma: bool) -> str:
    """A yes or no as BOOLEAN: words, letters C and I, or the numbers 0 and 1."""
    value = f"coalesce({truth(text)}, {number(text, decimal_comma=decimal_comma)})"
    return f"CASE ({value}) WHEN 1.0 THEN true WHEN 0.0 THEN false END"


def count(text: str) -> str:
    """A whole number as DOUBLE, exact up to 2**53; ``1,234`` is a thousand and more."""
    return number(text, decimal_comma=False)


_DAY: Final = "^\\d{4}[-/]\\d{1,2}[-/]\\d{1,2}"
_ZONED: Final = (
    "(({0} LIKE '%Z') OR ({0} LIKE '%z') OR regexp_matches({0}, "
    "':\\d{{2}}(\\.\\d+)?\\s*([+-]\\d{{2}}:?(\\d{{2}})?|UTC|GMT)$'))"
)


def is_zoneless(text: str) -> str:
    """Whether the text is a date or a time of day without a zone."""
    return f"(regexp_matches({text}, '{_DAY}') AND NOT {_ZONED.format(text)})"


def is_ambiguous_date(text: str) -> str:
    """Whether day and month could stand either way round."""
    return f"regexp_matches({text}, '^\\d{{1,2}}[-/.]\\d{{1,2}}[-/.]\\d{{2,4}}')"


def is_plainly_zoned(cell: str) -> str:
    """Whether a time ends in the usual signs of UTC; a calendar date alone is too short for the second."""
    return (
        f"CASE WHEN suffix({cell}, 'Z') THEN true ELSE strlen({cell}) >= 25 AND suffix({cell}, '+00:00') END"
    )


def time(text: str, timezone: str | None) -> str:
    """A moment as TIMESTAMPTZ: ISO 8601, or epoch seconds, milliseconds, microseconds or nanoseconds by size.

    A text without a zone is read in ``timezone`` (an SQL literal), and is NULL without one.
    """
    bare = f"regexp_replace({text}, '\\s*GMT$', 'Z')"
    zoned = f"CASE WHEN {_ZONED.format(text)} THEN try_cast({bare} AS TIMESTAMPTZ)"
    if timezone is not None:
        zoned += f" ELSE timezone({timezone}, try_cast({text} AS TIMESTAMP))"
    since = f"try_cast({text} AS DOUBLE)"
    whole = f"try_cast({text} AS BIGINT)"
    micros = (
        f"CASE WHEN abs({since}) < 1e11 THEN {since} * 1e6 WHEN abs({since}) < 1e14 THEN {since} * 1e3 "
        f"WHEN abs({since}) < 1e17 THEN {since} ELSE {whole} // 1000 END"
    )
    sane = f"isfinite({since}) AND abs({since}) < 9e18"
    epoch = f"CASE WHEN {sane} THEN make_timestamptz(try_cast({micros} AS BIGINT)) END"
    slow = f"CASE WHEN regexp_matches({text}, '{_DAY}') THEN {zoned} END ELSE {epoch} END"
    # The common spelling; words such as infinity do not end in Z.
    common = f"{text} LIKE '%Z' AND try_cast({text} AS TIMESTAMPTZ) IS NOT NULL"
    return f"CASE WHEN {common} THEN try_cast({text} AS TIMESTAMPTZ) ELSE {slow} END"


def day(text: str) -> str:
    """A calendar day as DATE, year first."""
    cut = f"replace(regexp_extract({text}, '{_DAY}'), '/', '-')"
    return f"CASE WHEN regexp_matches({text}, '{_DAY}') THEN try_cast({cut} AS DATE) END"
