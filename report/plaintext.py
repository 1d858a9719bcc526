"""Text from files and people, made safe to place on one line of any document."""

import re

#: Control characters, and the marks that reorder the letters after them (a name could pose as another).
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_SPACE = re.compile(r"\s+")


def one_line(text: str) -> str:
    """``text`` on one line: white space becomes single spaces, what cannot be printed U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", _SPACE.sub(" ", text)).strip()


def sentence(text: str, *, keep: bool = False) -> str:
    """``text`` with a capital first letter (``keep``: the letter it has) and an end mark."""
    line = one_line(text)
    if not line:
        return line
    return (line[0] if keep else line[0].upper()) + line[1:] + ("" if line[-1] in ".!?…" else ".")
