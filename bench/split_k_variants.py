"""Split-K stages and other cuts of them against the library on the two long-sum shapes. Needs a GPU.

    python3 -m bench.split_k_variants OUT

Appends to the file OUT. A child process a data type checks every stage at awkward sizes against float64, then
samples stages, variants and library lines in turn, cold and warm, and states how many times faster than the
fastest library line each is. A child that hangs is ended after its deadline and costs no other its result.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from app.backends.backend import PreparedCell
from app.backends.cuda import CudaBackend
from app.domain.errors import StageFailure
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.splitting import Split
from app.kernels.stage import Launch, Stage

DEADLINE_S = 40.0
ROUNDS = 15
SHAPES = (Size.of(m=64, n=64, k=16_384), Size.of(m=1, n=4096, k=16_384))
CHECKED = tuple(
    Size.of(m=m, n=n, k=k)
    for m, n, k in (
        *(
            (1, 1, 1),
            (1, 7, 3),
            (33, 1, 65),
            (8, 130, 515),
            (7, 4100, 1024),
            (2, 128, 16_384),
            (3, 260, 4096),
        ),
        *(
            (64, 64, 16),
            (63, 65, 16_380),
            (100, 200, 3000),
            (257, 300, 129),
            (64, 64, 16_384),
            (1, 4096, 16_384),
        ),
    )
)
OWN_ENTRIES = ("split_k", "row_split", "row_dot")
PROBLEM_OF = {Dtype.FLOAT32: "matmul", Dtype.FLOAT16: "tensor_matmul", Dtype.BFLOAT16: "tensor_matmul"}


@dataclass(frozen=True)
class Variant:
    """A stage with parts of its source and its cut changed."""

    stage: str
    edits: Mapping[str, str]
    split: Split
    threads: int
    shared_bytes: int = 0

    @property
    def name(self) -> str:
        return f"{self.stage} " + ", ".join(self.edits.values()) + f", {self.split.blocks_per_sm} an SM"


def fp32_variants() -> Iterator[Variant]:
    for depth, buffers, blocks in ((8, 6, 1), (8, 3, 2), (8, 4, 2), (4, 6, 1)):
        yield Variant(
            "split_k",
            {
                "BK = 8, BUFFERS = 4": f"BK = {depth}, BUFFERS = {buffers}",
                "__launch_bounds__(THREADS, 1)": f"__launch_bounds__(THREADS, {blocks})",
            },
            Split(32, 32, depth, 8, blocks),
            256,
            4 * 8 * buffers * (32 * (depth + 4) + depth * 32),
        )
    for side, warps, blocks, depth in (
        *((4, 8, 2, 8), (2, 8, 2, 8), (4, 8, 2, 16), (4, 8, 2, 4), (8, 8, 2, 8), (2, 8, 4, 4), (1, 4, 8, 4)),
        *((4, 8, 1, 16), (2, 4, 4, 8)),
    ):
        yield Variant(
            "row_split",
            {
                "multiply_rows<1, 8>": f"multiply_rows<1, {depth}>",
                "SIDE = 1, WARPS = 8": f"SIDE = {side}, WARPS = {warps}",
                "BLOCKS_PER_SM = 2": f"BLOCKS_PER_SM = {blocks}",
            },
            Split(8, 128 * side, 1, 8, blocks),
            32 * warps,
        )
    yield Variant("row_split", {"__ldg(reinterpret": "__ldcs(reinterpret"}, Split(8, 128, 1, 64, 2), 256)


def tensor_variants() -> Iterator[Variant]:
    shape = "COLUMNS = 4, THREADS = 256, BLOCKS_PER_SM = 4, DEPTH = 2"
    for columns, threads, blocks, depth in (
        *((2, 256, 4, 4), (2, 256, 8, 2), (1, 256, 4, 4), (1, 256, 8, 2), (4, 128, 8, 2), (8, 128, 4, 1)),
        *((4, 256, 3, 2), (4, 512, 2, 2), (2, 512, 2, 4), (2, 128, 8, 4)),
    ):
        yield Variant(
            "row_dot_fp16",
            {shape: f"COLUMNS = {columns}, THREADS = {threads}, BLOCKS_PER_SM = {blocks}, DEPTH = {depth}"},
            Split(2, columns, 1, 2**31),
            threads,
        )
    yield Variant("row_dot_fp16", {"__ldg(reinterpret": "__ldcs(reinterpret"}, Split(2, 4, 1, 2**31), 256)


VARIANTS = {Dtype.FLOAT32: fp32_variants, Dtype.FLOAT16: tensor_variants, Dtype.BFLOAT16: lambda: iter(())}


def edited(base: Stage, variant: Variant, folder: Path) -> Stage:
    """The stage with its source edited; exits where an edit no longer meets its text."""
    source = base.source.read_text(encoding="utf-8")
    for old, new in variant.edits.items():
        if old not in source:
            sys.exit(f"{base.source.name} no longer holds {old!r}; nothing was measured.")
        source = source.replace(old, new)
    path = folder / f"{abs(hash(variant.name))}.cu"
    path.write_text(source, encoding="utf-8")
    split, across = variant.split, base.entry == "row_split"

    def launch(size: Size) -> Launch:
        columns, rows = -(-size["n"] // split.tile_columns), -(-size["m"] // split.tile_rows)
        slices = split.slices(size)
        grid = (columns, slices, 1) if across else (columns, rows, slices)
        return Launch(grid, (variant.threads, 1, 1), variant.shared_bytes)

    changed = replace(base, name=variant.name, source=path, launch=launch)
    return replace(changed, scratch_bytes=split.scratch_bytes) if base.scratch_bytes else changed


def prepared(
    backend: CudaBackend, stage: Stage, problem: Problem, size: Size, dtype: Dtype
) -> PreparedCell | None:
    """The cell when its result is right; else None, and the reason is printed."""
    reason = backend.why_unsupported(stage, problem, size, dtype) or (stage.why_not and stage.why_not(size))
    if reason:
        return None
    try:
        cell = backend.prepare(stage, problem, size, dtype)
        found = cell.check(1)
        again = cell.check(2)
    except StageFailure as failure:
        print(f"FAILED {stage.name} {size.key}: {failure.message}", flush=True)
        return None
    if found.passed_before and again.passed_before:
        return cell
    print(f"WRONG {stage.name} {size.key}: {found.detail or again.detail}", flush=True)
    return None


def check(backend: CudaBackend, stages: list[Stage], problem: Problem, dtype: Dtype) -> None:
    right = sum(
        prepared(backend, stage, problem, size, dtype) is not None
        for size in CHECKED
        for stage in stages
        if not (stage.why_not and stage.why_not(size))
    )
    print(
        f"{dtype}: {right} cells of {', '.join(s.name for s in stages)} right at {len(CHECKED)} sizes",
        flush=True,
    )
    backend.release()


def race(backend: CudaBackend, stages: list[Stage], problem: Problem, size: Size, dtype: Dtype) -> None:
    cells = {s: cell for s in stages if (cell := prepared(backend, s, problem, size, dtype)) is not None}
    cold: dict[Stage, list[float]] = {s: [] for s in cells}
    warm: dict[Stage, list[float]] = {s: [] for s in cells}
    for cell in cells.values():
        cell.warm_up(0.01)
    for _ in range(ROUNDS):
        for stage, cell in cells.items():
            cold[stage].append(cell.time_cold())
            warm[stage].append(cell.time_warm(10))
    library = [min((median(t[s]) for s in t if s.reference), default=float("nan")) for t in (cold, warm)]
    print(
        f"\n{dtype} {problem.size_title(size)}, µs cold and warm, times faster than the fastest library line"
    )
    for stage in sorted(cells, key=lambda s: median(cold[s])):
        times = median(cold[stage]), median(warm[stage])
        ratios = (lib / own for lib, own in zip(library, times, strict=True))
        moved = stage.cost(size, dtype).least_dram_bytes / times[0] / 1e9
        print(
            f"  {times[0] * 1e6:8.2f} {times[1] * 1e6:8.2f}  {next(ratios):.3f} {next(ratios):.3f}  "
            f"{moved:7.0f} GB/s cold  {stage.name if stage.entry else cells[stage].recipe.library}",
            flush=True,
        )
    backend.release()


def measure(dtype: Dtype, cache: Path) -> None:
    """The child's work."""
    backend, problem = CudaBackend(cache), registry.problem(PROBLEM_OF[dtype])
    ladder = [s for s in registry.stages(problem.name, BackendName.CUDA) if dtype in s.dtypes]
    own = [s for s in ladder if s.entry in OWN_ENTRIES]
    with tempfile.TemporaryDirectory() as folder:
        by_name = {s.name: s for s in own}
        variants = [edited(by_name[v.stage], v, Path(folder)) for v in VARIANTS[dtype]()]
        backend.compile_ahead([*own, *variants])
        check(backend, own, problem, dtype)
        for size in SHAPES:
            race(backend, [*own, *variants, *(s for s in ladder if s.reference)], problem, size, dtype)


def run_child(dtype: Dtype, out: Path) -> None:
    """One data type in a process of its own, ended with its group after the deadline."""
    command = [sys.executable, "-m", "bench.split_k_variants", str(out), "--child", dtype.value]
    with out.open("a", encoding="utf-8") as log:
        child = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = child.wait(timeout=DEADLINE_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            log.write(f"\n{dtype}: ended after {DEADLINE_S:.0f} s without an end\n")
            return
        if status != 0:
            log.write(f"\n{dtype}: ended with status {status}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--child", choices=[d.value for d in PROBLEM_OF])
    arguments = parser.parse_args()
    if arguments.child:
        measure(Dtype(arguments.child), Path("data/cache/cubins"))
        return
    for dtype in PROBLEM_OF:
        run_child(dtype, arguments.out)


if __name__ == "__main__":
    main()
