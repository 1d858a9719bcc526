"""Small pieces of SQL text. Values are bound where DuckDB allows it; names and paths are quoted here."""

import secrets
from pathlib import Path


def identifier(name: str) -> str:
    """A column or table name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str | Path) -> str:
    """A text or path in single quotes, for places that take no parameter, such as views."""
    return "'" + str(text).replace("'", "''") + "'"


def fresh_name(stem: str) -> str:
    """A temporary table name nobody else uses; plain letters, digits and underscores."""
    return f"{stem}_{secrets.token_hex(6)}"
