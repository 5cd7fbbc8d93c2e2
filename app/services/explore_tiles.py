"""The algebra of a tiled matmul: intensity by level, registers, shared memory, loads under arithmetic."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.occupancy import LARGEST_BLOCK, Occupancy, SmLimits, occupancy
from app.analysis.quantisation import tiles_of
from app.analysis.tiling import (
    least_matmul_bytes,
    matmul_flop,
    operand_bytes,
    outer_product_intensity,
    shared_tile_bytes,
)
from app.analysis.timeline import overlapped_s, serial_s
from app.domain.errors import InvalidInputError
from app.services.explore_occupancy import known_limits

REGISTER_BYTES = 4


@dataclass(frozen=True)
class Tile:
    """A block's tile of block_m x block_n results, its threads' tiles, `buffers` copies in shared memory."""

    m: int
    n: int
    k: int
    block_m: int
    block_n: int
    block_k: int
    thread_m: int
    thread_n: int
    element_bytes: int
    buffers: int
    padding_a_elements: int
    padding_b_elements: int

    @property
    def threads_per_block(self) -> int:
        """One for each thread tile."""
        return (self.block_m // self.thread_m) * (self.block_n // self.thread_n)

    @property
    def shared_bytes_per_buffer(self) -> int:
        """Of one copy of both tiles."""
        return shared_tile_bytes(
            self.block_m,
            self.block_n,
            self.block_k,
            padding=self.padding_a_elements,
            padding_b=self.padding_b_elements,
            item_bytes=self.element_bytes,
        )


@dataclass(frozen=True)
class TileDevice:
    """What the tile runs on: limits by compute capability, and both roofs of the whole device."""

    compute_capability: tuple[int, int]
    sm_count: int
    peak_flop_per_s: float
    bandwidth_bytes_per_s: float


@dataclass(frozen=True)
class Intensity:
    """FLOP per byte at one level, and what the roof there allows."""

    level: str
    flop_per_byte: float
    formula: str


@dataclass(frozen=True)
class LoadTimeline:
    """One block's loop over k when all SMs work: seconds of a step, and of the loop both ways."""

    steps: int
    load_s: float
    compute_s: float

    @property
    def serial_s(self) -> float:
        """Load, then compute, then load."""
        return serial_s(self.steps, self.load_s, self.compute_s)

    @property
    def overlapped_s(self) -> float:
        """The next load runs under this step's arithmetic."""
        return overlapped_s(self.steps, self.load_s, self.compute_s)

    @property
    def speed_up(self) -> float:
        """What two buffers bring at most."""
        return self.serial_s / self.overlapped_s


@dataclass(frozen=True)
class TileAnswer:
    """What follows from the tile. least_registers: accumulators and one column and row of operands."""

    tile: Tile
    limits: SmLimits
    flop: int
    intensities: tuple[Intensity, ...]
    accumulator_registers: int
    operand_registers: int
    shared_bytes_per_block: int
    buffers_that_fit: int
    occupancy_at_most: Occupancy
    timeline: LoadTimeline

    @property
    def least_registers(self) -> int:
        """Registers that no compiler can do without."""
        return self.accumulator_registers + self.operand_registers


def tile_answer(tile: Tile, device: TileDevice) -> TileAnswer:
    """Everything that follows. Raises InvalidInputError where thread tiles do not divide the block's tile."""
    _check(tile)
    limits = known_limits(device.compute_capability)
    accumulators = tile.thread_m * tile.thread_n
    operands = -(-(tile.thread_m + tile.thread_n) * tile.element_bytes // REGISTER_BYTES)
    shared = tile.buffers * tile.shared_bytes_per_buffer
    return TileAnswer(
        tile=tile,
        limits=limits,
        flop=matmul_flop(tile.m, tile.n, tile.k),
        intensities=_intensities(tile),
        accumulator_registers=accumulators,
        operand_registers=operands,
        shared_bytes_per_block=shared,
        buffers_that_fit=limits.shared_bytes_per_block // tile.shared_bytes_per_buffer,
        occupancy_at_most=occupancy(limits, tile.threads_per_block, accumulators + operands, shared),
        timeline=_timeline(tile, device),
    )


def _intensities(tile: Tile) -> tuple[Intensity, ...]:
    m, n, k, item = tile.m, tile.n, tile.k, tile.element_bytes
    flop = matmul_flop(m, n, k)
    once = flop / least_matmul_bytes(m, n, k, item)
    by_block = flop / operand_bytes(m, n, k, tile.block_m, tile.block_n, item)
    by_thread = outer_product_intensity(tile.thread_m, tile.thread_n, item)
    return (
        Intensity("least traffic", once, "2·M·N·K ÷ elem·(MK + KN + MN)"),
        Intensity("global", by_block, "2·BM·BN ÷ elem·(BM + BN), edges counted"),
        Intensity("shared", by_thread, "2·TM·TN ÷ elem·(TM + TN)"),
        Intensity("no reuse", outer_product_intensity(1, 1, item), "1 ÷ elem"),
    )


def _timeline(tile: Tile, device: TileDevice) -> LoadTimeline:
    load_bytes = tile.element_bytes * tile.block_k * (tile.block_m + tile.block_n)
    flop = matmul_flop(tile.block_m, tile.block_n, tile.block_k)
    return LoadTimeline(
        steps=tiles_of(tile.k, tile.block_k),
        load_s=load_bytes * device.sm_count / device.bandwidth_bytes_per_s,
        compute_s=flop * device.sm_count / device.peak_flop_per_s,
    )


def _check(tile: Tile) -> None:
    for block, thread, field in (
        (tile.block_m, tile.thread_m, "thread_m"),
        (tile.block_n, tile.thread_n, "thread_n"),
    ):
        if block % thread:
            raise InvalidInputError(
                f"Thread tiles of {thread} do not divide a block tile of {block}, so some results belong to "
                "no thread. Choose a divisor.",
                field=field,
            )
    if tile.threads_per_block > LARGEST_BLOCK:
        raise InvalidInputError(
            f"These tiles need {tile.threads_per_block} threads a block, but a launch takes at most "
            f"{LARGEST_BLOCK}. Enlarge the thread tile or shrink the block tile.",
            field="thread_m",
        )
