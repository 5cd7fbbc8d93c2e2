"""Figures of tiling (L24 §2, §7): intensity, reuse, padding, tile and wave quantisation."""

from __future__ import annotations

from math import ceil, inf, prod

from app.analysis.tiling import matmul_flop, operand_bytes, shared_tile_bytes
from app.claims.arithmetic import EXACT, by_arithmetic
from app.claims.published import PublishedClaim, Quantity, Section
from app.claims.rules import Computed, ComputedRange
from app.domain.size import Size
from app.domain.vocabulary import Dtype, Level
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Cost

CUBE = Size.of(m=4096, n=4096, k=4096)


def _tiled(tile: int, thread: int) -> Cost:
    return tiled_cost({Level.DRAM: (tile, tile), Level.SHARED: (thread, thread)})(CUBE, Dtype.FLOAT32)


def _waves(rows: int, columns: int = 4096, tile: int = 128, multiprocessors: int = 132) -> float:
    return prod(ceil(extent / tile) for extent in (rows, columns)) / multiprocessors


def _unpadded(edge: int, claimed: int) -> PublishedClaim:
    return by_arithmetic(
        f"model-unpadded-{edge}-bytes",
        f"Without padding, two tiles of {edge}×{edge} floats take {claimed} bytes.",
        "L2.3 lab",
        float(claimed),
        Quantity.BYTES,
        Computed(claimed, EXACT),
        lambda: shared_tile_bytes(edge, edge, edge),
        "4 B × TILE × (TILE + TILE)",
        said_of="T4",
    )


def _halves(tile: int) -> float:
    return matmul_flop(4096, 4096, 4096) / operand_bytes(4096, 4096, 4096, tile, tile, 2)


CLAIMS = (
    by_arithmetic(
        "model-wmma-intensity",
        "The WMMA stage has about 128 FLOP per byte.",
        "L24 stage 5",
        128.0,
        Quantity.FLOP_PER_BYTE,
        Computed(128, 0.05),
        lambda: _halves(128),
        "BM·BN ÷ (BM + BN) of a 128×128 tile of halves",
        section=Section.TENSOR,
    ),
    by_arithmetic(
        "model-mma-intensity",
        "The mma.sync stage has at least 256 FLOP per byte.",
        "L24 stage 6",
        "at least 256",
        Quantity.FLOP_PER_BYTE,
        ComputedRange(256, inf),
        lambda: _halves(128),
        "BM·BN ÷ (BM + BN) of a 128×128 tile of halves",
        section=Section.TENSOR,
    ),
    by_arithmetic(
        "model-256-threads",
        "A 128×128 block tile of 8×8 thread tiles takes 256 threads.",
        "L24 §2",
        256.0,
        Quantity.COUNT,
        Computed(256, EXACT),
        lambda: 128 * 128 // (8 * 8),
        "results of the block ÷ results of a thread",
    ),
    _unpadded(8, 512),
    _unpadded(32, 8192),
    by_arithmetic(
        "model-tile-128",
        "A 128×128 block tile has 32 FLOP per byte.",
        "L24 §2",
        32.0,
        Quantity.FLOP_PER_BYTE,
        Computed(32),
        lambda: _tiled(128, 8).intensity(Level.DRAM) or 0.0,
        "BM·BN ÷ (2·(BM + BN))",
    ),
    by_arithmetic(
        "model-lab-tile-16",
        "The lab's 16×16 tile raises the intensity to about 8 FLOP per byte.",
        "L24 stage 2",
        8.0,
        Quantity.FLOP_PER_BYTE,
        Computed(8, 0.05),
        lambda: _tiled(16, 1).intensity(Level.DRAM) or 0.0,
        "BM·BN ÷ (2·(BM + BN)) of the 16×16 tile that is printed",
        section=Section.STATEMENTS,
    ),
    by_arithmetic(
        "model-thread-tile-8",
        "An 8×8 thread tile has 2.0 FLOP per byte of shared memory.",
        "L24 §2",
        2.0,
        Quantity.FLOP_PER_BYTE,
        Computed(2),
        lambda: _tiled(128, 8).intensity(Level.SHARED) or 0.0,
        "TM·TN ÷ (2·(TM + TN))",
    ),
    by_arithmetic(
        "model-thread-tile-1",
        "A 1×1 thread tile has 0.25 FLOP per byte of shared memory.",
        "L24 §2",
        0.25,
        Quantity.FLOP_PER_BYTE,
        Computed(0.25),
        lambda: _tiled(128, 1).intensity(Level.SHARED) or 0.0,
        "TM·TN ÷ (2·(TM + TN))",
    ),
    by_arithmetic(
        "model-reuse-128",
        "A 128×128 tile uses each value loaded 128 times.",
        "L24 §2",
        128.0,
        Quantity.FACTOR,
        Computed(128),
        lambda: operand_bytes(4096, 4096, 4096, 1, 1, 4) / operand_bytes(4096, 4096, 4096, 128, 128, 4),
        "operand bytes without a tile ÷ with it",
    ),
    by_arithmetic(
        "model-dram-reads-by-tile",
        "A tile of 16 lets DRAM reads fall from 2·N³ elements to 2·N³/16.",
        "L2.3 lab",
        16.0,
        Quantity.FACTOR,
        Computed(16),
        lambda: operand_bytes(1024, 1024, 1024, 1, 1, 4) / operand_bytes(1024, 1024, 1024, 16, 16, 4),
        "operand bytes by the algebra; caches absorb most of either, so counted bytes fall less",
        said_of="T4",
    ),
    by_arithmetic(
        "model-padding-cost",
        "Padding [32][32] to [32][33] costs 3.1 % of shared memory.",
        "L22 §4",
        0.031,
        Quantity.FRACTION,
        Computed(0.031, 0.01),
        lambda: 33 / 32 - 1,
        "33 ÷ 32 − 1",
    ),
    by_arithmetic(
        "model-double-buffer-bytes",
        "Two sets of 128×8 tiles take 16 KiB of shared memory.",
        "L24 §2",
        16384.0,
        Quantity.BYTES,
        Computed(16384, EXACT),
        lambda: shared_tile_bytes(128, 128, 8, buffers=2),
        "4 B × 2 × 8 × (128 + 128)",
    ),
    by_arithmetic(
        "model-tile-quantisation",
        "M = 4097 with BM = 128 leaves 127 of 128 rows of the last tiles empty.",
        "L24 §7",
        127.0,
        Quantity.COUNT,
        Computed(127, EXACT),
        lambda: ceil(4097 / 128) * 128 - 4097,
        "33 × 128 − 4097",
        section=Section.QUESTIONS,
    ),
    by_arithmetic(
        "model-wave-4097",
        "On 132 SMs, 4097×4096 in 128×128 tiles is exactly 8.0 waves.",
        "L24 §7",
        8.0,
        Quantity.FACTOR,
        Computed(8, EXACT),
        lambda: _waves(4097),
        "33 × 32 tiles ÷ 132 SMs",
        section=Section.QUESTIONS,
        said_of="H200",
    ),
    by_arithmetic(
        "model-wave-cliff",
        "The first wave beyond eight begins at M = 4225.",
        "L24 §7",
        "M = 4225",
        Quantity.COUNT,
        Computed(4225, EXACT),
        lambda: next(m for m in range(4097, 8192) if _waves(m) > 8),
        "smallest M with more than 8 × 132 tiles",
        section=Section.QUESTIONS,
        said_of="H200",
    ),
)
