"""Which lane holds which element in mma.sync m16n8k16 with half-precision operands.

PTX ISA, "Matrix fragments for mma.m16n8k16 with floating-point type": lane / 4 is the group, lane % 4 the
place in it. A is 16 x 16, B 16 x 8 and C 16 x 8; a warp of 32 lanes holds each operand once.
"""

from __future__ import annotations

from app.domain.errors import InvalidInputError

WARP = 32
M, N, K = 16, 8, 16
GROUP = 4  # lanes that share a row of A and C
HALF_ROWS = 8
HALF_COLUMNS = 8


def a_elements(lane: int) -> tuple[tuple[int, int], ...]:
    """(row, column) of the 8 halves of A that a lane holds, in register order."""
    group, place = _group(lane)
    return tuple(
        (group + HALF_ROWS * (index // 2 % 2), 2 * place + index % 2 + HALF_COLUMNS * (index // 4))
        for index in range(M * K // WARP)
    )


def b_elements(lane: int) -> tuple[tuple[int, int], ...]:
    """(row, column) of the 4 halves of B that a lane holds, in register order."""
    group, place = _group(lane)
    return tuple((2 * place + index % 2 + HALF_ROWS * (index // 2), group) for index in range(K * N // WARP))


def c_elements(lane: int) -> tuple[tuple[int, int], ...]:
    """(row, column) of the 4 floats of C that a lane holds, in register order."""
    group, place = _group(lane)
    return tuple((group + HALF_ROWS * (index // 2), 2 * place + index % 2) for index in range(M * N // WARP))


def _group(lane: int) -> tuple[int, int]:
    if not 0 <= lane < WARP:
        raise InvalidInputError(
            f"Lane {lane} does not exist, so it holds nothing. A warp has lanes 0 to 31.", field="lane"
        )
    return divmod(lane, GROUP)
