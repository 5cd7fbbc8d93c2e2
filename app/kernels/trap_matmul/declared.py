"""How both backends declare the traps of a matrix product."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, CellStatus, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Stage
from app.kernels.trap import Trap


def flop_count(n: int) -> int:
    """A multiply and an add for each of n³ terms."""
    return 2 * n**3


def flop_count_in_32_bits(n: int) -> int:
    """The same as a C `int` would hold it."""
    wrapped = flop_count(n) % 2**32
    return wrapped - 2**32 if wrapped >= 2**31 else wrapped


def tile_without_edge(
    backend: BackendName, source: Path, entry: str, launch: Callable[[Size], Launch] | None = None
) -> Stage:
    """Whole tiles only: the rest of the result is never written."""
    trap = Trap(
        fools="With a grid of n / TILE blocks the last rows and columns are never computed: the kernel does "
        "less work, and looks faster, at every size that is no multiple of TILE.",
        says="was not written",
        status=CellStatus.WRONG_RESULT,
    )
    words = ("Size no multiple of the tile", "Computes whole tiles only")
    return _product("tile_without_edge", words, backend, source, entry, launch, flop_count, trap)


def flop_in_32_bits(
    backend: BackendName, source: Path, entry: str, launch: Callable[[Size], Launch] | None = None
) -> Stage:
    """A right kernel whose work is counted in 32 bits."""
    trap = Trap(
        fools="2·N³ reaches 2³¹ at N = 1024: the count turns negative, or into a smaller number, "
        "and every rate with it.",
        says="a 32-bit integer overflowed",
        status=CellStatus.FAILED,
    )
    words = ("FLOP counted in 32 bits", "Right result, overflowed count of operations")
    return _product("flop_in_32_bits", words, backend, source, entry, launch, flop_count_in_32_bits, trap)


def _product(
    name: str,
    words: tuple[str, str],
    backend: BackendName,
    source: Path,
    entry: str,
    launch: Callable[[Size], Launch] | None,
    count: Callable[[int], int],
    trap: Trap,
) -> Stage:
    def cost(size: Size, dtype: Dtype) -> Cost:
        moved = 3 * dtype.item_bytes * size["n"] ** 2
        return Cost(count(size["n"]), moved, {Level.DRAM: moved})

    return Stage(
        name=name,
        title=words[0],
        mechanism=words[1],
        change="A fault made on purpose",
        backend=backend,
        improves_on=None,
        arithmetic=Arithmetic.FP32,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=ReuseLevel.NONE,
        source=source,
        entry=entry,
        cost=cost,
        launch=launch,
        trap=trap,
    )
