"""Pairwise votes: one row a judgement between two models."""

from dataclasses import dataclass, replace
from typing import Final

import duckdb

from data.importing.formats.base import RawTable
from data.importing.kinds import cleaners, scan
from data.importing.kinds.base import Assignment, Validated
from data.importing.kinds.checking import Check, Typed, text_of, typed
from data.importing.kinds.votes_fields import EITHER, FIELDS
from data.importing.sql import fresh_name, literal
from data.rows import one_row, one_value

_MODELS: Final = ("model_a", "model_b")
_PLAIN: Final = ("benchmark", "prompt_id", "judge")
_BY_NAME: Final = {field.name: field for field in FIELDS}
#: Words for the sides, with spaces and punctuation taken out.
_WORDS_A: Final = "('a', 'modela', 'left')"
_WORDS_B: Final = "('b', 'modelb', 'right')"
_WORDS_TIE: Final = (
    "('tie', 'tied', 'draw', 'both', 'bothbad', 'bothgood', 'tiebothbad', 'neither', 'equal', 'same')"
)
#: Rounding of a rescaled preference must not make a tie a near miss.
_NEAR: Final = "1e-12"
_AMBIGUOUS: Final = "Outcome names a side and the other model"


@dataclass(frozen=True)
class _Style:
    """What the whole file says about words that could be a side or a model's name, and about positions."""

    names: bool
    words: bool
    zero_based: bool
    one_based: bool

    @property
    def settles(self) -> bool:
        """Whether such a word can be read at all."""
        return self.names != self.words


class Votes:
    """Judgements between two answers, by people or by models."""

    name: Final = "votes"
    title: Final = "Pairwise votes"
    fields: Final = FIELDS

    def missing(self, present: frozenset[str]) -> tuple[str, ...]:
        """Two models are needed, and an outcome."""
        lacking = [name for name in _MODELS if name not in present]
        if not present & {"winner", "preference"}:
            lacking.append(EITHER)
        return tuple(lacking)

    def foreign(self, headers: frozenset[str]) -> bool:  # noqa: ARG002 - the protocol's argument
        """Nothing else has two models in a row."""
        return False

    def validate(self, cursor: duckdb.DuckDBPyConnection, raw: RawTable, chosen: Assignment) -> Validated:
        """Cast and check; a vote without an outcome loads, so that it can be counted as dropped."""
        columns, checks = _columns(chosen, raw)
        scanned = scan.scan(cursor, raw, columns, checks, _kept(columns))
        style = _style(cursor, scanned.table, chosen)
        settled = _settled(cursor, scanned, style, chosen)
        rows = fresh_name("rows")
        cursor.execute(
            f"CREATE TEMP VIEW {rows} AS SELECT * EXCLUDE (position, problem, shown, shown_given), "
            f"shown AS position FROM {settled.table} WHERE problem = 0"
        )
        rejects = scan.set_aside(cursor, settled, chosen.headers, chosen.columns)
        loaded = int(one_value(cursor, f"SELECT count(*) FROM {rows}"))
        return Validated(
            rows_table=rows,
            rejects_table=rejects,
            read=scanned.read,
            loaded=loaded,
            rejected=int(one_value(cursor, f"SELECT count(*) FROM {rejects}")),
            duplicate_rows=0,
            reasons=scan.reasons_of(cursor, rejects, checks),
            warnings=_warnings(cursor, settled.table, loaded),
        )


def _columns(chosen: Assignment, raw: RawTable) -> tuple[list[Typed], tuple[Check, ...]]:
    """Columns and checks; the last check is the one that only the whole file decides."""
    columns = [
        typed(_BY_NAME[name], chosen, raw, required=name in _MODELS)
        for name in (*_MODELS, *_PLAIN)
        if name in chosen.fields
    ]
    checks = [check for column in columns for check in column.checks]
    checks.append(
        Check(
            "model_b",
            "A model stands against itself",
            "two different models",
            "Map the two models to model_a and model_b",
            "t_model_a = t_model_b",
        )
    )
    if "preference" in chosen.fields:
        columns.append(_preference(chosen, raw))
        checks += columns[-1].checks
    if "winner" in chosen.fields:
        columns += _winner(chosen, raw)
        checks += _winner_checks(chosen)
    if "position" in chosen.fields:
        text = text_of("position", chosen)
        columns.append(Typed("position", text, _position("t_position"), ()))
    checks.append(
        Check(
            "winner",
            _AMBIGUOUS,
            "a word that is no model's name, such as model_a or model_b",
            "A model is called like a side: write model_a, model_b or tie",
            "false",
        )
    )
    return columns, tuple(checks)


def _bare(text: str) -> str:
    return f"translate(lower({text}), ' _-()', '')"


def _tie_code(text: str, chosen: Assignment, raw: RawTable) -> str:
    """Whether a text is one of the tie codes of ``--set tie``: as a text, or as a number (0 and 0.0)."""
    if not chosen.ties:
        return "false"
    texts = ", ".join(literal(code.lower()) for code in chosen.ties)
    numbers = [number for code in chosen.ties if (number := _as_number(code)) is not None]
    found = f"lower({text}) IN ({texts})"
    if numbers:
        value = cleaners.number(text, decimal_comma=raw.decimal_comma)
        found += f" OR coalesce(({value}) IN ({', '.join(map(repr, numbers))}), false)"
    return f"({found})"


def _as_number(code: str) -> float | None:
    try:
        value = float(code)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None


def _is_blank(text: str) -> str:
    """Whether a cell says that nobody judged; ``nan`` is how a data frame writes it."""
    return f"({text} IS NULL OR {cleaners.is_unknown(text)} OR lower({text}) = 'nan')"


def _preference(chosen: Assignment, raw: RawTable) -> Typed:
    """0 (model A) to 1 (model B), rescaled; tie codes are told apart before."""
    text, value = "t_preference", "v_preference"
    low, high = chosen.scale or (0.0, 1.0)
    number = f"(({cleaners.number(text, decimal_comma=raw.decimal_comma)}) - ({low!r})) / ({high - low!r})"
    near = f"abs(2 * ({number}) - round(2 * ({number}))) < {_NEAR}"
    expression = (
        f"CASE WHEN {_is_blank(text)} THEN NULL WHEN {_tie_code(text, chosen, raw)} THEN 0.5 "
        f"WHEN {near} THEN round(2 * ({number})) / 2 ELSE {number} END"
    )
    checks = (
        Check(
            "preference",
            "Preference is not a number",
            "0 to 1, or a code named with --set tie=CODE",
            "Correct the cell, or leave it empty for a vote without an outcome",
            f"{value} IS NULL AND NOT {_is_blank(text)}",
        ),
        Check(
            "preference",
            f"Preference is outside {low:g} to {high:g}",
            f"{low:g} (model A) to {high:g} (model B)",
            "Give the range with --set scale=LOW..HIGH, and codes for ties with --set tie=CODE",
            f"NOT ({value} BETWEEN 0 AND 1)",
        ),
    )
    return Typed("preference", text_of("preference", chosen), expression, checks)


def _winner(chosen: Assignment, raw: RawTable) -> list[Typed]:
    """The outcome twice: read as a word for a side, and read as a model's name."""
    text = text_of("winner", chosen)
    bare = _bare("t_winner")
    word = (
        f"CASE WHEN {_tie_code('t_winner', chosen, raw)} THEN 0.5 WHEN {bare} IN {_WORDS_A} THEN 1.0 "
        f"WHEN {bare} IN {_WORDS_B} THEN 0.0 WHEN {bare} IN {_WORDS_TIE} THEN 0.5 END"
    )
    return [Typed("winner", text, word, ()), Typed("named", text, _named("t_named", "1.0", "0.0"), ())]


def _named(text: str, for_a: str, for_b: str) -> str:
    """Which of the two models a text names; capitals count only where the two differ in nothing else."""
    return (
        f"CASE WHEN {text} = t_model_a THEN {for_a} WHEN {text} = t_model_b THEN {for_b} "
        f"WHEN lower(t_model_a) = lower(t_model_b) THEN NULL WHEN lower({text}) = lower(t_model_a) "
        f"THEN {for_a} WHEN lower({text}) = lower(t_model_b) THEN {for_b} END"
    )


def _winner_checks(chosen: Assignment) -> list[Check]:
    unread = f"v_winner IS NULL AND v_named IS NULL AND NOT {_is_blank('t_winner')}"
    checks = [
        Check(
            "winner",
            "Outcome names neither model",
            "a, b, tie, left, right, both, or one of the two names",
            "Correct the cell, name codes of ties with --set tie=CODE, or leave it empty",
            unread,
        )
    ]
    if "preference" in chosen.fields:
        said = "coalesce(v_winner, v_named)"
        checks.append(
            Check(
                "preference",
                "Preference and outcome contradict each other",
                "both for one side",
                "Map one of the two columns, and give the range with --set scale=LOW..HIGH",
                f"({said} = 1 AND v_preference > 0.5) OR ({said} = 0 AND v_preference < 0.5)",
            )
        )
    return checks


def _position(text: str) -> str:
    """``a`` or ``b`` for whose answer came first; digits stay for the whole file to settle."""
    bare = _bare(text)
    number = f"try_cast({text} AS DOUBLE)"
    return (
        f"CASE WHEN {bare} IN ('a', 'modela', 'left', 'first') THEN 'a' "
        f"WHEN {bare} IN ('b', 'modelb', 'right', 'second') THEN 'b' "
        f"WHEN {number} IN (0, 1, 2) THEN CAST(CAST({number} AS TINYINT) AS VARCHAR) "
        f"ELSE {_named(text, literal('a'), literal('b'))} END"
    )


def _kept(columns: list[Typed]) -> dict[str, str]:
    present = {column.name for column in columns}
    kept: dict[str, str] = {name: f"v_{name}" for name in (*_MODELS, *_PLAIN) if name in present}
    if "preference" in present:
        kept["preference"] = "v_preference"
    if "winner" in present:
        kept["by_word"], kept["by_name"] = "v_winner", "v_named"
        exact = "(t_winner = t_model_a OR t_winner = t_model_b)"
        small = "t_winner = lower(t_winner)"
        kept["shows_word"] = f"(v_winner <> 0.5 AND (v_named IS NULL OR ({small} AND NOT {exact})))"
        kept["shows_name"] = f"(v_named IS NOT NULL AND (v_winner IS NULL OR ({exact} AND NOT {small})))"
    kept["place"], kept["shown_given"] = "CAST(NULL AS VARCHAR)", "false"
    if "position" in present:
        kept["place"] = "v_position"
        kept["shown_given"] = f"NOT coalesce({_is_blank('t_position')}, true)"
    return kept


def _style(cursor: duckdb.DuckDBPyConnection, table: str, chosen: Assignment) -> _Style:
    words = "bool_or(shows_name), bool_or(shows_word)" if "winner" in chosen.fields else "false, false"
    row = one_row(
        cursor,
        f"SELECT {words}, bool_or(place = '0'), bool_or(place = '2') FROM {table} WHERE problem = 0",
    )
    shows_name, shows_word, zero, two = (bool(value) for value in row or (None,) * 4)
    return _Style(shows_name, shows_word, zero_based=zero and not two, one_based=two and not zero)


def _settled(
    cursor: duckdb.DuckDBPyConnection, scanned: scan.Scanned, style: _Style, chosen: Assignment
) -> scan.Scanned:
    """The rows with outcome and position decided, and ``problem`` where a word stays ambiguous."""
    outcomes = []
    problem = "problem"
    hidden = ["problem", "place"]
    if "winner" in chosen.fields:
        clash = "by_word <> by_name"
        side = "by_name" if style.names else "by_word"
        outcomes.append(f"CASE WHEN {clash} THEN {side} ELSE coalesce(by_word, by_name) END")
        hidden += ["by_word", "by_name", "shows_word", "shows_name"]
        if not style.settles:
            problem = f"CASE WHEN problem = 0 AND {clash} THEN {len(scanned.checks)} ELSE problem END"
    if "preference" in chosen.fields:
        outcomes.append("1 - preference")
    view = fresh_name("settled")
    cursor.execute(
        f"CREATE TEMP VIEW {view} AS SELECT * EXCLUDE ({', '.join(hidden)}), "
        f"CAST({problem} AS SMALLINT) AS problem, "
        f"CAST(coalesce({', '.join(outcomes)}) AS DOUBLE) AS outcome, {_shown(style)} AS shown "
        f"FROM {scanned.table}"
    )
    return replace(scanned, table=view)


def _shown(style: _Style) -> str:
    """``a`` or ``b``: whose answer was shown first, NULL where nothing tells whether counting starts at 0."""
    known = "place IN ('a', 'b')"
    if style.zero_based:
        return f"CASE WHEN {known} THEN place WHEN place = '0' THEN 'a' WHEN place = '1' THEN 'b' END"
    if style.one_based:
        return f"CASE WHEN {known} THEN place WHEN place = '1' THEN 'a' WHEN place = '2' THEN 'b' END"
    return f"CASE WHEN {known} THEN place END"


def _warnings(cursor: duckdb.DuckDBPyConnection, table: str, loaded: int) -> tuple[str, ...]:
    row = one_row(
        cursor,
        "SELECT count(*) FILTER (outcome IS NULL), count(*) FILTER (shown_given AND shown IS NULL) "
        f"FROM {table} WHERE problem = 0",
    )
    dropped, lost = row or (0, 0)
    said = []
    if dropped:
        said.append(f"{dropped:,} of {loaded:,} votes have no outcome: counted as dropped")
    if lost:
        said.append(
            f"the position of {lost:,} votes cannot be read; write whose answer was shown first, a or b"
        )
    return tuple(said)
