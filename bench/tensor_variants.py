"""Tensor rungs and variants raced against cuBLAS, burst and sustained. Needs a GPU.

    python -m bench.tensor_variants OUT [--limit-s 150] [--heat NAME]...

Everything is compiled first, then every contestant is checked at awkward sizes, each in a process of its
own with a deadline; a wrong or hanging one is out. Then heats: a process each, in which all its contestants
and the library's lines take turns on the same arrays. Burst: a rest, one launch, then 8 in a row.
Sustained: after heating, blocks of 2 s in mirrored order (library, own, own, library) for the two fastest.
Printed and appended to OUT/tensor_variants.txt: the fastest library line's time ÷ own time, median of the
rounds and their range. Exit status 1 when a contestant is wrong, faults or hangs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median

from app.backends.backend import PreparedCell
from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage
from app.kernels.tensor_matmul.cuda import mma_sync, wgmma
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS, Precision
from bench.gemm_variants import CUBINS, compile_ahead

PROBLEM = registry.problem("tensor_matmul")
LADDER = {s.name: s for s in registry.stages(PROBLEM.name, BackendName.CUDA)}
FP16, BF16 = PRECISIONS
CHECK_DEADLINE_S, CHECKS_AT_A_TIME, HEAT_DEADLINE_S = 60.0, 8, 60.0
BURST_ROUNDS, BURST_LAUNCHES, REST_S = 7, 8, 0.12
BLOCK_S, HEATING_S, MOST_QUEUED = 2.0, 0.6, 100

Build = Callable[[Precision], Stage]


def size(m: int, n: int, k: int) -> Size:
    return Size.of(m=m, n=n, k=k)


# One row, one group of columns, 1 to 10 blocks of the sum, edges on every side, more tiles than blocks.
CHECKED = (
    *(size(1, 8, 8), size(1, 1, 1), size(7, 5, 3), size(1, 520, 104), size(300, 8, 64), size(129, 127, 31)),
    *(size(129, 264, 72), size(257, 520, 200)),
    *(size(256, 512, 64 * blocks) for blocks in range(1, 11)),
    *(size(4097, 520, 136), size(2176, 2568, 192), size(4096, 8192, 192), size(3000, 4104, 1000)),
)


def best(label: str = "", **changes: object) -> Build:
    """The last rung with parts of it changed."""
    rung = next(r for r in wgmma.RUNGS if r.name == "wgmma_serpentine")
    changed = replace(rung, name=f"{rung.name}{label}", **changes)  # type: ignore[arg-type]
    return partial(wgmma.stage, changed)


def cut(label: str, **changes: int) -> Build:
    """The mma.sync rung cut another way."""
    return lambda precision: mma_sync.stage(mma_sync.Cut(**changes), precision, f"mma_sync{label}")


def declared(name: str) -> Build:
    """A rung as it stands."""
    return lambda precision: LADDER[f"{name}_{precision.suffix}"]


LAST: tuple[Build, ...] = (
    best(),
    best("_one_by_one", batch=1),
    best("_promotion_128", promotion_bytes=128),
    best("_prefetch_6", further=("-DPREFETCH=6",)),
    best("_stream", further=("-DSTREAM_RESULTS=1",)),
    best("_keep_stream", further=("-DKEEP_OPERANDS=1", "-DSTREAM_RESULTS=1")),
    best("_forwards", serpentine=False),
    best("_3_slots", slots=3, pieces=4, batch=4),
    best("_depth_8", depth=8),
    best("_cluster", cluster=2),
    best("_132_blocks", blocks=132),
    declared("wgmma_tma_store"),
)
SHORT = (LAST[0], LAST[1], LAST[7], LAST[8], LAST[11])
PORTABLE = (
    cut(""),
    cut("_high_tiles", rows=256, columns=128),
    cut("_4_slots", slots=4),
    cut("_small_tiles", columns=128, blocks_per_sm=2),
)


@dataclass(frozen=True)
class Heat:
    """Contestants that take turns at one size; `sustained`: how many of the fastest go on."""

    name: str
    precision: Precision
    edge: int
    builds: tuple[Build, ...]
    sustained: int = 0

    @property
    def stages(self) -> tuple[Stage, ...]:
        return tuple(build(self.precision) for build in self.builds)

    @property
    def libraries(self) -> tuple[Stage, ...]:
        return tuple(s for s in LADDER.values() if s.reference and self.precision.dtype in s.dtypes)


HEATS = (
    Heat("portable", BF16, 4096, PORTABLE),
    Heat("bf16_4096", BF16, 4096, SHORT, sustained=1),
    Heat("bf16_8192", BF16, 8192, SHORT, sustained=1),
    Heat("fp16_4096", FP16, 4096, SHORT, sustained=1),
    Heat("fp16_8192", FP16, 8192, SHORT, sustained=1),
    Heat("decisions", BF16, 4096, LAST, sustained=2),
)
RUNGS = Heat(
    "rungs",
    BF16,
    4096,
    tuple(
        declared(name)
        for name in (
            *("wmma_global", "wmma_shared", "mma_sync", "wgmma", "wgmma_ring", "wgmma_persistent"),
            *("wgmma_cluster", "wgmma_tma_store", "wgmma_serpentine"),
        )
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit-s", type=float, default=150.0, help="no heat begins that may end later")
    parser.add_argument("--heat", action="append", help="a heat's name, or rungs; may be repeated")
    parser.add_argument("--check", help="check this contestant in this process")
    parser.add_argument("--race", nargs=2, help="a heat and its contestants, in this process")
    arguments = parser.parse_args()
    out: Path = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    heats = [h for h in (*HEATS, RUNGS) if (h.name in arguments.heat if arguments.heat else h is not RUNGS)]
    stages = {s.name: s for heat in heats for s in heat.stages}
    if arguments.check:
        check(stages[arguments.check], out)
    elif arguments.race:
        heat = next(h for h in (*HEATS, RUNGS) if h.name == arguments.race[0])
        race(heat, [s for s in heat.stages if s.name in arguments.race[1].split(",")], out)
    else:
        sys.exit(0 if run(heats, list(stages.values()), out, arguments.limit_s) else 1)


def run(heats: Sequence[Heat], stages: list[Stage], out: Path, limit_s: float) -> bool:
    """Whether every contestant is right and every heat that began came to its end."""
    started = time.monotonic()
    compile_ahead(stages)
    record(out, f"compiled {len(stages)} contestants in {time.monotonic() - started:.1f} s")
    with ThreadPoolExecutor(CHECKS_AT_A_TIME) as pool:
        outcomes = list(pool.map(lambda s: child(out, ["--check", s.name], CHECK_DEADLINE_S), stages))
    right = {s.name for s, came_through in zip(stages, outcomes, strict=True) if came_through}
    record(
        out, f"checked in {time.monotonic() - started:.1f} s; out: {sorted({s.name for s in stages} - right)}"
    )
    complete = len(right) == len(stages)
    for heat in heats:
        left_s = limit_s - (time.monotonic() - started)
        names = [s.name for s in heat.stages if s.name in right]
        if left_s < HEAT_DEADLINE_S / 3 or not names:
            record(out, f"heat {heat.name} not run: {left_s:.0f} s and {len(names)} contestants are left")
            continue
        complete &= child(out, ["--race", heat.name, ",".join(names)], min(HEAT_DEADLINE_S, left_s))
        record(out, f"heat {heat.name} over after {time.monotonic() - started:.1f} s")
    return complete


def child(out: Path, arguments: list[str], deadline_s: float) -> bool:
    """Whether a process of its own came through. One that overruns its deadline is killed."""
    command = [sys.executable, "-m", "bench.tensor_variants", str(out), *arguments]
    try:
        status = subprocess.run(command, timeout=deadline_s, check=False).returncode
    except subprocess.TimeoutExpired:
        record(out, f"{arguments} HANGS or is too slow: killed after {deadline_s:.0f} s")
        return False
    if status:
        record(out, f"{arguments} FAILED with exit status {status}")
    return status == 0


def check(stage: Stage, out: Path) -> None:
    """All of C at every awkward size that the stage takes. Exits with 1 at the first wrong result."""
    from app.backends.cuda import CudaBackend

    backend, (dtype,) = CudaBackend(CUBINS), stage.dtypes
    worst, taken = 0.0, [s for s in CHECKED if not (stage.why_not and stage.why_not(s))]
    for at in taken:
        found = backend.prepare(stage, PROBLEM, at, dtype).check(seed=1)
        backend.release()
        if not found.passed_before:
            record(out, f"{stage.name:46s} WRONG at {at.key}: {found.detail}")
            sys.exit(1)
        worst = max(worst, (found.max_relative_error or 0.0) / found.tolerance)
    record(out, f"{stage.name:46s} right at {len(taken)} sizes, worst {worst:.2f} of the tolerance")


def race(heat: Heat, stages: Sequence[Stage], out: Path) -> None:
    """Burst for all, sustained for the fastest."""
    from app.backends.cuda import CudaBackend

    backend, dtype = CudaBackend(CUBINS), heat.precision.dtype
    at = size(heat.edge, heat.edge, heat.edge)
    cells = {s.name: backend.prepare(s, PROBLEM, at, dtype) for s in (*heat.libraries, *stages)}
    wrong = [s.name for s in stages if not cells[s.name].check(seed=2).passed_before]
    if wrong:
        record(out, f"WRONG at {at.key}: {wrong}")
        sys.exit(1)
    for cell in cells.values():
        cell.warm_up(0.05)
    flop = stages[0].cost(at, dtype).flop
    times = burst(cells)
    libraries = {s.name for s in heat.libraries}
    fastest = min(libraries, key=lambda name: median(times[name]))
    tell(out, heat, "burst", flop, fastest, times)
    for own in sorted(times.keys() - libraries, key=lambda name: median(times[name]))[: heat.sustained]:
        tell(out, heat, "sustained", flop, fastest, sustained(fastest, own, cells))


def burst(cells: dict[str, PreparedCell]) -> dict[str, list[float]]:
    """Seconds a launch of each; the order is turned round every other time."""
    times: dict[str, list[float]] = {name: [] for name in cells}
    for turn in range(BURST_ROUNDS):
        for name in list(cells)[:: 1 if turn % 2 == 0 else -1]:
            time.sleep(REST_S)
            cells[name].time_warm(1)
            times[name].append(cells[name].time_warm(BURST_LAUNCHES))
    return times


def sustained(library: str, own: str, cells: dict[str, PreparedCell]) -> dict[str, list[float]]:
    """One mirrored round of blocks, after both have heated the device."""

    def block(name: str, seconds: float) -> float:
        ends_at, times = time.monotonic() + seconds, []
        while time.monotonic() < ends_at:
            times.append(cells[name].time_warm(MOST_QUEUED))
        return sum(times) / len(times)

    block(library, HEATING_S)
    block(own, HEATING_S)
    order = (library, own, own, library)
    found = [block(name, BLOCK_S) for name in order]
    return {name: [t for n, t in zip(order, found, strict=True) if n == name] for name in (library, own)}


def tell(out: Path, heat: Heat, regime: str, flop: int, library: str, times: dict[str, list[float]]) -> None:
    for line in lines_of(heat, regime, flop, library, times):
        record(out, line)


def lines_of(
    heat: Heat, regime: str, flop: int, library: str, times: dict[str, list[float]]
) -> Iterator[str]:
    """A line a contestant, fastest first: rate, and library time ÷ own time round by round."""
    for name in sorted(times, key=lambda n: median(times[n])):
        ratios = [theirs / own for theirs, own in zip(times[library], times[name], strict=True)]
        yield (
            f"{name:46s} {heat.edge}³ {regime:9s} {flop / median(times[name]) / 1e12:6.1f} TFLOP/s"
            f"  {library} ÷ own {median(ratios):.4f} [{min(ratios):.4f}–{max(ratios):.4f}]"
        )


def record(out: Path, line: str) -> None:
    print(line, flush=True)
    with (out / "tensor_variants.txt").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    main()
