"""What a rule says of a kernel: a fault with its evidence and cure, or why there is none to name."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.domain.vocabulary import Provenance


class FindingVerdict(StrEnum):
    """How a rule ended; each is a result."""

    FOUND = "found"
    CLEAR = "clear"
    NOT_APPLICABLE = "not_applicable"  # the kernel does no such thing, or what decides was not collected
    ERROR = "error"  # the rule itself failed


class Severity(StrEnum):
    """How much a finding matters, by what its cure may bring."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFORMATION = "information"  # nothing to cure: what the kernel is bound by, or a state of the device


class GainScope(StrEnum):
    """What gets faster: the whole kernel, or one unit, of which the kernel need not profit."""

    KERNEL = "kernel"
    UNIT = "unit"


@dataclass(frozen=True, slots=True)
class ExpectedGain:
    """Upper bound of a cure's speed-up (time before over time after), within what the roofs allow."""

    speed_up: float
    scope: GainScope
    formula: str


@dataclass(frozen=True, slots=True)
class EvidenceValue:
    """A number that a finding rests on. source: metric, formula, compiler or roof."""

    name: str
    value: float
    unit: str
    provenance: Provenance
    source: str = ""


@dataclass(frozen=True, slots=True)
class StageLink:
    """A stage of the product that shows the cure."""

    problem: str
    stage: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one rule. severity and gain: of findings only. message: a sentence with the numbers."""

    rule: str
    title: str
    verdict: FindingVerdict
    message: str
    advice: str = ""
    severity: Severity | None = None
    evidence: tuple[EvidenceValue, ...] = ()
    gain: ExpectedGain | None = None
    cure: StageLink | None = None
