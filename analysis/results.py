"""What every analysis returns beside its numbers."""

from dataclasses import dataclass
from typing import Literal

Status = Literal["good", "caution", "bad", "undecided", "unknown"]

#: Order in which findings are listed: what stops a decision comes first.
STATUS_ORDER: tuple[Status, ...] = ("bad", "caution", "good", "undecided", "unknown")


@dataclass(frozen=True)
class Finding:
    """One plain sentence with numbers and units, how it bears on the decision, and why.

    ``undecided`` means the data do not settle it, ``unknown`` that the data are missing.
    """

    status: Status
    text: str
    reason: str = ""


def ordered(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Findings in the order bad, caution, good, undecided, unknown; ties keep their order."""
    return tuple(sorted(findings, key=lambda finding: STATUS_ORDER.index(finding.status)))
