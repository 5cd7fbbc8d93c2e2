"""Where the lanes of a warp point: stride, offset, rows with padding, swizzle -> a byte address a lane.

Lane i names element i * stride of an array of rows: it lies in row (i * stride) // pitch and column
(i * stride) % pitch, and rows begin pitch + padding elements apart. A column of `float tile[32][33]` is a
stride of 32 in rows of 32 with a padding of 1. Without a pitch the array is one long row. Source: L22 §4
and §7.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.swizzle import TMA_BITS, Swizzle, tma_address, xor_column
from app.domain.errors import InvalidInputError

WARP = 32
ELEMENT_BYTES = (1, 2, 4, 8, 16)  # what one lane can load in one instruction on every architecture


@dataclass(frozen=True)
class AccessPattern:
    """One request of a warp. `row_pitch_elements` 0: no rows; padding stands at the end of each row.

    Raises InvalidInputError for what hardware refuses or the model does not know, with the field's name.
    """

    element_bytes: int = 4
    stride_elements: int = 1
    offset_bytes: int = 0
    lanes: int = WARP
    row_pitch_elements: int = 0
    padding_elements: int = 0
    swizzle: Swizzle = Swizzle.NONE

    def __post_init__(self) -> None:
        _check_elements(self)
        _check_rows(self)

    @property
    def addresses(self) -> tuple[int, ...]:
        """Byte address of each active lane, from a base that every alignment divides."""
        return tuple(self._address(lane * self.stride_elements) for lane in range(self.lanes))

    def _address(self, element: int) -> int:
        row, column = divmod(element, self.row_pitch_elements) if self.row_pitch_elements else (0, element)
        if self.swizzle is Swizzle.XOR:
            column = xor_column(row, column, self.row_pitch_elements)
        place = row * (self.row_pitch_elements + self.padding_elements) + column
        address = self.offset_bytes + place * self.element_bytes
        return tma_address(address, self.swizzle) if self.swizzle in TMA_BITS else address


def _check_elements(pattern: AccessPattern) -> None:
    if pattern.element_bytes not in ELEMENT_BYTES:
        raise InvalidInputError(
            f"A lane cannot load {pattern.element_bytes} bytes at once, so the request does not exist. "
            f"Choose {', '.join(map(str, ELEMENT_BYTES))}.",
            field="element_bytes",
        )
    if not 1 <= pattern.lanes <= WARP:
        raise InvalidInputError(
            f"{pattern.lanes} active lanes are no request of a warp. Choose 1 to {WARP}.", field="lanes"
        )
    for field in ("stride_elements", "offset_bytes", "row_pitch_elements", "padding_elements"):
        if getattr(pattern, field) < 0:
            raise InvalidInputError(
                f"{field} is {getattr(pattern, field)}, but lanes count from the base up. Give 0 or more.",
                field=field,
            )
    if pattern.offset_bytes % pattern.element_bytes:
        raise InvalidInputError(
            f"An offset of {pattern.offset_bytes} bytes is no multiple of the {pattern.element_bytes}-byte "
            f"element, and hardware refuses such addresses. Use a multiple of {pattern.element_bytes}.",
            field="offset_bytes",
        )


def _check_rows(pattern: AccessPattern) -> None:
    pitch = pattern.row_pitch_elements
    if pattern.padding_elements and not pitch:
        raise InvalidInputError(
            "Padding stands at the end of rows, and this array has none. Give a row pitch.",
            field="padding_elements",
        )
    if pattern.swizzle is Swizzle.XOR and (not pitch or pitch & (pitch - 1)):
        raise InvalidInputError(
            f"An XOR swizzle exchanges the columns of rows that hold a power of two of them, not {pitch}. "
            "Give such a row pitch, 32 for instance.",
            field="row_pitch_elements",
        )
    if pattern.swizzle in TMA_BITS and pattern.padding_elements:
        raise InvalidInputError(
            "The copy engine writes its rows without padding: the swizzle stands in its place. "
            "Set the padding to 0.",
            field="padding_elements",
        )
