"""Is the output right? A wrong kernel has no speed.

Inputs are drawn anew for each check, outputs poisoned with NaN before the launch, and every element is
compared with a float64 reference. Works on NumPy and CuPy arrays through the array module `xp`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Comparison:
    """Largest absolute error over the largest absolute reference; None when an element is not a number."""

    passed: bool
    max_relative_error: float | None
    detail: str = ""


def poison(outputs: Mapping[str, Any]) -> None:
    """Fill with NaN, so that an element nobody writes is found."""
    for array in outputs.values():
        array.fill(np.nan)


def compare(
    xp: Any,  # noqa: ANN401 - the array module, NumPy or CuPy, has no common type
    outputs: Mapping[str, Any],
    reference: Mapping[str, Any],
    tolerance: float,
) -> Comparison:
    """Compare every output with its reference, in the order of `outputs`.

    The error is scaled by the largest absolute value of that output's reference (by 1 where it is zero).
    """
    worst = 0.0
    for name, output in outputs.items():
        found = _compare_one(xp, name, output, reference[name], tolerance)
        if not found.passed or found.max_relative_error is None:
            return found
        worst = max(worst, found.max_relative_error)
    return Comparison(True, worst)


def _compare_one(
    xp: Any,  # noqa: ANN401
    name: str,
    output: Any,  # noqa: ANN401
    reference: Any,  # noqa: ANN401
    tolerance: float,
) -> Comparison:
    if output.shape != reference.shape:
        raise ValueError(f"{name} has shape {output.shape}, its reference {reference.shape}")
    finite = xp.isfinite(output)
    if not bool(finite.all()):
        count = int(output.size - finite.sum())
        where, value = _first(xp, ~finite, output)
        written = "was not written" if np.isnan(value) else f"is {value}"
        detail = f"{name}{where} {written}; {count} of {output.size} elements are not finite"
        return Comparison(False, None, detail)
    scale = float(xp.abs(reference).max()) or 1.0
    error = xp.abs(output.astype(np.float64) - reference)
    error /= scale
    worst = float(error.max())
    if worst <= tolerance:
        return Comparison(True, worst)
    where, value = _first(xp, error > tolerance, output)
    _, expected = _first(xp, error > tolerance, reference)
    count = int((error > tolerance).sum())
    detail = f"{name}{where} is {value:.9g}, should be {expected:.9g}; {count} of {output.size} are off"
    return Comparison(False, worst, detail)


def _first(xp: Any, mask: Any, values: Any) -> tuple[list[int], float]:  # noqa: ANN401
    """Index (row-major order) and value of the first element under the mask."""
    flat = int(xp.argmax(mask.ravel()))
    index = [int(i) for i in np.unravel_index(flat, mask.shape)]
    return index, float(values.ravel()[flat])
