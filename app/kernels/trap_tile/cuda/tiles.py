"""The padded tile and the trap beside it."""

from __future__ import annotations

from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, CellStatus, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage
from app.kernels.trap import Trap

TILE = 32
TRAP = Trap(
    fools="The result is right and nothing fails; only the time tells that a column of unpadded rows lies in "
    "one bank.",
    says="wavefronts where 1 would do",
    status=CellStatus.MEASURED,
    control="padded_tile",
    row_words=TILE,
)


def _cost(size: Size, dtype: Dtype) -> Cost:
    moved = 2 * dtype.item_bytes * size["n"] ** 2
    return Cost(0, moved, {Level.DRAM: moved})


def _launch(size: Size) -> Launch:
    tiles = -(-size["n"] // TILE)
    return Launch((tiles, tiles, 1), (TILE, TILE, 1))


def _tile(name: str, title: str, mechanism: str, pad: int, trap: Trap | None) -> Stage:
    return Stage(
        name=name,
        title=title,
        mechanism=mechanism,
        change=f"Rows of {TILE + pad} words",
        backend=BackendName.CUDA,
        improves_on=None,
        arithmetic=Arithmetic.NONE,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.SHARED,
        source=Path(__file__).with_name("turned_tile.cu"),
        entry="turned_tile",
        cost=_cost,
        launch=_launch,
        compile_options=(f"-DPAD={pad}",),
        trap=trap,
    )


STAGES = (
    _tile("padded_tile", "Padded tile", "Rows of 33 words: every column is clear", 1, None),
    _tile("unpadded_tile", "Unpadded tile", "Rows of 32 words: a column is one bank", 0, TRAP),
)
