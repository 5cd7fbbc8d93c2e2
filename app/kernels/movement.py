"""How a stage is declared that moves data and does no arithmetic worth a roof: its defaults in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from app.analysis.coalescing import SECTOR_BYTES, WARP
from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Level, ReuseLevel
from app.kernels.stage import Cost, Launch, Needs, Stage

THREADS = 256
CostOfSize = Callable[[Size, Dtype], Cost]
ROOF_OF_LEVEL: Mapping[Level, str] = {
    Level.DRAM: "dram_copy",
    Level.L2: "l2_read",
    Level.SHARED: "shared_read",
}


def moving_stage(
    name: str,
    declared_in: str,
    *,
    title: str,
    mechanism: str,
    change: str,
    cost: CostOfSize,
    launch: Callable[[Size], Launch],
    improves_on: str | None = None,
    source: str = "",
    needs: Needs | None = None,
    why_not: Callable[[Size], str | None] | None = None,
    compile_options: tuple[str, ...] = (),
    reuse_level: ReuseLevel = ReuseLevel.NONE,
    raises: tuple[str, ...] = (),
    resolves: tuple[str, ...] = (),
) -> Stage:
    """A CUDA stage beside `declared_in`, the `__file__` of its module.

    `source` names the kernel and its `.cu` where a family of stages shares them; else both bear `name`.
    """
    entry = source or name
    return Stage(
        name=name,
        title=title,
        mechanism=mechanism,
        change=change,
        backend=BackendName.CUDA,
        improves_on=improves_on,
        arithmetic=Arithmetic.NONE,
        dtypes=(Dtype.FLOAT32,),
        reuse_level=reuse_level,
        source=Path(declared_in).with_name(f"{entry}.cu"),
        entry=entry,
        cost=cost,
        launch=launch,
        needs=needs or Needs(),
        why_not=why_not,
        compile_options=compile_options,
        raises=raises,
        resolves=resolves,
    )


def blocks_of(count: int, per_block: int, threads: int = THREADS) -> Launch:
    """One-dimensional grid of blocks that each take `per_block` of `count` pieces."""
    return Launch(grid=(-(-count // per_block), 1, 1), block=(threads, 1, 1))


def sector_bytes(sectors_per_request: int, elements: int) -> int:
    """Bytes moved below the L1 when each request of 32 elements touches so many sectors."""
    return -(-elements // WARP) * sectors_per_request * SECTOR_BYTES


def useful(size_bytes: int, level_bytes: int | None = None, flop: int = 0) -> Cost:
    """Cost of movement: useful bytes, and what the pattern really asks of L2 and DRAM."""
    moved = level_bytes if level_bytes is not None else size_bytes
    return Cost(flop, size_bytes, {Level.DRAM: moved, Level.L2: moved})


def multiple_of(parameter: str, factor: int) -> Callable[[Size], str | None]:
    """The contract of a stage that takes only multiples."""

    def why_not(size: Size) -> str | None:
        if size[parameter] % factor == 0:
            return None
        return f"takes {parameter} as a multiple of {factor} only, {size[parameter]} is none"

    return why_not


def slowest_level_bandwidth(cost: Cost, evidence: DeviceEvidence) -> float | None:
    """Useful bytes per second when each level moves its bytes at its measured roof, all at once.

    The slowest level decides. A level without a measured roof is left out; None where DRAM has none.
    """
    roofs = {level: evidence.roof(name) for level, name in ROOF_OF_LEVEL.items()}
    if not roofs[Level.DRAM]:
        return None
    times_s = (
        moved / roof for level, moved in cost.bytes_by_level.items() if (roof := roofs.get(level)) is not None
    )
    return cost.least_dram_bytes / max(times_s)
