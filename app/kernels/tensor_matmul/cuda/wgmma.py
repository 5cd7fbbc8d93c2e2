"""CUDA rungs of compute capability 9.0: the copy engine (TMA) feeds WGMMA, one step a rung."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.domain.promise import Counted, Promise, less, more
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Level, ReuseLevel
from app.kernels.stage import Launch, Needs, Stage, TensorMap
from app.kernels.tensor_matmul.copy_engine import why_not_rows_of_16_bytes
from app.kernels.tensor_matmul.cost import tiled_cost
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS, Precision

TILE_ROWS, TILE_COLUMNS, TILE_DEPTH, GROUP_ROWS = 128, 256, 64, 64
THREADS, ITEM_BYTES, ALIGNMENT_BYTES = 384, 2, 1024
SLOT_BYTES = ITEM_BYTES * TILE_DEPTH * (TILE_ROWS + TILE_COLUMNS)
WARPS, WARP_ROWS, PIECE_COLUMNS = 8, 16, 64
PIECE_BYTES = ITEM_BYTES * WARP_ROWS * PIECE_COLUMNS
# 4096³ and 8192³ take as many waves on 128 multiprocessors as on the 132 of an H200, for less power. A launch
# knows the size alone, so the number is fixed.
PERSISTENT_BLOCKS = 128


@dataclass(frozen=True)
class Rung:
    """One setting of the source's constants: `slots` buffers, tiles walked `depth` rows at a time."""

    name: str
    title: str
    mechanism: str
    change: str
    improves_on: str
    slots: int
    persistent: bool = False
    depth: int = 1
    cluster: int = 1
    pieces: int = 0  # buffers of results a warp; none: results are stored from registers
    batch: int = 1  # pieces that leave together
    serpentine: bool = False  # every other tile runs through the sum backwards
    promises: tuple[Promise, ...] = ()
    further: tuple[str, ...] = ()  # constants that a race of variants tries
    promotion_bytes: int = 128
    blocks: int = PERSISTENT_BLOCKS

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a block; its start is rounded up to the alignment of swizzled tiles."""
        return self.slots * SLOT_BYTES + WARPS * self.pieces * PIECE_BYTES + ALIGNMENT_BYTES

    @property
    def options(self) -> tuple[str, ...]:
        """The source's constants."""
        constants = {
            "SLOTS": self.slots,
            "PERSISTENT": int(self.persistent),
            "DEPTH": self.depth,
            "CLUSTER": self.cluster,
            "TMA_STORE": int(self.pieces > 0),
            "SERPENTINE": int(self.serpentine),
            **({"PIECES": self.pieces, "BATCH": self.batch} if self.pieces else {}),
        }
        return (*(f"-D{name}={value}" for name, value in constants.items()), *self.further)

    def launch(self, size: Size) -> Launch:
        """A block a tile, or a fixed number of blocks that take several; always whole clusters."""
        tiles = -(-size["m"] // (self.cluster * TILE_ROWS)) * -(-size["n"] // TILE_COLUMNS)
        clusters = min(tiles, self.blocks // self.cluster) if self.persistent else tiles
        return Launch((clusters * self.cluster, 1, 1), (THREADS, 1, 1), self.shared_bytes)

    @property
    def tensor_maps(self) -> tuple[TensorMap, ...]:
        """Boxes of A and B a slot, of C a piece; each block of a cluster loads its share of B."""
        operands = (
            TensorMap("A", (TILE_ROWS, TILE_DEPTH), 128, self.promotion_bytes),
            TensorMap("B", (TILE_COLUMNS // self.cluster, TILE_DEPTH), 128, self.promotion_bytes),
        )
        pieces = (TensorMap("C", (WARP_ROWS, PIECE_COLUMNS), swizzle_bytes=128),) if self.pieces else ()
        return operands + pieces


RUNGS = (
    Rung(
        name="wgmma",
        title="WGMMA",
        mechanism="copy engine and WGMMA in turn, one buffer",
        change="The copy engine (TMA) fills swizzled tiles; an instruction of four warps reads them there",
        improves_on="mma_sync",
        slots=1,
        promises=(less(Counted.INSTRUCTIONS), less(Counted.GLOBAL_REQUESTS)),
    ),
    Rung(
        name="wgmma_ring",
        title="WGMMA ring",
        mechanism="a producer warp keeps four buffers filled",
        change="Four buffers and two barriers each: loading and multiplying no longer take turns",
        improves_on="wgmma",
        slots=4,
        promises=(more(Counted.TENSOR_PIPE_USE),),
    ),
    Rung(
        name="wgmma_persistent",
        title="WGMMA persistent",
        mechanism="128 blocks walk the tiles in squares",
        change="Blocks stay, the ring runs on from tile to tile; tiles are taken 16 deep for the L2 cache",
        improves_on="wgmma_ring",
        slots=4,
        persistent=True,
        depth=16,
        promises=(less(Counted.DRAM_BYTES),),
    ),
    Rung(
        name="wgmma_cluster",
        title="WGMMA cluster",
        mechanism="two blocks load B for each other",
        change="Two blocks share a tile of B, each loads half of it for both (multicast)",
        improves_on="wgmma_persistent",
        slots=4,
        persistent=True,
        depth=16,
        cluster=2,
        promises=(less(Counted.L2_BYTES, 2 / 3),),
    ),
    Rung(
        name="wgmma_tma_store",
        title="WGMMA with TMA stores",
        mechanism="results leave by the copy engine meanwhile",
        change="Results pass through shared memory and leave as whole lines during the next tile",
        improves_on="wgmma_persistent",
        slots=3,
        persistent=True,
        depth=16,
        pieces=4,
        promises=(more(Counted.TENSOR_PIPE_USE), less(Counted.INSTRUCTIONS)),
    ),
    Rung(
        name="wgmma_serpentine",
        title="WGMMA serpentine",
        mechanism="every other tile is summed backwards",
        change="What one tile read last the next reads first, from L2; a fourth buffer, two pieces fewer",
        improves_on="wgmma_tma_store",
        slots=4,
        persistent=True,
        depth=16,
        pieces=2,
        batch=2,
        serpentine=True,
        promotion_bytes=256,
        promises=(less(Counted.DRAM_BYTES),),
    ),
)


def stage(rung: Rung, precision: Precision) -> Stage:
    """The rung in one element type."""
    return Stage(
        name=f"{rung.name}_{precision.suffix}",
        title=f"{rung.title} {precision.suffix}",
        mechanism=rung.mechanism,
        change=rung.change,
        backend=BackendName.CUDA,
        improves_on=f"{rung.improves_on}_{precision.suffix}",
        arithmetic=precision.arithmetic,
        dtypes=(precision.dtype,),
        reuse_level=ReuseLevel.SHARED,
        source=Path(__file__).with_suffix(".cu"),
        entry="wgmma",
        cost=tiled_cost(
            {Level.DRAM: (rung.cluster * TILE_ROWS, TILE_COLUMNS), Level.SHARED: (GROUP_ROWS, TILE_COLUMNS)}
        ),
        launch=rung.launch,
        tensor_maps=rung.tensor_maps,
        needs=Needs(compute_capability=(9, 0), same_major=True, shared_bytes_per_block=rung.shared_bytes),
        compile_options=(*precision.options, *rung.options),
        why_not=why_not_rows_of_16_bytes,
        promises=rung.promises,
    )


STAGES = tuple(stage(rung, precision) for rung in RUNGS for precision in PRECISIONS)
