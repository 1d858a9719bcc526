"""One way to write a value as JSON text, so that the text of two equal values is equal."""

import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Keys sorted, no spaces, no escapes beyond JSON's own, never NaN or Infinity.

    Raises:
        ValueError: the value holds NaN or Infinity.
        TypeError: the value holds something JSON has no word for.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
