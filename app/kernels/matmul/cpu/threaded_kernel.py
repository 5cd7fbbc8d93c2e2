"""Blocks of 128 x 64 results shared out over the cores, each computed by the register-blocked kernel."""

from __future__ import annotations

import numpy as np
from numba import njit, prange, set_num_threads
from numpy.typing import NDArray

from app.kernels.matmul.cpu.register_blocked_kernel import (
    COLUMNS,
    DEPTH,
    ROWS,
    add_strip,
    multiply_panels,
    pack,
)

BLOCK_ROWS = 128


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (m, k) times b (k, n) to c (m, n)."""
    set_num_threads(threads)
    _product(a, b, c)


@njit(cache=True, parallel=True)
def _product(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32]) -> None:
    row_blocks = (c.shape[0] + BLOCK_ROWS - 1) // BLOCK_ROWS
    column_blocks = (c.shape[1] + COLUMNS - 1) // COLUMNS
    for block in prange(row_blocks * column_blocks):
        _fill_block(a, b, c, (block // column_blocks) * BLOCK_ROWS, (block % column_blocks) * COLUMNS)


@njit(cache=True)
def _fill_block(
    a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], first_row: int, j0: int
) -> None:
    panel_of_b = np.empty(DEPTH * COLUMNS, np.float32)
    panel_of_a = np.empty(ROWS * DEPTH, np.float32)
    strip = np.empty(ROWS * COLUMNS, np.float32)
    end_row = min(first_row + BLOCK_ROWS, c.shape[0])
    c[first_row:end_row, j0 : j0 + COLUMNS] = 0
    for p0 in range(0, a.shape[1], DEPTH):
        pack(b, p0, j0, panel_of_b, DEPTH, COLUMNS)
        for i0 in range(first_row, end_row, ROWS):
            pack(a, i0, p0, panel_of_a, ROWS, DEPTH)
            multiply_panels(panel_of_a, panel_of_b, strip)
            add_strip(strip, c, i0, j0)
