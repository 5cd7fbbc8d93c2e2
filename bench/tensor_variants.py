"""Tensor rungs and variants of the last one raced against cuBLAS, burst and sustained. Needs a GPU.

    python -m bench.tensor_variants OUT [--limit-s 150] [--only NAME]... [--sustained NAME]...

Everything is compiled first, side by side. Then each variant has a process of its own with a deadline: it
is checked at awkward sizes, then timed in turn with the fastest of cublasGemmEx and cuBLASLt's eight
heuristics on the same arrays. Burst: a rest, one launch, then 8 in a row. Sustained: both heated, then
blocks of 2 s in mirrored order (library, own, own, library). Printed and appended to
OUT/tensor_variants.txt: library time ÷ own time, median of the rounds and their range. Exit status 1 when a
variant is wrong, faults or hangs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from app.backends.backend import Backend, PreparedCell
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.stage import Stage
from app.kernels.tensor_matmul.cuda import mma_sync, wgmma
from app.kernels.tensor_matmul.cuda.precisions import PRECISIONS
from bench.gemm_variants import compile_ahead

PROBLEM = registry.problem("tensor_matmul")
LADDER = {s.name: s for s in registry.stages(PROBLEM.name, BackendName.CUDA)}
LARGE = (4096, 8192)
CHECK_DEADLINE_S, BURST_S, SUSTAINED_S = 20.0, 6.0, 12.0
BURST_ROUNDS, BURST_LAUNCHES, REST_S = 8, 8, 0.15
BLOCK_S, HEAT_S = 2.0, 0.6


def size(m: int, n: int, k: int) -> Size:
    return Size.of(m=m, n=n, k=k)


# One row, one group of columns, 1 to 10 blocks of the sum, edges on every side, more tiles than blocks.
CHECKED = (
    *(size(1, 8, 8), size(1, 1, 1), size(7, 5, 3), size(1, 520, 104), size(300, 8, 64), size(129, 127, 31)),
    *(size(129, 264, 72), size(257, 520, 200)),
    *(size(256, 512, 64 * blocks) for blocks in range(1, 11)),
    *(size(4097, 520, 136), size(2176, 2568, 192), size(4096, 8192, 192), size(3000, 4104, 1000)),
)


@dataclass(frozen=True)
class Entry:
    """A contestant: which sizes it is timed at, and whether sustained too."""

    stage: Stage
    sizes: tuple[int, ...] = LARGE
    sustained: bool = False


def entries() -> Iterator[Entry]:
    """The best rung first, then the rungs below it, then other cuts, since time may run out."""
    fp16, bf16 = PRECISIONS
    best = next(r for r in wgmma.RUNGS if r.name == "wgmma_tma_store")
    yield Entry(wgmma.stage(best, bf16), sustained=True)
    yield Entry(wgmma.stage(best, fp16))
    yield from (Entry(wgmma.stage(r, bf16), LARGE[:1]) for r in wgmma.RUNGS if r is not best)
    yield from (Entry(s, LARGE[:1]) for s in LADDER.values() if is_portable(s) and bf16.dtype in s.dtypes)
    for label, rung in {
        "serpentine": replace(best, further=("-DSERPENTINE=1",)),
        "serpentine_stream": replace(best, further=("-DSERPENTINE=1", "-DSTREAM_RESULTS=1")),
        "promotion_256": replace(best, promotion_bytes=256),
        "4_slots_2_pieces": replace(best, slots=4, pieces=2),
    }.items():
        yield Entry(wgmma.stage(replace(rung, name=f"{best.name}_{label}"), bf16))
    for label, cut in {
        "4_slots": mma_sync.Cut(slots=4),
        "small_tiles": mma_sync.Cut(columns=128, blocks_per_sm=2),
        "high_tiles": mma_sync.Cut(rows=256, columns=128),
    }.items():
        yield Entry(mma_sync.stage(cut, bf16, f"mma_sync_{label}"), LARGE[:1])


def is_portable(stage: Stage) -> bool:
    """A rung before the Hopper ones; split-K has a race of its own."""
    return bool(stage.entry) and stage.entry not in ("wgmma", "split_k")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit-s", type=float, default=150.0, help="no variant begins that may end later")
    parser.add_argument("--only", action="append", help="a variant's name; may be repeated")
    parser.add_argument("--sustained", action="append", default=[], help="time this one sustained too")
    parser.add_argument("--child", help="measure this variant in this process")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    wanted = [
        replace(e, sustained=e.sustained or e.stage.name in arguments.sustained)
        for e in entries()
        if not arguments.only or e.stage.name in arguments.only
    ]
    if arguments.child:
        measure(next(e for e in wanted if e.stage.name == arguments.child), arguments.out)
        return
    started = time.monotonic()
    compile_ahead([e.stage for e in wanted])
    record(arguments.out, f"compiled {len(wanted)} variants in {time.monotonic() - started:.1f} s")
    failed = 0
    for entry in wanted:
        left_s = arguments.limit_s - (time.monotonic() - started)
        failed += not in_own_process(entry, arguments.out, left_s)
    sys.exit(1 if failed else 0)


def in_own_process(entry: Entry, out: Path, left_s: float) -> bool:
    """Whether the variant came through or had no time left. A child that overruns its deadline is killed."""
    name = entry.stage.name
    deadline_s = CHECK_DEADLINE_S + len(entry.sizes) * (BURST_S + entry.sustained * SUSTAINED_S)
    if left_s < deadline_s / 2:
        record(out, f"{name:36s} not run: {left_s:.0f} s are left")
        return True
    command = [sys.executable, "-m", "bench.tensor_variants", str(out), "--child", name]
    command += ["--sustained", name] if entry.sustained else []
    try:
        status = subprocess.run(command, timeout=min(deadline_s, left_s), check=False).returncode
    except subprocess.TimeoutExpired:
        record(out, f"{name:36s} HANGS or is too slow: killed after {min(deadline_s, left_s):.0f} s")
        return False
    if status:
        record(out, f"{name:36s} FAILED with exit status {status}")
    return status == 0


def measure(entry: Entry, out: Path) -> None:
    """Check, then time one variant in this process. Exits with 1 at the first wrong result."""
    from app.backends.cuda import CudaBackend

    backend = CudaBackend(out / "cubins")
    stage, (dtype,) = entry.stage, entry.stage.dtypes
    taken = [s for s in CHECKED if not (stage.why_not and stage.why_not(s))]
    worst = max(checked(backend, stage, s, dtype, out) for s in taken)
    record(out, f"{stage.name:36s} right at {len(taken)} sizes, worst {worst:.2f} of the tolerance")
    for edge in entry.sizes:
        large = size(edge, edge, edge)
        checked(backend, stage, large, dtype, out)
        time_against_library(backend, entry, large, dtype, out)
        backend.release()


def checked(backend: Backend, stage: Stage, at: Size, dtype: Dtype, out: Path) -> float:
    """The largest error as a share of the tolerance."""
    found = backend.prepare(stage, PROBLEM, at, dtype).check(seed=1)
    backend.release()
    if not found.passed_before:
        record(out, f"{stage.name:36s} WRONG at {at.key}: {found.detail}")
        sys.exit(1)
    return (found.max_relative_error or 0.0) / found.tolerance


def time_against_library(backend: Backend, entry: Entry, at: Size, dtype: Dtype, out: Path) -> None:
    own = backend.prepare(entry.stage, PROBLEM, at, dtype)
    lines = {
        s.name: backend.prepare(s, PROBLEM, at, dtype)
        for s in LADDER.values()
        if s.reference and dtype in s.dtypes
    }
    launch_s = max(own.warm_up(0.1), *(cell.warm_up(0.1) for cell in lines.values()))
    hot = {name: cell.time_warm(40) for name, cell in lines.items()}
    fastest = min(hot, key=lambda name: hot[name])
    regimes: list[tuple[str, list[tuple[float, float]]]] = [("burst", burst(own, lines[fastest]))]
    if entry.sustained:
        regimes.append(("sustained", sustained(own, lines[fastest], launch_s)))
    flop = entry.stage.cost(at, dtype).flop
    for regime, pairs in regimes:
        ratios = [library_s / own_s for library_s, own_s in pairs]
        library_rate, own_rate = (flop / median(times) / 1e12 for times in zip(*pairs, strict=True))
        record(
            out,
            f"{entry.stage.name:36s} {PROBLEM.size_title(at):>6s} {regime:9s}"
            f" {own_rate:6.1f} against {library_rate:6.1f} TFLOP/s of {fastest}"
            f"  ratio {median(ratios):.4f} [{min(ratios):.4f}–{max(ratios):.4f}]",
        )


def burst(own: PreparedCell, library: PreparedCell) -> list[tuple[float, float]]:
    """Pairs of seconds a launch, library and own; who comes first changes from round to round."""

    def rested(cell: PreparedCell) -> float:
        time.sleep(REST_S)
        cell.time_warm(1)
        return cell.time_warm(BURST_LAUNCHES)

    pairs = []
    for turn in range(BURST_ROUNDS):
        order = (library, own) if turn % 2 == 0 else (own, library)
        found = {id(cell): rested(cell) for cell in order}
        pairs.append((found[id(library)], found[id(own)]))
    return pairs


def sustained(own: PreparedCell, library: PreparedCell, launch_s: float) -> list[tuple[float, float]]:
    """One mirrored round in blocks of BLOCK_S each, after both have heated the device."""
    launches = max(1, round(0.1 / launch_s))

    def block(cell: PreparedCell, seconds: float) -> float:
        ends_at, times = time.monotonic() + seconds, []
        while time.monotonic() < ends_at:
            times.append(cell.time_warm(launches))
        return sum(times) / len(times)

    block(library, HEAT_S)
    block(own, HEAT_S)
    before, own_first, own_again, after = (block(cell, BLOCK_S) for cell in (library, own, own, library))
    return [(before, own_first), (after, own_again)]


def record(out: Path, line: str) -> None:
    print(line, flush=True)
    with (out / "tensor_variants.txt").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


if __name__ == "__main__":
    main()
