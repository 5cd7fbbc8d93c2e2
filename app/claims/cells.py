"""Names the cells of the memory lab that claims cite, at the sizes that its suite measures."""

from __future__ import annotations

from app.claims.published import Cell
from app.domain.size import Size
from app.kernels.registry import problem


def lab(problem_name: str, stage: str, **size: int) -> Cell:
    """The cell at the first suite size that has these values, in the problem's first cache state and type.

    Raises LookupError where no suite measures such a size.
    """
    found = problem(problem_name)
    for candidate in found.suite_sizes:
        if size.items() <= candidate.as_dict().items():
            return Cell(problem_name, stage, candidate, found.caches[0], found.dtypes[0])
    raise LookupError(f"No suite measures {problem_name} at {Size.of(**size).key}. Cite a suite size.")
