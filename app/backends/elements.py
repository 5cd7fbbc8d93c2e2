"""How each element type lies in an array. NumPy and CuPy have no bfloat16: it travels as its bit pattern.

Every function takes the array module `xp`, NumPy or CuPy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.domain.vocabulary import Dtype

_QUIET_NAN = 0x7FC0
_HALF_BELOW = 0x7FFF  # half a unit of the 16 bits kept, less one: ties go to the even neighbour


def _as_stored(xp: Any, values: Any) -> Any:  # noqa: ANN401 - the array module has no common type
    return values


def _rounded_to_bfloat16(xp: Any, values: Any) -> Any:  # noqa: ANN401
    """The nearest bfloat16 of each float32, ties to even, as uint16 patterns."""
    bits = values.astype(np.float32, copy=False).view(np.uint32)
    last_kept = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = ((bits + (last_kept + np.uint32(_HALF_BELOW))) >> np.uint32(16)).astype(np.uint16)
    return xp.where(xp.isnan(values), np.uint16(_QUIET_NAN), rounded)


def _bfloat16_values(xp: Any, patterns: Any) -> Any:  # noqa: ANN401
    """The values of uint16 patterns, exact in float32."""
    return (patterns.astype(np.uint32) << np.uint32(16)).view(np.float32)


@dataclass(frozen=True)
class Element:
    """One element type: what an array holds of it, what fills an output nobody has written yet.

    encode(xp, values) gives what to store of floating-point values; decode(xp, stored) gives the values.
    """

    stored: type[np.generic]
    poison: float
    encode: Callable[[Any, Any], Any] = _as_stored
    decode: Callable[[Any, Any], Any] = _as_stored

    @property
    def is_encoded(self) -> bool:
        """Whether what is stored is not the value itself."""
        return self.decode is not _as_stored


ELEMENTS: Mapping[Dtype, Element] = {
    Dtype.FLOAT32: Element(np.float32, np.nan),
    Dtype.FLOAT16: Element(np.float16, np.nan),
    Dtype.BFLOAT16: Element(np.uint16, _QUIET_NAN, _rounded_to_bfloat16, _bfloat16_values),
    Dtype.INT32: Element(np.int32, np.iinfo(np.int32).min),
}
