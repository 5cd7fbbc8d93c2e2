"""Four rows by four terms of A held in registers while rows of B and C stream past, on one core.

Panels of A (4 rows) and B (64 columns) are copied to fixed shapes, zero beyond the edge, so the inner
loops need no special case and the compiler sees strides it can vectorise over.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

ROWS, COLUMNS, DEPTH = 4, 64, 64


def run(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32], threads: int) -> None:
    """Write a (m, k) times b (k, n) to c (m, n)."""
    _product(a, b, c)


@njit(cache=True, fastmath={"contract"})
def _product(a: NDArray[np.float32], b: NDArray[np.float32], c: NDArray[np.float32]) -> None:
    panel_of_b = np.empty(DEPTH * COLUMNS, np.float32)
    panel_of_a = np.empty(ROWS * DEPTH, np.float32)
    strip = np.empty(ROWS * COLUMNS, np.float32)
    c[:] = 0
    for j0 in range(0, c.shape[1], COLUMNS):
        for p0 in range(0, a.shape[1], DEPTH):
            pack(b, p0, j0, panel_of_b, DEPTH, COLUMNS)
            for i0 in range(0, c.shape[0], ROWS):
                pack(a, i0, p0, panel_of_a, ROWS, DEPTH)
                multiply_panels(panel_of_a, panel_of_b, strip)
                add_strip(strip, c, i0, j0)


@njit(cache=True)
def pack(
    matrix: NDArray[np.float32], i0: int, j0: int, panel: NDArray[np.float32], rows: int, columns: int
) -> None:
    """Copy the rows x columns block at (i0, j0) to the row-major panel, with zeros beyond the edges."""
    for i in range(rows):
        line = panel[i * columns : (i + 1) * columns]
        line[:] = 0
        if i0 + i < matrix.shape[0]:
            row = matrix[i0 + i, j0 : j0 + columns]
            for j in range(row.size):
                line[j] = row[j]


@njit(cache=True, fastmath={"contract"})
def multiply_panels(a: NDArray[np.float32], b: NDArray[np.float32], strip: NDArray[np.float32]) -> None:
    """Write a (4, 64) times b (64, 64) to strip: 16 multiply-adds for every four vectors of B."""
    strip[:] = 0
    for p in range(0, DEPTH, 4):
        a00, a01, a02, a03 = a[p], a[p + 1], a[p + 2], a[p + 3]
        a10, a11, a12, a13 = a[DEPTH + p], a[DEPTH + p + 1], a[DEPTH + p + 2], a[DEPTH + p + 3]
        a20, a21, a22, a23 = (
            a[2 * DEPTH + p],
            a[2 * DEPTH + p + 1],
            a[2 * DEPTH + p + 2],
            a[2 * DEPTH + p + 3],
        )
        a30, a31, a32, a33 = (
            a[3 * DEPTH + p],
            a[3 * DEPTH + p + 1],
            a[3 * DEPTH + p + 2],
            a[3 * DEPTH + p + 3],
        )
        rows = b[p * COLUMNS : (p + 4) * COLUMNS]
        for j in range(COLUMNS):
            b0, b1, b2, b3 = rows[j], rows[COLUMNS + j], rows[2 * COLUMNS + j], rows[3 * COLUMNS + j]
            strip[j] = (((strip[j] + a00 * b0) + a01 * b1) + a02 * b2) + a03 * b3
            strip[COLUMNS + j] = (((strip[COLUMNS + j] + a10 * b0) + a11 * b1) + a12 * b2) + a13 * b3
            strip[2 * COLUMNS + j] = (((strip[2 * COLUMNS + j] + a20 * b0) + a21 * b1) + a22 * b2) + a23 * b3
            strip[3 * COLUMNS + j] = (((strip[3 * COLUMNS + j] + a30 * b0) + a31 * b1) + a32 * b2) + a33 * b3


@njit(cache=True)
def add_strip(strip: NDArray[np.float32], c: NDArray[np.float32], i0: int, j0: int) -> None:
    """Add the part of strip (4, 64) that lies inside c to its block at (i0, j0)."""
    for i in range(min(ROWS, c.shape[0] - i0)):
        row = c[i0 + i, j0 : j0 + COLUMNS]
        line = strip[i * COLUMNS : (i + 1) * COLUMNS]
        for j in range(row.size):
            row[j] += line[j]
