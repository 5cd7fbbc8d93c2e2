"""Tiles of 8, 16 and 32 with padded rows, and 16 without."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.matmul.cost import tiled_cost
from app.kernels.stage import Launch, Stage

TILES = (8, 16, 32)


def _tile(name: str, edge: int, padding: int, parent: str, change: str) -> Stage:
    def launch(size: Size) -> Launch:
        return Launch(grid=(-(-size["n"] // edge), -(-size["m"] // edge), 1), block=(edge, edge, 1))

    row = f"[{edge}][{edge + padding}]"
    return Stage(
        name=name,
        title=f"Tile {row}",
        mechanism=f"Tiles {row} of A and B in shared memory",
        change=change,
        backend=BackendName.CUDA,
        improves_on=parent,
        arithmetic=Arithmetic.FP32,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.SHARED,
        source=Path(__file__).with_suffix(".cu"),
        entry="tile",
        compile_options=(f"-DTILE={edge}", f"-DPADDING={padding}"),
        cost=tiled_cost({Level.DRAM: (edge, edge), Level.SHARED: (1, 1)}),
        launch=launch,
    )


STAGES = (
    _tile("padded_8", 8, 1, "naive", "Each value loaded serves 8 threads of the block"),
    _tile("padded_16", 16, 1, "padded_8", "Each value loaded serves 16 threads"),
    _tile("padded_32", 32, 1, "padded_16", "Each value loaded serves 32 threads of one full block"),
    _tile("unpadded_16", 16, 0, "naive", "As tile 16, rows without the word of padding"),
)
