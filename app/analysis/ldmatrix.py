"""Wavefronts of ldmatrix: 8, 16 or 32 lanes each name a row of 16 bytes; 8 rows are a matrix of 8 x 8 halves.

A matrix is 128 bytes, so one wavefront serves it where its 8 rows lie in different banks. Source: PTX ISA,
"Warp-level matrix load instruction: ldmatrix" (.x1, .x2, .x4; each row address aligned to 16 bytes).
"""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.bank_conflicts import wavefronts
from app.domain.errors import InvalidInputError

ROW_BYTES = 16
ROWS = 8
ADDRESSES = (8, 16, 32)  # .x1, .x2, .x4


def ldmatrix_wavefronts(row_addresses: Sequence[int]) -> int:
    """Passes that one ldmatrix needs, the number of matrices where nothing conflicts.

    Raises InvalidInputError unless 8, 16 or 32 row addresses are given, each a multiple of 16 bytes.
    """
    if len(row_addresses) not in ADDRESSES:
        raise InvalidInputError(
            f"{len(row_addresses)} row addresses make no ldmatrix, which takes 8, 16 or 32. "
            "Give 8 for each matrix.",
            field="lanes",
        )
    return wavefronts(row_addresses, ROW_BYTES)
