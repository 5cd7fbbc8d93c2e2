"""Named collections of problems that one job measures at each problem's own sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.errors import NotFoundError
from app.domain.run import Selection
from app.domain.vocabulary import BackendName, ProblemKind
from app.kernels.registry import problems, stages


@dataclass(frozen=True)
class Suite:
    """What is measured together. The ceilings are measured with every job."""

    name: str
    title: str
    kinds: tuple[ProblemKind, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """Its problems that state suite sizes, in name order."""
        return tuple(p.name for p in problems().values() if p.kind in self.kinds and p.suite_sizes)

    def problems_on(self, backend: BackendName) -> tuple[str, ...]:
        """Those that have a stage on the backend: what a job of this suite measures there."""
        return tuple(name for name in self.problems if stages(name, backend))


_LAB = (ProblemKind.EXPERIMENT, ProblemKind.HIERARCHY)
SUITES: Sequence[Suite] = (
    Suite("memory_lab", "Memory lab", _LAB),
    Suite("quantisation", "Tiles, waves and slices", (ProblemKind.QUANTISATION,)),
    Suite("diagnosis_pairs", "Diagnosis pairs", (ProblemKind.PAIR,)),
    Suite("traps", "Traps", (ProblemKind.TRAP,)),
    Suite(
        "everything",
        "Everything but ladders",
        (*_LAB, ProblemKind.QUANTISATION, ProblemKind.PAIR, ProblemKind.TRAP),
    ),
)


def suite_of(selection: Selection) -> Suite | None:
    """The suite that this selection was made of: all its problems on the backend, at their own sizes."""
    if selection.sizes or selection.stages or selection.scan or not selection.problems:
        return None
    asked = set(selection.problems)
    return next((s for s in SUITES if set(s.problems_on(selection.backend)) == asked), None)


def suite(name: str) -> Suite:
    """The suite of that name. Raises NotFoundError, naming those that exist."""
    for candidate in SUITES:
        if candidate.name == name:
            return candidate
    known = ", ".join(s.name for s in SUITES)
    raise NotFoundError(f"No suite is called {name!r}. Known: {known}.", field="suite")
