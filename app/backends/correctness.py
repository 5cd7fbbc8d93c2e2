"""Is the output right? A wrong kernel has no speed.

Inputs are drawn anew for each check, outputs filled with NaN before the launch (see `workspace`), and every
element is compared with a float64 reference. Works on NumPy and CuPy arrays through the array module `xp`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

# Elements of one part: its temporaries stay in the CPU's caches; on a GPU each part costs a wait instead.
_PART_ON_HOST, _PART_ON_DEVICE = 1 << 18, 1 << 26


@dataclass(frozen=True)
class Comparison:
    """Largest absolute error over the largest absolute reference; None when an element is not a number."""

    passed: bool
    max_relative_error: float | None
    detail: str = ""


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
    scale = max(abs(float(reference.max())), abs(float(reference.min()))) or 1.0
    worst = _largest_error(xp, output.ravel(), reference.ravel()) / scale
    if worst <= tolerance:
        return Comparison(True, worst)
    if math.isfinite(worst):
        return Comparison(False, worst, _first_off(xp, name, output, reference, tolerance * scale))
    return Comparison(False, None, _first_not_finite(xp, name, output))


def _largest_error(xp: Any, output: Any, reference: Any) -> float:  # noqa: ANN401
    """Largest absolute difference, NaN when one is NaN; in parts, since temporaries of all would be large."""
    worst = 0.0
    length = _PART_ON_HOST if xp is np else _PART_ON_DEVICE
    for start in range(0, output.size, length):
        part = slice(start, start + length)
        error = float(xp.abs(xp.subtract(output[part], reference[part])).max())
        if not math.isfinite(error):
            return error
        worst = max(worst, error)
    return worst


def _first_not_finite(xp: Any, name: str, output: Any) -> str:  # noqa: ANN401
    bad = ~xp.isfinite(output)
    where, value = _first(xp, bad, output)
    written = "was not written" if math.isnan(value) else f"is {value}"
    return f"{name}{where} {written}; {int(bad.sum())} of {output.size} elements are not finite"


def _first_off(xp: Any, name: str, output: Any, reference: Any, allowed: float) -> str:  # noqa: ANN401
    bad = xp.abs(xp.subtract(output, reference)) > allowed
    where, value = _first(xp, bad, output)
    _, expected = _first(xp, bad, reference)
    return (
        f"{name}{where} is {value:.9g}, should be {expected:.9g}; {int(bad.sum())} of {output.size} are off"
    )


def _first(xp: Any, mask: Any, values: Any) -> tuple[list[int], float]:  # noqa: ANN401
    """Index (row-major order) and value of the first element under the mask."""
    flat = int(xp.argmax(mask.ravel()))
    index = [int(i) for i in np.unravel_index(flat, mask.shape)]
    return index, float(values.ravel()[flat])
