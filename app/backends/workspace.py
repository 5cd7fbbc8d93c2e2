"""The arrays that all stages of one problem, size and dtype share, on the host or on the device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from app.backends.correctness import Comparison, compare
from app.backends.drawing import draw_normal
from app.backends.elements import ELEMENTS, Element
from app.domain.errors import OutOfMemoryFailure, StageFailure
from app.domain.measurement import Correctness
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.problem import Problem, needed_bytes


class Workspace:
    """Tensors by name in the problem's order, and the last reference.

    `xp` is the array module; `draw(array, seed)` fills an array from N(0, 1).
    """

    def __init__(
        self,
        xp: Any,  # noqa: ANN401 - NumPy or CuPy, which have no common type
        problem: Problem,
        size: Size,
        dtype: Dtype,
        draw: Callable[[Any, int], None],
    ) -> None:
        self._xp = xp
        self._problem = problem
        self._size = size
        self._dtype = dtype
        self._tolerance = problem.tolerance(size, dtype)
        self._draw = draw
        tensors = problem.tensors(size)
        self._elements: dict[str, Element] = {t.name: ELEMENTS[t.dtype or dtype] for t in tensors}
        self.arrays: dict[str, Any] = {
            t.name: xp.empty(t.shape, self._elements[t.name].stored) for t in tensors
        }
        self._inputs = {t.name: self.arrays[t.name] for t in tensors if not t.is_output}
        self._outputs = {t.name: self.arrays[t.name] for t in tensors if t.is_output}
        self._reference: tuple[int, Mapping[str, Any]] | None = None

    def check(self, launch: Callable[[], None], seed: int) -> Correctness:
        """Draw the inputs, poison the outputs with NaN, launch once and compare with the float64 reference.

        Inputs are drawn again for every stage, so that one which writes over them spoils no other.
        """
        self.draw_inputs(seed)
        if self._reference is None or self._reference[0] != seed:
            self._reference = None  # the old one is freed before the new one is made
            values = self._values(self._inputs)
            self._reference = (seed, self._problem.reference(self._xp, values, self._size))
        for name, array in self._outputs.items():
            array.fill(self._elements[name].poison)
        launch()
        found = compare(self._xp, self._values(self._outputs), self._reference[1], self._tolerance)
        return self._correctness(found, seed)

    def check_on_host(self, launch: Callable[[], None], seed: int) -> Correctness:
        """As `check`, but NumPy draws, computes the reference and compares; the device sees copies alone.

        For tools that instrument every kernel of a process: no kernel but the stage's own is launched.
        """
        host = Workspace(np, self._problem, self._size, self._dtype, draw_normal)

        def copy_and_launch() -> None:
            for name, array in self.arrays.items():
                array.set(host.arrays[name])
            launch()
            for name in self._outputs:
                self.arrays[name].get(out=host.arrays[name])

        return host.check(copy_and_launch, seed)

    def draw_inputs(self, seed: int) -> None:
        """Fill every input with fresh values: N(0, 1), or what the problem draws itself."""
        declared = self._problem.draw(self._xp, self._size, seed) if self._problem.draw else {}
        for offset, (name, array) in enumerate(self._inputs.items()):
            element = self._elements[name]
            if name in declared:
                array[...] = element.encode(self._xp, declared[name])
                self._refuse_zeros(name, array)
            elif element.is_encoded:
                values = self._xp.empty(array.shape, self._xp.float32)
                self._draw(values, seed + offset)
                array[...] = element.encode(self._xp, values)
            else:
                self._draw(array, seed + offset)

    def _values(self, arrays: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self._elements[name].decode(self._xp, array) for name, array in arrays.items()}

    def _refuse_zeros(self, name: str, array: Any) -> None:  # noqa: ANN401
        may_be_zero = array.dtype.kind == "i"  # indices and counts
        if not may_be_zero and not bool(array.any()):
            raise StageFailure(
                f"The input {name} is all zeros: a wrong kernel would look right, and zeros take less "
                "power and hold a higher clock than real data. Draw random inputs."
            )

    def _correctness(self, found: Comparison, seed: int) -> Correctness:
        return Correctness(
            passed_before=found.passed,
            passed_after=None,
            max_relative_error=found.max_relative_error,
            tolerance=self._tolerance,
            reference=self._problem.reference_description,
            detail="" if found.passed else f"{found.detail} (seed {seed})",
        )


def require_memory(problem: Problem, size: Size, dtype: Dtype, free_bytes: int) -> None:
    """OutOfMemoryFailure, before anything is allocated, where the check would not fit."""
    needed = needed_bytes(problem, size, dtype)
    if needed > free_bytes:
        raise OutOfMemoryFailure(
            f"Needs {needed:,} bytes with its float64 reference, {free_bytes:,} are free: "
            "choose a smaller size or free memory."
        )
