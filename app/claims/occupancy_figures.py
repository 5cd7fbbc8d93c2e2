"""Figures of occupancy (L22 §6, L24 §3): what resides on an SM of an A100, in whole blocks."""

from __future__ import annotations

from app.analysis.occupancy import Occupancy, occupancy
from app.claims import a100
from app.claims.arithmetic import EXACT, by_arithmetic
from app.claims.published import PublishedClaim, Quantity, Section
from app.claims.rules import Computed, ComputedRange


def _resident(threads: int, registers: int, shared_bytes: int = 0) -> Occupancy:
    return occupancy(a100.limits(), threads, registers, shared_bytes)


def _blocks(threads: int, blocks: int) -> PublishedClaim:
    return by_arithmetic(
        f"occupancy-{threads}-threads",
        f"Of blocks of {threads} threads {blocks} reside on an SM.",
        "L22 §6",
        float(blocks),
        Quantity.COUNT,
        Computed(blocks, EXACT),
        lambda: _resident(threads, 32).blocks,
        "2048 threads an SM, 32 registers a thread",
        section=Section.STATEMENTS,
    )


CLAIMS = (
    by_arithmetic(
        "occupancy-8x8-80-registers",
        "An 8×8 thread tile with about 80 registers runs at 50 to 62.5 % occupancy.",
        "L24 §3",
        "50–62.5 %",
        Quantity.FRACTION,
        ComputedRange(0.5, 0.625),
        lambda: _resident(256, 80).fraction,
        "blocks of 256 threads at 80 registers: whole blocks only",
        section=Section.STATEMENTS,
    ),
    by_arithmetic(
        "occupancy-40-registers",
        "40 registers a thread let 51 warps reside.",
        "L22 §6",
        51.0,
        Quantity.COUNT,
        Computed(51, EXACT),
        lambda: _resident(256, 40).warps,
        "whole blocks of 8 warps at 40 registers",
        section=Section.STATEMENTS,
    ),
    by_arithmetic(
        "occupancy-48-kb",
        "48 KB of shared memory a block leave 3 blocks an SM.",
        "L22 §6",
        3.0,
        Quantity.COUNT,
        Computed(3, EXACT),
        lambda: _resident(256, 32, 48 * 1024).blocks,
        "164 KB an SM, 1 KB taken from each block",
        section=Section.STATEMENTS,
    ),
    by_arithmetic(
        "occupancy-32-threads",
        "Blocks of 32 threads reach 50 % occupancy at most.",
        "L22 §6",
        0.5,
        Quantity.FRACTION,
        Computed(0.5, EXACT),
        lambda: _resident(32, 32).fraction,
        "32 blocks of one warp out of 64 warps",
        section=Section.STATEMENTS,
    ),
    *(_blocks(threads, blocks) for threads, blocks in ((256, 8), (512, 4), (1024, 2))),
    by_arithmetic(
        "occupancy-100-percent-32-registers",
        "32 registers a thread allow 100 % occupancy.",
        "L22 §6",
        1.0,
        Quantity.FRACTION,
        Computed(1, EXACT),
        lambda: _resident(256, 32).fraction,
        "blocks of 256 threads",
    ),
    by_arithmetic(
        "occupancy-25-percent-128-registers",
        "128 registers a thread leave 25 % occupancy.",
        "L22 §6",
        0.25,
        Quantity.FRACTION,
        Computed(0.25, EXACT),
        lambda: _resident(256, 128).fraction,
        "blocks of 256 threads",
    ),
)
