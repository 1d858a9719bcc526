"""Messages of the layers below as a page says them."""

import re


def without_flags(message: str) -> str:
    """A message without its advice for the command line, which a page has controls for."""
    plain = re.sub(r" ?\(--[^)]*\)", "", message)
    clauses = plain.split("; ")
    while len(clauses) > 1 and "--" in clauses[-1]:
        clauses.pop()
    return "; ".join(clauses)
