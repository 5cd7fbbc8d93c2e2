"""What an explorer is asked, as query parameters: one model for the page and the endpoint of each.

Every parameter has a default, so an address without a query shows the lectures' own example.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.analysis.swizzle import Swizzle
from app.analysis.warp_access import AccessPattern
from app.services.explore_access import SharedInstruction
from app.services.explore_fragments import Operand
from app.services.explore_littles_law import MemoryDemand
from app.services.explore_occupancy import KernelNeeds
from app.services.explore_quantisation import SplitRequest, TiledGrid
from app.services.explore_roofline import Roofs
from app.services.explore_tiles import Tile, TileDevice

LARGEST_STRIDE = 2**20
LARGEST_OFFSET = 2**32
LARGEST_EXTENT = 2**24
FASTEST_BYTES_PER_S = 1e15
FASTEST_FLOP_PER_S = 1e18

Extent = Annotated[int, Field(ge=1, le=LARGEST_EXTENT)]
TileExtent = Annotated[int, Field(ge=1, le=1024)]
SmCount = Annotated[int, Field(ge=1, le=1024, description="Multiprocessors of the device.")]
PerSecond = Annotated[
    float, Field(ge=1, le=FASTEST_BYTES_PER_S, allow_inf_nan=False, description="Bandwidth in bytes/s.")
]
FlopPerSecond = Annotated[
    float, Field(ge=1, le=FASTEST_FLOP_PER_S, allow_inf_nan=False, description="Compute roof in FLOP/s.")
]
ComputeCapability = Annotated[
    str,
    Field(pattern=r"^[0-9]{1,2}\.[0-9]$", description="Of the device, 7.0 to 12.x.", examples=["9.0"]),
]


class ElementBytes(IntEnum):
    """What one lane can move in one instruction."""

    BYTE = 1
    HALF = 2
    WORD = 4
    DOUBLE = 8
    QUAD = 16


class OperandBytes(IntEnum):
    """Sizes of the numbers that a matmul multiplies."""

    FP8 = 1
    FP16 = 2
    FP32 = 4
    FP64 = 8


class Question(BaseModel):
    """Parameters by name; unknown ones are refused, so a misspelt one is never quietly ignored."""

    model_config = ConfigDict(extra="forbid")


class CoalescingQuestion(Question):
    """One request of a warp to global memory."""

    element_bytes: ElementBytes = Field(ElementBytes.WORD, description="Bytes that each lane reads.")
    stride_elements: int = Field(
        1, ge=0, le=LARGEST_STRIDE, description="Elements from lane to lane; 0: all lanes name one."
    )
    offset_bytes: int = Field(
        0, ge=0, le=LARGEST_OFFSET, description="Of lane 0 from an aligned base; a multiple of the element."
    )
    lanes: int = Field(32, ge=1, le=32, description="Active lanes, from lane 0 up.")
    row_pitch_elements: int = Field(
        0, ge=0, le=LARGEST_STRIDE, description="Elements of a row before padding; 0: no rows."
    )
    padding_elements: int = Field(0, ge=0, le=1024, description="Unused elements at the end of each row.")

    def pattern(self) -> AccessPattern:
        """The access pattern. Raises InvalidInputError for what hardware refuses."""
        return AccessPattern(**(self.model_dump() | {"element_bytes": int(self.element_bytes)}))


class BankQuestion(CoalescingQuestion):
    """One request of a warp to shared memory."""

    swizzle: Swizzle = Field(
        Swizzle.NONE,
        description="xor: column ^ row, by hand; tma_…: 16-byte pieces exchanged by the copy engine.",
    )
    instruction: SharedInstruction = Field(
        SharedInstruction.LOAD, description="ldmatrix: each of 8, 16 or 32 lanes names a row of 16 bytes."
    )

    def pattern(self) -> AccessPattern:
        """The access pattern. Raises InvalidInputError for what hardware refuses."""
        given = self.model_dump(exclude={"instruction"})
        return AccessPattern(**(given | {"element_bytes": int(self.element_bytes)}))


class OccupancyQuestion(Question):
    """A kernel's needs on one architecture."""

    compute_capability: ComputeCapability = "9.0"
    block_size: int = Field(256, ge=1, le=1024, description="Threads of a block.")
    registers_per_thread: int = Field(40, ge=1, le=255, description="As the compiler reports them.")
    shared_bytes_per_block: int = Field(
        0, ge=0, le=2**20, description="Static and dynamic, without the system's share."
    )

    @property
    def version(self) -> tuple[int, int]:
        """Major and minor."""
        return version_of(self.compute_capability)

    def needs(self) -> KernelNeeds:
        """What the kernel takes."""
        return KernelNeeds(self.block_size, self.registers_per_thread, self.shared_bytes_per_block)


class LittlesLawQuestion(Question):
    """A memory and the loads under way; the defaults are the lectures' A100."""

    bandwidth_bytes_per_s: PerSecond = 2039e9
    latency_s: float = Field(
        400e-9, ge=1e-12, le=1, allow_inf_nan=False, description="Of one dependent load, in seconds."
    )
    sm_count: SmCount = 108
    bytes_per_thread: int = Field(
        16, ge=1, le=4096, description="Under way in each thread at a time: 4 for float, 16 for float4."
    )

    def demand(self) -> MemoryDemand:
        """The demand to apply the law to."""
        return MemoryDemand(**self.model_dump())


class RooflineQuestion(Question):
    """Two roofs and an intensity; the defaults are the lectures' A100 in FP32."""

    peak_flop_per_s: FlopPerSecond = 19.5e12
    bandwidth_bytes_per_s: PerSecond = 2039e9
    intensity_flop_per_byte: float = Field(
        4.0, ge=1e-9, le=1e9, allow_inf_nan=False, description="FLOP per byte moved."
    )
    factor: float = Field(
        2.0, gt=1, le=1000, allow_inf_nan=False, description="By how much each what-if raises one thing."
    )

    def roofs(self) -> Roofs:
        """Both roofs with the intensity."""
        return Roofs(self.peak_flop_per_s, self.bandwidth_bytes_per_s, self.intensity_flop_per_byte)


class TilesQuestion(Question):
    """A tiled matmul; the defaults are the lectures' 128x128 tile on an A100."""

    m: Extent = 4096
    n: Extent = 4096
    k: Extent = 4096
    block_m: TileExtent = 128
    block_n: TileExtent = 128
    block_k: TileExtent = 8
    thread_m: TileExtent = 8
    thread_n: TileExtent = 8
    element_bytes: OperandBytes = OperandBytes.FP32
    buffers: int = Field(2, ge=1, le=16, description="Copies of the tiles in shared memory.")
    padding_a_elements: int = Field(0, ge=0, le=64, description="At the end of each row of A's tile.")
    padding_b_elements: int = Field(0, ge=0, le=64, description="At the end of each row of B's tile.")
    compute_capability: ComputeCapability = "8.0"
    sm_count: SmCount = 108
    peak_flop_per_s: FlopPerSecond = 19.5e12
    bandwidth_bytes_per_s: PerSecond = 2039e9

    def tile(self) -> Tile:
        """The tile."""
        device = {"compute_capability", "sm_count", "peak_flop_per_s", "bandwidth_bytes_per_s"}
        return Tile(**(self.model_dump(exclude=device) | {"element_bytes": int(self.element_bytes)}))

    def device(self) -> TileDevice:
        """What it runs on."""
        return TileDevice(
            version_of(self.compute_capability),
            self.sm_count,
            self.peak_flop_per_s,
            self.bandwidth_bytes_per_s,
        )


class WavesQuestion(Question):
    """A grid of tiles on a device; the defaults are the lectures' 4097 rows on an H200."""

    m: Extent = 4097
    n: Extent = 4096
    block_m: TileExtent = 128
    block_n: TileExtent = 128
    sm_count: SmCount = 132
    blocks_per_sm: int = Field(1, ge=1, le=32, description="Blocks that an SM holds at once.")

    def grid(self) -> TiledGrid:
        """The grid."""
        return TiledGrid(self.m, self.n, self.block_m, self.block_n, self.sm_count, self.blocks_per_sm)


class SplitQuestion(WavesQuestion):
    """A grid too small for the device, whose sums can be cut; the defaults are 512x512 results on an H200."""

    m: Extent = 512
    n: Extent = 512
    k: Extent = 16384
    block_k: TileExtent = 32
    partial_bytes: OperandBytes = Field(OperandBytes.FP32, description="Bytes of one partial result.")
    peak_flop_per_s: FlopPerSecond = 66.9e12
    bandwidth_bytes_per_s: PerSecond = 4815e9
    most_slices: int = Field(64, ge=1, le=256, description="Numbers of slices to try, from 1 up.")

    def request(self) -> SplitRequest:
        """The grid with its sums."""
        return SplitRequest(
            grid=self.grid(),
            k=self.k,
            block_k=self.block_k,
            partial_bytes=int(self.partial_bytes),
            peak_flop_per_s=self.peak_flop_per_s,
            bandwidth_bytes_per_s=self.bandwidth_bytes_per_s,
            most_slices=self.most_slices,
        )


class FragmentQuestion(Question):
    """A matrix of mma.sync m16n8k16."""

    operand: Operand = Operand.A


def version_of(compute_capability: str) -> tuple[int, int]:
    """ "9.0" as (9, 0)."""
    major, minor = compute_capability.split(".")
    return int(major), int(minor)
