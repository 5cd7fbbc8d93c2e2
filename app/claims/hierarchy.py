"""Claims of the lectures' table of the memory hierarchy (L22 §1, §7.7): capacity, latency, bandwidth.

Latencies compare in cycles and bandwidths as ratios of levels, so that they carry over between devices; a
capacity holds where the device has at least as much.
"""

from __future__ import annotations

from functools import partial

from app.analysis.roofline import dram_peak_bytes_per_s
from app.claims import a100
from app.claims.arithmetic import by_arithmetic
from app.claims.looking import Measured
from app.claims.memory_levels import (
    DRAM_KIB,
    KIB,
    L1_KIB,
    L2_KIB,
    constant_walk,
    cycles,
    global_walk,
    hop_s,
    largest_constant_set,
    latency,
    register_bytes,
    shared_walk,
    stated,
)
from app.claims.published import Cell, Look, PublishedClaim, Quantity, Section, published
from app.claims.rules import AtLeast, AtMost, Between, Computed, Same, WithinFraction
from app.domain.device import Device
from app.kernels.constant_latency.problem import CHAIN as CONSTANT_CHAIN
from app.kernels.latency.chain import Chain
from app.kernels.latency.problem import CHAIN as GLOBAL_CHAIN
from app.kernels.shared_latency.problem import CHAIN as SHARED_CHAIN

_claim = partial(published, section=Section.HIERARCHY, said_of="A100")


def _latency(level: str, printed: a100.PrintedLevel, chain: Chain, cell: Cell) -> PublishedClaim:
    assert printed.latency_cycles is not None
    low, high = printed.latency_cycles
    return _claim(
        f"hierarchy-{level.lower().replace(' ', '-')}-latency",
        f"A load from {level} takes {low:.0f} to {high:.0f} cycles.",
        "L22 §1",
        f"{low:.0f}–{high:.0f} cycles",
        Quantity.CYCLES,
        Between(low, high),
        cycles(chain, cell),
        "cycles of one dependent load, with the address arithmetic of the chain",
    )


def _capacity(slug: str, statement: str, printed: a100.PrintedLevel, look: Look) -> PublishedClaim:
    assert printed.capacity_bytes is not None
    return _claim(
        f"hierarchy-{slug}",
        statement,
        "L22 §1",
        printed.capacity_bytes,
        Quantity.CAPACITY,
        AtLeast(printed.capacity_bytes),
        look,
        "what this device states of itself",
    )


def _bytes_per_clock(device: Device, roof: float) -> float:
    return roof / ((device.multiprocessor_count or 1) * (device.boost_clock_hz or 1.0))


CLAIMS = (
    _capacity(
        "registers",
        "An SM has 256 KB of registers.",
        a100.REGISTERS,
        stated(register_bytes, "registers × 4 B"),
    ),
    _capacity(
        "shared-capacity",
        "An SM has 164 KB of shared memory.",
        a100.SHARED,
        stated(lambda device: device.shared_bytes_per_multiprocessor),
    ),
    _capacity("l2-capacity", "The L2 cache holds 40 MB.", a100.L2, stated(lambda device: device.l2_bytes)),
    _claim(
        "hierarchy-l1-capacity",
        "The L1 cache holds up to 192 KB.",
        "L22 §1",
        "192 KB",
        Quantity.FACTOR,
        Same(0.25),
        Measured(
            (global_walk(128), global_walk(L1_KIB)),
            lambda large, small: hop_s(GLOBAL_CHAIN, large) / hop_s(GLOBAL_CHAIN, small),
            "latency in 128 KiB ÷ in 16 KiB",
        ),
        "whether the largest measured set below 192 KB is as fast as a small one",
    ),
    _claim(
        "hierarchy-constant-capacity",
        "There are 64 KB of constant memory.",
        "L22 §1",
        64.0 * KIB,
        Quantity.CAPACITY,
        AtLeast(64 * KIB),
        largest_constant_set(),
        "the largest constant array that runs here",
    ),
    _claim(
        "hierarchy-constant-cached",
        "8 KB of constant memory are cached.",
        "L22 §1",
        "8 KB",
        Quantity.FACTOR,
        Same(0.25),
        Measured(
            (constant_walk(8), constant_walk(1)),
            lambda large, small: hop_s(CONSTANT_CHAIN, large) / hop_s(CONSTANT_CHAIN, small),
            "latency in 8 KiB ÷ in 1 KiB",
        ),
        "whether a set of 8 KiB is as fast as one of 1 KiB",
    ),
    _claim(
        "hierarchy-constant-latency",
        "A constant that all lanes read takes about 1 cycle when it hits.",
        "L22 §1",
        1.0,
        Quantity.CYCLES,
        AtMost(2),
        cycles(CONSTANT_CHAIN, constant_walk(1)),
        "cycles of one dependent load",
    ),
    _latency("shared memory", a100.SHARED, SHARED_CHAIN, shared_walk()),
    _latency("L1", a100.L1, GLOBAL_CHAIN, global_walk(L1_KIB)),
    _latency("L2", a100.L2, GLOBAL_CHAIN, global_walk(L2_KIB)),
    _latency("HBM", a100.HBM, GLOBAL_CHAIN, global_walk(DRAM_KIB)),
    _claim(
        "hierarchy-shared-over-hbm",
        "Shared memory answers in 1/20 to 1/30 of the time of HBM.",
        "L22 §1",
        "1/20–1/30",
        Quantity.FACTOR,
        Between(20, 30),
        Measured(
            (global_walk(DRAM_KIB), shared_walk()),
            lambda dram, shared: hop_s(GLOBAL_CHAIN, dram) / hop_s(SHARED_CHAIN, shared),
            "HBM latency ÷ shared latency",
        ),
        "ratio of the two latencies measured here",
        section=Section.STATEMENTS,
    ),
    _claim(
        "hierarchy-hbm-400-ns",
        "HBM answers after 400 ns.",
        "L22 §5",
        a100.DRAM_LATENCY_S,
        Quantity.SECONDS,
        WithinFraction(a100.DRAM_LATENCY_S, 0.25),
        latency(GLOBAL_CHAIN, global_walk(DRAM_KIB)),
        "latency of one dependent load",
    ),
    by_arithmetic(
        "hierarchy-hbm-bandwidth",
        "The HBM of an A100 delivers 2039 GB/s.",
        "L22 §1",
        a100.DRAM_BYTES_PER_S,
        Quantity.BYTES_PER_S,
        Computed(a100.DRAM_BYTES_PER_S),
        lambda: dram_peak_bytes_per_s(1593e6, 5120),
        "1593 MHz × 2 × 5120 bits ÷ 8",
        section=Section.HIERARCHY,
    ),
    _claim(
        "hierarchy-l2-over-hbm",
        "L2 delivers about 2.5 times what HBM does (5 against 2.039 TB/s).",
        "L22 §1",
        5 / 2.039,
        Quantity.FACTOR,
        WithinFraction(5 / 2.039, 0.25),
        Measured((), lambda l2, dram: l2 / dram, "L2 read roof ÷ DRAM read roof", ("l2_read", "dram_read")),
        "ratio of the two roofs measured here",
    ),
    _claim(
        "hierarchy-shared-over-l2",
        "Shared memory delivers about 3.8 times what L2 does (19 against 5 TB/s).",
        "L22 §1",
        19 / 5,
        Quantity.FACTOR,
        WithinFraction(19 / 5, 0.25),
        Measured(
            (), lambda near, l2: near / l2, "shared read roof ÷ L2 read roof", ("shared_read", "l2_read")
        ),
        "ratio of the two roofs measured here",
    ),
    _claim(
        "hierarchy-shared-bytes-per-clock",
        "Shared memory delivers 128 B a clock and SM.",
        "L22 §4, L24 §1",
        128.0,
        Quantity.BYTES,
        WithinFraction(128),
        Measured(
            (), _bytes_per_clock, "shared read roof ÷ (SMs × boost clock)", ("shared_read",), with_device=True
        ),
        "bytes a clock at the measured roof",
    ),
)
