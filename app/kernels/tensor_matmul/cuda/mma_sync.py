"""CUDA rung: mma.sync with ldmatrix over swizzled tiles that cp.async keeps coming."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.domain.promise import Counted, less, more
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Level, ReuseLevel
from app.kernels.stage import Launch, Needs, Stage
from app.kernels.tensor_matmul.cost import tiled_cost
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS, Precision

WARP_EDGE, TILE_DEPTH, ITEM_BYTES, OCTET = 64, 64, 2, 8


@dataclass(frozen=True)
class Cut:
    """Results of a block, buffers in its ring, blocks that share a multiprocessor."""

    rows: int = 128
    columns: int = 256
    slots: int = 3
    blocks_per_sm: int = 1

    @property
    def shared_bytes(self) -> int:
        """Dynamic shared memory of a block."""
        return self.slots * ITEM_BYTES * TILE_DEPTH * (self.rows + self.columns)

    @property
    def options(self) -> tuple[str, ...]:
        """The source's constants."""
        constants = (("BM", self.rows), ("BN", self.columns), ("SLOTS", self.slots))
        return (*(f"-D{name}={value}" for name, value in constants), f"-DBLOCKS_PER_SM={self.blocks_per_sm}")

    def launch(self, size: Size) -> Launch:
        """One block a tile, a warp for each 64 by 64 of it."""
        tiles = -(-size["n"] // self.columns) * -(-size["m"] // self.rows)
        warps = self.rows // WARP_EDGE * (self.columns // WARP_EDGE)
        return Launch((tiles, 1, 1), (32 * warps, 1, 1), self.shared_bytes)


def _why_not(size: Size) -> str | None:
    if size["k"] % OCTET == 0:
        return None
    return (
        f"takes k in multiples of {OCTET} only, because cp.async copies rows by whole 16 bytes; "
        f"here k = {size['k']:,}"
    )


def stage(cut: Cut, precision: Precision, name: str = "mma_sync") -> Stage:
    """The rung cut that way, in one element type."""
    return Stage(
        name=f"{name}_{precision.suffix}",
        title=f"mma.sync {precision.suffix}",
        mechanism="ldmatrix on swizzled tiles, cp.async three deep",
        change="Tiles arrive while others are multiplied; swizzled rows end bank conflicts",
        backend=BackendName.CUDA,
        improves_on=f"wmma_shared_{precision.suffix}",
        arithmetic=precision.arithmetic,
        dtypes=(precision.dtype,),
        reuse_level=ReuseLevel.REGISTERS,
        source=Path(__file__).with_suffix(".cu"),
        entry="mma_sync",
        cost=tiled_cost(
            {Level.DRAM: (cut.rows, cut.columns), Level.SHARED: (WARP_EDGE, WARP_EDGE)},
        ),
        launch=cut.launch,
        needs=Needs(compute_capability=(8, 0), shared_bytes_per_block=cut.shared_bytes),
        compile_options=(*precision.options, *cut.options),
        why_not=_why_not,
        promises=(more(Counted.TENSOR_PIPE_USE), less(Counted.BANK_CONFLICTS), less(Counted.LOAD_STALLS)),
    )


STAGES = tuple(stage(Cut(), precision) for precision in PRECISIONS)
