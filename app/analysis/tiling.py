"""Operand traffic and arithmetic intensity of C = A B at each level of a tiled kernel.

Counts are exact whole numbers (Python integers never overflow). Traffic is the *operand reads* a
kernel's own algebra asks of a level as if no cache stood above it; the one write of C belongs to
`least_matmul_bytes`. With tiles that divide the size, reads give the textbook intensity
BM BN / (2 (BM + BN)) FLOP per byte in float32.
"""

from __future__ import annotations


def matmul_flop(m: int, n: int, k: int) -> int:
    """Floating-point operations of C (m x n) = A (m x k) B (k x n): one multiply and one add per term."""
    return 2 * m * n * k


def least_matmul_bytes(m: int, n: int, k: int, item_bytes: int) -> int:
    """Bytes when A and B are read once and C is written once."""
    return item_bytes * (m * k + k * n + m * n)


def operand_bytes(m: int, n: int, k: int, tile_rows: int, tile_columns: int, item_bytes: int) -> int:
    """Bytes of A and B read by tiles of tile_rows x tile_columns results.

    Every column of tiles reads all of A, every row of tiles all of B; tiles over the edge read only
    what exists.
    """
    reads_of_a = m * k * _tiles(n, tile_columns)
    reads_of_b = k * n * _tiles(m, tile_rows)
    return item_bytes * (reads_of_a + reads_of_b)


def result_update_bytes(m: int, n: int, k: int, depth: int, item_bytes: int) -> int:
    """Bytes of C read and written again when it is updated once per `depth` terms of the sum."""
    return 2 * item_bytes * m * n * _tiles(k, depth)


def shared_tile_bytes(
    tile_rows: int,
    tile_columns: int,
    depth: int,
    buffers: int = 1,
    padding: int = 0,
    padding_b: int = 0,
    item_bytes: int = 4,
) -> int:
    """Shared memory of tiles A (depth x (tile_rows + padding)) and B (depth x (tile_columns + padding_b))."""
    return item_bytes * buffers * depth * (tile_rows + padding + tile_columns + padding_b)


def outer_product_intensity(rows: int, columns: int, item_bytes: int) -> float:
    """FLOP per byte of rows x columns results that read `rows` and `columns` operands for each term.

    rows columns / (2 (rows + columns)) in float32: 2.0 for 8 x 8, 0.25 for 1 x 1.
    """
    return 2 * rows * columns / (item_bytes * (rows + columns))


def _tiles(extent: int, tile: int) -> int:
    return -(-extent // tile)
