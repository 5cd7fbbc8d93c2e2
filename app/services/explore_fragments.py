"""The fragments of mma.sync m16n8k16: which lane and register holds which element of A, B and C."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.analysis.mma_fragment import WARP, K, M, N, a_elements, b_elements, c_elements


class Operand(StrEnum):
    """A matrix of D = A B + C; D lies as C does."""

    A = "a"
    B = "b"
    C = "c"


@dataclass(frozen=True)
class Held:
    """One element: its place in the matrix, the lane that holds it, its place among the lane's elements."""

    row: int
    column: int
    lane: int
    element: int
    register_index: int


@dataclass(frozen=True)
class Fragment:
    """A matrix spread over the 32 lanes; `held` row by row, each element once."""

    operand: Operand
    rows: int
    columns: int
    element_bytes: int
    held: tuple[Held, ...]

    @property
    def elements_per_lane(self) -> int:
        """Elements that each lane holds."""
        return self.rows * self.columns // WARP


@dataclass(frozen=True)
class _Layout:
    rows: int
    columns: int
    element_bytes: int
    elements: Callable[[int], tuple[tuple[int, int], ...]]


REGISTER_BYTES = 4
_LAYOUTS: Mapping[Operand, _Layout] = {
    Operand.A: _Layout(M, K, 2, a_elements),
    Operand.B: _Layout(K, N, 2, b_elements),
    Operand.C: _Layout(M, N, 4, c_elements),
}


def fragment(operand: Operand) -> Fragment:
    """The map of one matrix."""
    layout = _LAYOUTS[operand]
    held = (
        Held(row, column, lane, element, element * layout.element_bytes // REGISTER_BYTES)
        for lane in range(WARP)
        for element, (row, column) in enumerate(layout.elements(lane))
    )
    return Fragment(
        operand,
        layout.rows,
        layout.columns,
        layout.element_bytes,
        tuple(sorted(held, key=lambda one: (one.row, one.column))),
    )


def fragments() -> tuple[Fragment, ...]:
    """The maps of A, B and C."""
    return tuple(fragment(operand) for operand in Operand)
