"""The result of a checklist on one kernel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.finding import EvidenceValue


class CheckVerdict(StrEnum):
    """How an item ended; not applicable: the kernel does no such thing, or what decides is not known."""

    PASS = "pass"
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One item. text: what the lecture asks for; message: what was found, with the numbers."""

    name: str
    text: str
    verdict: CheckVerdict
    message: str
    evidence: tuple[EvidenceValue, ...] = ()


@dataclass(frozen=True, slots=True)
class ChecklistResult:
    """A checklist with its items in the lecture's order. source: "L22 §8"."""

    source: str
    title: str
    results: tuple[CheckResult, ...]

    def count(self, verdict: CheckVerdict) -> int:
        """Items that ended so."""
        return sum(result.verdict is verdict for result in self.results)
