"""Text from files made harmless for drawing: names may hold markup, formulas or control characters."""

import html
import textwrap
import unicodedata
from collections.abc import Sequence

_ELLIPSIS = "…"


def plain(text: str) -> str:
    """One line of visible text: white space collapsed, control and direction characters dropped."""
    visible = (c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    return " ".join("".join(visible).split())


def shortened(text: str, most: int) -> str:
    """At most ``most`` characters, cut in the middle: names of models differ at either end."""
    if len(text) <= most:
        return text
    tail = (most - 1) * 2 // 5
    return text[: most - 1 - tail] + _ELLIPSIS + text[len(text) - tail :]


def shortened_apart(texts: Sequence[str], most: int) -> list[str]:
    """Every text shortened, longer where two different texts would otherwise read alike."""
    lengths = dict.fromkeys(texts, most)
    while True:
        readers: dict[str, set[str]] = {}
        for text, length in lengths.items():
            readers.setdefault(shortened(text, length), set()).add(text)
        alike = {text for group in readers.values() if len(group) > 1 for text in group}
        if not alike:
            return [shortened(text, lengths[text]) for text in texts]
        for text in alike:
            lengths[text] += 4


def inert(text: str) -> str:
    """Plain text for Plotly, which would read tags as markup and ``$...$`` as a formula."""
    return html.escape(plain(text), quote=False).replace("$", "&#36;")


def wrapped(text: str, width: int = 60) -> str:
    """Plain text for a Plotly hover, broken into lines of at most ``width`` characters."""
    return "<br>".join(inert(line) for line in textwrap.wrap(plain(text), width))
