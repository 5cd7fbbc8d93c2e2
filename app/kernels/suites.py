"""Named collections of problems that one job measures at each problem's own sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import NotFoundError
from app.domain.vocabulary import ProblemKind
from app.kernels.registry import problems


@dataclass(frozen=True)
class Suite:
    """What is measured together. The ceilings are measured with every job."""

    name: str
    title: str
    question: str
    kinds: tuple[ProblemKind, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """Its problems that state suite sizes, in name order."""
        return tuple(p.name for p in problems().values() if p.kind in self.kinds and p.suite_sizes)


_LAB = (ProblemKind.EXPERIMENT, ProblemKind.HIERARCHY)
SUITES: Sequence[Suite] = (
    Suite("memory_lab", "Memory lab", "What does each way to move data cost on this device?", _LAB),
    Suite(
        "diagnosis_pairs", "Diagnosis pairs", "What does each classic fault cost here?", (ProblemKind.PAIR,)
    ),
    Suite("traps", "Traps", "Does the product catch what fools a benchmark?", (ProblemKind.TRAP,)),
    Suite(
        "everything",
        "Everything",
        "What does this device do, beyond its ladders?",
        (*_LAB, ProblemKind.PAIR, ProblemKind.TRAP),
    ),
)


def suite_of(problem_names: Sequence[str]) -> Suite | None:
    """The suite that has exactly these problems, or None."""
    return next((s for s in SUITES if s.problems and set(s.problems) == set(problem_names)), None)


def suite(name: str) -> Suite:
    """The suite of that name. Raises NotFoundError, naming those that exist."""
    for candidate in SUITES:
        if candidate.name == name:
            return candidate
    known = ", ".join(s.name for s in SUITES)
    raise NotFoundError(f"No suite is called {name!r}. Known: {known}.", field="suite")
