"""Which column becomes which field: what the person said, exact names, what was remembered, and guesses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from data.errors import InputError
from data.importing.formats.base import RawColumn, RawTable
from data.importing.kinds.base import Assignment, Field, Kind
from data.importing.staged import ImportOptions

EXACT: Final = "exact name"
CHOSEN: Final = "chosen"
REMEMBERED: Final = "remembered"
ZERO_ONE: Final = "values 0 and 1"
GUESS: Final = "guess: check"
UNUSED: Final = "not used"
NATIVE: Final = "part of the format"

_RESERVED: Final = ("scale", "tie")
_NUMBER: Final = re.compile(r"[-+$€£¥ ]*\d[\d.,' ]*(e[-+]?\d+)?\s*%?", re.IGNORECASE)
_TRUTHS: Final = frozenset(
    [
        "true",
        "false",
        "yes",
        "no",
        "y",
        "n",
        "t",
        "f",
        "c",
        "i",
        "p",
        "pass",
        "fail",
        "passed",
        "failed",
        "correct",
        "incorrect",
        "resolved",
        "unresolved",
    ]
)
_UNKNOWN: Final = frozenset(("", "n/a", "na", "null", "none", "nan", "-"))
_SHOWN: Final = 12


@dataclass(frozen=True)
class ColumnUse:
    """One column of the file: what it becomes (``field``, None when left out) and why.

    ``suggestion`` is a guess that is not applied; ``values`` are the first values that are not blank.
    """

    header: str
    field: str | None
    why: str
    suggestion: str | None
    values: tuple[str, ...]


@dataclass(frozen=True)
class Resolved:
    """A mapping that can be applied, or what it lacks (``missing``, in the words of the kind)."""

    assignment: Assignment
    columns: tuple[ColumnUse, ...]
    missing: tuple[str, ...]
    hints: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Memory:
    """What was said about an earlier file with this header."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    timezone: str | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Memory":
        """From the stored JSON object."""
        return cls(stored.get("columns", {}), stored.get("constants", {}), stored.get("timezone"))

    def stored(self) -> dict[str, Any]:
        """As a JSON object."""
        return {"columns": dict(self.mapping), "constants": dict(self.constants), "timezone": self.timezone}


def normalised(header: str) -> str:
    """Lower case with one underscore between words: ``Task ID`` and ``taskId`` are ``task_id``."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", header.strip())
    return re.sub(r"[^a-z0-9]+", "_", split.lower()).strip("_")


def resolve(kind: Kind, raw: RawTable, options: ImportOptions, memory: Memory | None, file: str) -> Resolved:
    """Give each field its source.

    A person's word beats what was remembered, which beats an exact name. A guess is applied only where a
    needed field has no source and one column alone comes into question; it is reported.

    Raises:
        InputError: an unknown field or column, or a value that cannot be.
    """
    fields = {one.name: one for one in kind.fields}
    constants = dict(options.constants)
    asked = dict(options.mapping)
    zone = options.timezone
    warnings: list[str] = []
    if memory is not None and not asked:
        asked = {name: header for name, header in memory.mapping.items() if name not in constants}
        constants = {**memory.constants, **constants}
        zone = zone or memory.timezone
        said = [f"{name} from {header}" for name, header in asked.items()]
        said += [
            f"{name}={value}" for name, value in memory.constants.items() if name not in options.constants
        ]
        if said:
            warnings.append(f"read as the last file with these columns: {', '.join(said)}")
    why = REMEMBERED if memory is not None and not options.mapping else CHOSEN
    scale, ties = _reserved(constants)
    _check_fields(kind, fields, asked, constants)
    taken: dict[str, RawColumn] = {}
    reasons: dict[str, str] = {}
    for name, header in asked.items():
        if name in constants:
            continue
        taken[name] = _column(raw, header, name, file)
        reasons[name] = why
    _take_exact(raw, fields, constants, taken, reasons)
    guesses = {} if raw.canonical else _guesses(raw, fields, constants, taken)
    hints = _apply_needed(kind, guesses, frozenset(constants), taken, reasons)
    warnings += [
        f"read {taken[name].header} as {name}; say --map {name}={taken[name].header} to confirm"
        for name, why_taken in reasons.items()
        if why_taken == GUESS
    ]
    assignment = Assignment(
        columns={name: column.sql_name for name, column in taken.items()},
        constants=constants,
        headers={name: column.header for name, column in taken.items()},
        timezone=zone,
        scale=scale,
        ties=ties,
    )
    uses = _uses(raw, taken, reasons, guesses)
    return Resolved(assignment, uses, kind.missing(assignment.fields), hints, tuple(warnings))


def first_values(raw: RawTable, place: int, count: int = 3) -> tuple[str, ...]:
    """The first values of a column that are not blank, from the sample."""
    found: list[str] = []
    for row in raw.sample:
        text = row[place]
        if text is not None and text.strip():
            found.append(text)
            if len(found) == count:
                break
    return tuple(found)


def is_outcome(text: str) -> bool:
    """Whether a text can be a score: a share, a percentage, a word or a letter."""
    plain = text.strip().lower()
    if plain in _UNKNOWN or plain in _TRUTHS:
        return True
    if plain.endswith("%"):
        return bool(_NUMBER.fullmatch(plain))
    try:
        return 0 <= float(plain.replace(",", ".")) <= 1
    except ValueError:
        return False


def _reserved(constants: dict[str, str]) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    scale = constants.pop("scale", None)
    ties = tuple(part.strip() for part in constants.pop("tie", "").split(",") if part.strip())
    if scale is None:
        return None, ties
    found = re.fullmatch(r"\s*([-+\d.eE]+?)\s*\.\.\s*([-+\d.eE]+)\s*", scale)
    try:
        low, high = (float(found[1]), float(found[2])) if found else (0.0, 0.0)
    except ValueError:
        low = high = 0.0
    if not low < high < float("inf") or low == float("-inf"):
        raise InputError(f"scale {scale!r} cannot be read; write --set scale=LOW..HIGH, such as scale=0..100")
    return (low, high), ties


def _check_fields(
    kind: Kind, fields: Mapping[str, Field], asked: Mapping[str, str], constants: Mapping[str, str]
) -> None:
    for name in (*asked, *constants):
        if name not in fields or fields[name].native_only:
            known = ", ".join(one.name for one in kind.fields if not one.native_only)
            raise InputError(f"{kind.title.lower()} have no field {name!r}; the fields are {known}")


def _column(raw: RawTable, header: str, name: str, file: str) -> RawColumn:
    exact = [column for column in raw.columns if column.header == header.strip()]
    found = exact or [column for column in raw.columns if normalised(column.header) == normalised(header)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(f"{file}: {len(found)} columns are called {header!r}; rename all but one for {name}")
    shown = ", ".join(column.header or "(blank)" for column in raw.columns[:_SHOWN])
    more = f" and {len(raw.columns) - _SHOWN} more" if len(raw.columns) > _SHOWN else ""
    raise InputError(f"{file}: there is no column {header!r} for {name}; the columns are {shown}{more}")


def _take_exact(
    raw: RawTable,
    fields: Mapping[str, Field],
    constants: Mapping[str, str],
    taken: dict[str, RawColumn],
    reasons: dict[str, str],
) -> None:
    used = {column.sql_name for column in taken.values()}
    for name, one in fields.items():
        if name in taken or name in constants or (one.native_only and not raw.canonical):
            continue
        found = [column for column in raw.columns if column.header == name and column.sql_name not in used]
        if len(found) == 1:
            taken[name] = found[0]
            reasons[name] = NATIVE if raw.canonical else EXACT


def _guesses(
    raw: RawTable, fields: Mapping[str, Field], constants: Mapping[str, str], taken: Mapping[str, RawColumn]
) -> dict[str, list[RawColumn]]:
    """Unused columns whose name and values suggest a field that has no source."""
    used = {column.sql_name for column in taken.values()}
    found: dict[str, list[RawColumn]] = {}
    for name, one in fields.items():
        if name in taken or name in constants or one.native_only:
            continue
        names = (name, *one.synonyms)
        fitting = [
            column
            for place, column in enumerate(raw.columns)
            if column.sql_name not in used
            and normalised(column.header) in names
            and _fits(one, first_values(raw, place, 50))
        ]
        if fitting:
            found[name] = sorted(fitting, key=lambda column: names.index(normalised(column.header)))
    return found


def _fits(one: Field, values: Sequence[str]) -> bool:
    known = [text for text in values if text.strip().lower() not in _UNKNOWN]
    if one.shape == "share":
        return all(is_outcome(text) or _NUMBER.fullmatch(text.strip()) for text in known)
    if one.shape == "flag":
        return all(
            text.strip().lower() in _TRUTHS or text.strip() in ("0", "1", "0.0", "1.0") for text in known
        )
    if one.shape in ("number", "count"):
        return all(_NUMBER.fullmatch(text.strip()) for text in known)
    if one.shape in ("time", "day"):
        return all(re.match(r"\d{4}[-/]\d|\d{9,}", text.strip()) for text in known)
    return True


def _apply_needed(
    kind: Kind,
    guesses: dict[str, list[RawColumn]],
    constants: frozenset[str],
    taken: dict[str, RawColumn],
    reasons: dict[str, str],
) -> tuple[str, ...]:
    """Apply guesses for what is missing, where one column alone fits; say where several do."""
    hints: list[str] = []
    for lacking in kind.missing(frozenset(taken) | constants):
        options = [(name, guesses.get(name, [])) for name in lacking.split(" or ")]
        columns = {column.sql_name: (name, column) for name, found in reversed(options) for column in found}
        used = {column.sql_name for column in taken.values()}
        open_columns = {key: pair for key, pair in columns.items() if key not in used}
        if len(open_columns) == 1:
            name, column = next(iter(open_columns.values()))
            taken[name] = column
            reasons[name] = GUESS
            guesses.pop(name, None)
        elif open_columns:
            headers = ", ".join(column.header for _, column in open_columns.values())
            hints.append(f"{lacking} could be {headers}")
    return tuple(hints)


def _uses(
    raw: RawTable,
    taken: Mapping[str, RawColumn],
    reasons: Mapping[str, str],
    guesses: Mapping[str, Sequence[RawColumn]],
) -> tuple[ColumnUse, ...]:
    fields = {column.sql_name: name for name, column in reversed(list(taken.items()))}
    suggested = {columns[0].sql_name: name for name, columns in reversed(list(guesses.items()))}
    uses = []
    for place, column in enumerate(raw.columns):
        name = fields.get(column.sql_name)
        values = first_values(raw, place)
        guess = None if name else suggested.get(column.sql_name)
        why = reasons[name] if name else (GUESS if guess else UNUSED)
        if name == "passed" or guess == "passed":
            binary = {text.strip() for text in first_values(raw, place, 50)} <= {"0", "1", "0.0", "1.0"}
            why = ZERO_ONE if binary and why == GUESS else why
        uses.append(ColumnUse(column.header, name, why, guess, values))
    return tuple(uses)
