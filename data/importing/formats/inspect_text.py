"""Text from a log, made harmless: whole characters, one line, bounded length."""

import hashlib
import math
from collections.abc import Mapping
from typing import Any

ID_CHARACTERS = 300
TEXT_CHARACTERS = 2000


def clean(value: Any) -> str:
    """``value`` as text that a database and a page can hold.

    Half surrogates become a replacement sign, control characters become blanks, True and False become lower
    case, a float that is whole stays as it is written; text beyond ``TEXT_CHARACTERS`` is cut.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    text = str(value)[: TEXT_CHARACTERS + 1]
    text = text.encode("utf-8", "replace").decode("utf-8")
    text = "".join(sign if sign.isprintable() else " " for sign in text).strip()
    return text if len(text) <= TEXT_CHARACTERS else text[:TEXT_CHARACTERS] + "…"


def identifier(value: Any) -> str:
    """``value`` as an id: like :func:`clean`; a long one is cut and ends in a hash, so that two stay two."""
    text = clean(value)
    whole = str(value)
    if len(whole) <= ID_CHARACTERS:
        return text
    return f"{text[: ID_CHARACTERS - 20]}…{hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:16]}"


def path_value(record: Mapping[str, Any], path: str) -> Any:
    """The scalar at a dotted path such as ``metadata.source.repo``; None where there is none.

    A key that itself contains dots is found too: the longest key that fits is taken at each step.
    """
    here: Any = record
    parts = path.split(".")
    while parts:
        if not isinstance(here, Mapping):
            return None
        for taken in range(len(parts), 0, -1):
            key = ".".join(parts[:taken])
            if key in here:
                here, parts = here[key], parts[taken:]
                break
        else:
            return None
    return None if isinstance(here, (dict, list)) else here
