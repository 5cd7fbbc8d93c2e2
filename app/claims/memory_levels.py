"""The levels of a GPU's memory: where each figure of the lectures' table (L22 §1, §7.7) is found on a device.

Capacity is what a device states of itself. `kept` is measured: the largest set that a walk along a chain
still visits about as fast as the smallest of the level; sets are powers of two, so a level keeps this much
and not twice as much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.claims import a100
from app.claims.a100 import PrintedLevel
from app.claims.cells import lab
from app.claims.looking import Measured, NotHere, OfDevice
from app.claims.published import Cell, Look
from app.domain.device import Device
from app.domain.measurement import Measurement
from app.kernels.constant_latency.problem import CHAIN as CONSTANT_CHAIN
from app.kernels.latency.chain import Chain, set_title
from app.kernels.latency.problem import CHAIN as GLOBAL_CHAIN
from app.kernels.read_bandwidth.problem import READ_BYTES
from app.kernels.shared_latency.problem import CHAIN as SHARED_CHAIN

KIB = 1024
L1_KIB, L2_KIB, DRAM_KIB = 16, 4 * KIB, 256 * KIB
REGISTER_BYTES = 4
AS_FAST = 0.25  # a set is kept while a hop in it takes at most this fraction longer
L1_SETS_KIB = (1, 4, 16, 32, 64, 128, 256)
L2_SETS_KIB = tuple(2**power for power in range(9, 18))
CONSTANT_SETS_KIB = (1, 2, 4, 8, 16, 32, 64)


@dataclass(frozen=True)
class LevelLooks:
    """Where a level's figures are found on a device, in bytes, seconds, cycles and bytes/s of all SMs."""

    capacity: Look
    kept: Look
    latency_s: Look
    latency_cycles: Look
    bandwidth: Look


@dataclass(frozen=True)
class LevelClaims:
    """Ids of the claims that judge the printed figures of a level."""

    capacity: tuple[str, ...] = ()
    latency: tuple[str, ...] = ()
    bandwidth: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.capacity, *self.latency, *self.bandwidth)


@dataclass(frozen=True)
class MemoryLevel:
    """A level from the registers outwards. scope: what has one of it."""

    name: str
    title: str
    scope: str
    printed: PrintedLevel
    looks: LevelLooks
    claims: LevelClaims


def global_walk(kib: int) -> Cell:
    """The walk through so much global memory."""
    return lab("latency", "global_walk", kib=kib)


def constant_walk(kib: int) -> Cell:
    """The walk through so much constant memory."""
    return lab("constant_latency", "constant_walk", kib=kib)


def shared_walk() -> Cell:
    """The walk through shared memory; its size does not matter."""
    return lab("shared_latency", "shared_walk", kib=16)


def hop_s(chain: Chain, one: Measurement) -> float:
    """Seconds of one dependent load."""
    return one.median_s / chain.hops(one.key.size)


def latency(chain: Chain, cell: Cell) -> Measured:
    """Seconds of one dependent load, with the address arithmetic of the chain."""
    return Measured((cell,), lambda one: hop_s(chain, one), f"time of a hop in {set_title(cell.size['kib'])}")


def cycles(chain: Chain, cell: Cell) -> Measured:
    """The same in cycles of the clock that was held."""

    def value(device: Device, one: Measurement) -> float:
        return hop_s(chain, one) * (one.sm_clock_hz or device.boost_clock_hz or 0.0)

    return Measured((cell,), value, "time of a hop × the clock that was held", with_device=True)


def kept(chain: Chain, cells: Sequence[Cell]) -> Measured:
    """Bytes of the largest set, smallest first, up to which no hop is slower than AS_FAST allows."""

    def value(*walks: Measurement) -> float:
        slowest_s = hop_s(chain, walks[0]) * (1 + AS_FAST)
        last = walks[0]
        for walk in walks:
            if hop_s(chain, walk) > slowest_s:
                break
            last = walk
        return float(last.key.size["kib"] * KIB)

    basis = f"largest set that is as fast as {set_title(cells[0].size['kib'])}, within {AS_FAST * 100:.0f} %"
    return Measured(tuple(cells), value, basis)


def stated(value: Callable[[Device], float | None], basis: str = "device attribute") -> OfDevice:
    """What the device says of itself."""
    return OfDevice(value, basis)


def register_bytes(device: Device) -> float | None:
    """Bytes of the registers of an SM."""
    count = device.registers_per_multiprocessor
    return count * REGISTER_BYTES if count else None


def largest_constant_set() -> Measured:
    """Bytes of the largest constant array that runs."""
    return Measured(
        (constant_walk(64),), lambda one: one.key.size["kib"] * KIB, "the largest set that was walked"
    )


def _roof(name: str, basis: str) -> Measured:
    return Measured((), lambda roof: roof, basis, (name,))


def _read_through_l1() -> Measured:
    return Measured(
        (lab("read_bandwidth", "through_l1", kib=2 * KIB),),
        lambda one: READ_BYTES / one.median_s,
        "2 MiB read over and over by all SMs",
    )


_OPERAND = NotHere(
    "A register is an operand of the instruction: reading it is part of every latency measured here.",
    "Nothing is missing: no load reaches it.",
)
_AS_ADDRESSED = NotHere("It is addressed directly: all of it answers alike.", "See its capacity.")
_NO_STATEMENT = NotHere("A device does not state it.", "See how much of a set is kept.")
_NOT_TIMED = NotHere("No stage reads it at full rate yet.", "Its latency is measured.")
_BEYOND = NotHere("Nothing lies behind it: what fits is kept.", "See its capacity.")

LEVELS = (
    MemoryLevel(
        "registers",
        "Registers",
        "an SM",
        a100.REGISTERS,
        LevelLooks(stated(register_bytes, "registers × 4 B"), _AS_ADDRESSED, _OPERAND, _OPERAND, _OPERAND),
        LevelClaims(("hierarchy-registers",)),
    ),
    MemoryLevel(
        "shared",
        "Shared memory",
        "an SM",
        a100.SHARED,
        LevelLooks(
            stated(lambda device: device.shared_bytes_per_multiprocessor),
            _AS_ADDRESSED,
            latency(SHARED_CHAIN, shared_walk()),
            cycles(SHARED_CHAIN, shared_walk()),
            _roof("shared_read", "shared read roof"),
        ),
        LevelClaims(
            ("hierarchy-shared-capacity",),
            ("hierarchy-shared-memory-latency",),
            ("hierarchy-shared-over-l2",),
        ),
    ),
    MemoryLevel(
        "l1",
        "L1 cache",
        "an SM",
        a100.L1,
        LevelLooks(
            _NO_STATEMENT,
            kept(GLOBAL_CHAIN, [global_walk(kib) for kib in L1_SETS_KIB]),
            latency(GLOBAL_CHAIN, global_walk(L1_KIB)),
            cycles(GLOBAL_CHAIN, global_walk(L1_KIB)),
            _read_through_l1(),
        ),
        LevelClaims(("hierarchy-l1-capacity",), ("hierarchy-l1-latency",)),
    ),
    MemoryLevel(
        "constant",
        "Constant memory",
        "a kernel; its nearest cache an SM",
        a100.CONSTANT,
        LevelLooks(
            largest_constant_set(),
            kept(CONSTANT_CHAIN, [constant_walk(kib) for kib in CONSTANT_SETS_KIB]),
            latency(CONSTANT_CHAIN, constant_walk(1)),
            cycles(CONSTANT_CHAIN, constant_walk(1)),
            _NOT_TIMED,
        ),
        LevelClaims(
            ("hierarchy-constant-capacity", "hierarchy-constant-cached"), ("hierarchy-constant-latency",)
        ),
    ),
    MemoryLevel(
        "l2",
        "L2 cache",
        "the device",
        a100.L2,
        LevelLooks(
            stated(lambda device: device.l2_bytes),
            kept(GLOBAL_CHAIN, [global_walk(kib) for kib in L2_SETS_KIB]),
            latency(GLOBAL_CHAIN, global_walk(L2_KIB)),
            cycles(GLOBAL_CHAIN, global_walk(L2_KIB)),
            _roof("l2_read", "L2 read roof"),
        ),
        LevelClaims(("hierarchy-l2-capacity",), ("hierarchy-l2-latency",), ("hierarchy-l2-over-hbm",)),
    ),
    MemoryLevel(
        "dram",
        "DRAM",
        "the device",
        a100.HBM,
        LevelLooks(
            stated(lambda device: device.memory_bytes),
            _BEYOND,
            latency(GLOBAL_CHAIN, global_walk(DRAM_KIB)),
            cycles(GLOBAL_CHAIN, global_walk(DRAM_KIB)),
            _roof("dram_read", "DRAM read roof"),
        ),
        LevelClaims((), ("hierarchy-hbm-latency",), ("hierarchy-hbm-bandwidth",)),
    ),
)
