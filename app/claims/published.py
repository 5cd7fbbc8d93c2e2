"""The contract of a claim: a published figure or statement with its source, its rule, and where to look.

A module of this package that defines `CLAIMS`, a tuple, is on the page; nothing else is edited.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.claims.rules import Rule
from app.domain.evidence import DeviceEvidence
from app.domain.measurement import CellKey
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, Provenance, Verdict


class Section(StrEnum):
    """Where the claim stands in the material."""

    MATMUL = "matmul_ladder"
    MEMORY = "memory_experiments"
    HIERARCHY = "memory_hierarchy"
    MODELS = "models"
    CHECKLISTS = "checklists"
    INCIDENTS = "incidents"
    TENSOR = "tensor_cores"
    STATEMENTS = "statements"
    QUESTIONS = "open_questions"


class Quantity(StrEnum):
    """What a claim's value is, in SI units; fractions are 0 to 1."""

    FACTOR = "factor"
    FRACTION = "fraction"
    CHANGE = "change"  # a fraction with its sign: +0.15 is 15 % more
    BYTES_PER_S = "bytes_per_s"
    FLOP_PER_S = "flop_per_s"
    FLOP_PER_BYTE = "flop_per_byte"
    SECONDS = "seconds"
    BYTES = "bytes"
    CAPACITY = "capacity"  # bytes of a memory, in powers of two
    COUNT = "count"
    CYCLES = "cycles"


@dataclass(frozen=True)
class Cell:
    """A cell that evidence is taken from."""

    problem: str
    stage: str
    size: Size
    cache: CacheState = CacheState.COLD
    dtype: Dtype = Dtype.FLOAT32

    @property
    def key(self) -> CellKey:
        """The cell without its cache state."""
        return CellKey(self.problem, self.stage, self.size, self.dtype)


@dataclass(frozen=True)
class Found:
    """A value on a device: where it comes from, how it came about, and the runs that hold the numbers."""

    value: float
    provenance: Provenance
    basis: str
    run_ids: tuple[int, ...] = ()
    imported: bool = False


@dataclass(frozen=True)
class Missing:
    """Why there is no value, and what would give one."""

    reason: str
    remedy: str


class Look(Protocol):
    """Finds a claim's value in the evidence of a device."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells it needs."""
        ...

    def __call__(self, evidence: DeviceEvidence) -> Found | Missing:
        """The value, or why there is none."""
        ...


@dataclass(frozen=True)
class PublishedClaim:
    """One figure or statement. `quantity` is that of the value found, and of `claimed` where it is a number.

    claimed: the figure in SI units, or the printed words where it is no single number. said_of: the device
    it was said of. compared: what is held against it here, in words.
    """

    id: str
    section: Section
    statement: str
    source: str
    said_of: str
    claimed: float | str
    quantity: Quantity
    rule: Rule
    look: Look
    compared: str


def published(
    slug: str,
    statement: str,
    source: str,
    claimed: float | str,
    quantity: Quantity,
    rule: Rule,
    look: Look,
    compared: str,
    *,
    section: Section,
    said_of: str,
) -> PublishedClaim:
    """A claim in the order in which one reads it: what is said and where, the figure, its test."""
    return PublishedClaim(slug, section, statement, source, said_of, claimed, quantity, rule, look, compared)


@dataclass(frozen=True)
class Judged:
    """A claim with what was found on a device and its verdict."""

    claim: PublishedClaim
    found: Found | Missing
    verdict: Verdict

    @property
    def is_found(self) -> bool:
        """Whether there is a value."""
        return isinstance(self.found, Found)


def judge(claim: PublishedClaim, evidence: DeviceEvidence) -> Judged:
    """Look for the claim's value on the device and apply its rule."""
    found = claim.look(evidence)
    if isinstance(found, Missing):
        return Judged(claim, found, Verdict.NOT_MEASURABLE)
    return Judged(claim, found, claim.rule.verdict(found.value))
