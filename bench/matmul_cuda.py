"""The FP32 matmul ladder and the roofs on this machine's GPU, without the service.

    python3 -m bench.matmul_cuda [--variant "BM=256,BN=128,WM=64,WN=64,TM=16,BLOCKS_PER_SM=1"]...

Needs a GPU, CuPy and NVRTC. Every stage is checked against float64 on fresh normal data with C poisoned
by NaN, then timed with events in interleaved rounds. A variant is double_buffer with other constants;
variants with spills are reported, not hidden. Exit status 1 when a result is wrong.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import cupy
import numpy as np

from app.backends import nvrtc
from app.domain.measurement import CompilerReport
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.stage import Launch, Stage

CHECKED = [
    (1, 1, 1),
    (1, 7, 3),
    (33, 1, 65),
    (129, 127, 31),
    (256, 256, 64),
    (1000, 999, 1001),
    (4097, 513, 129),
]
TIMED = [1024, 2048, 4096]
ROUNDS = 7
WINDOW_S = 0.03


@dataclass(frozen=True)
class Runner:
    """A stage ready to launch: C = A B by `launch(a, b, c, size)`."""

    name: str
    launch: Callable[..., None]
    report: CompilerReport | None


def runner_of(stage: Stage, architecture: str) -> Runner:
    if not stage.entry:
        return Runner(stage.name, lambda a, b, c, size: cupy.matmul(a, b, out=c), None)
    return compiled(stage, stage.source.read_text(encoding="utf-8"), architecture)


def compiled(stage: Stage, source: str, architecture: str) -> Runner:
    cubin, report = nvrtc.compile_cubin(source, stage.entry, architecture, stage.compile_options)
    module = cupy.cuda.function.Module()
    module.load(cubin)
    function = module.get_function(stage.entry)

    def launch(*arguments: object) -> None:
        *arrays, size = arguments
        assert stage.launch is not None
        shape = stage.launch(size)  # type: ignore[arg-type]
        scalars = [np.int32(value) for _, value in size.values]  # type: ignore[attr-defined]
        function(shape.grid, shape.block, (*arrays, *scalars), shape.dynamic_shared_bytes)

    return Runner(stage.name, launch, report)


def variant_of(stage: Stage, text: str, architecture: str) -> Runner:
    """double_buffer with other constants, its launch computed from them."""
    source = stage.source.read_text(encoding="utf-8")
    for pair in text.split(","):
        name, value = pair.split("=")
        source, count = re.subn(rf"\b{name} = \d+", f"{name} = {value}", source, count=1)
        if count != 1:
            sys.exit(f"double_buffer.cu has no constant {name}; nothing was measured.")

    def constant(name: str) -> int:
        found = re.search(rf"\b{name} = (\d+)", source)
        assert found is not None
        return int(found.group(1))

    rows, columns, threads = constant("BM"), constant("BN"), constant("THREADS")

    def launch(size: Size) -> Launch:
        return Launch((-(-size["n"] // columns), -(-size["m"] // rows), 1), (threads, 1, 1))

    return replace(compiled(replace(stage, launch=launch), source, architecture), name=text)


def is_right(runner: Runner, shape: tuple[int, int, int], offset: int) -> bool:
    """Check one shape; offset 1 makes every base pointer 4-byte aligned only."""
    m, n, k = shape
    size = Size.of(m=m, n=n, k=k)
    a, b = normal(m, k, offset), normal(k, n, offset)
    c = cupy.full(m * n + offset, cupy.nan, dtype=cupy.float32)[offset:].reshape(m, n)
    runner.launch(a, b, c, size)
    problem = registry.problem("matmul")
    expected = problem.reference(cupy, {"A": a, "B": b}, size)["C"]
    error = float(cupy.abs(c - expected).max() / cupy.abs(expected).max())
    passed = error <= problem.tolerance(size, Dtype.FLOAT32)
    if not passed:
        print(f"WRONG {runner.name} {problem.size_title(size)} offset {offset}: relative error {error:.2e}")
    return passed


def normal(rows: int, columns: int, offset: int = 0) -> cupy.ndarray:
    flat = cupy.random.standard_normal(rows * columns + offset, dtype=cupy.float32)
    return flat[offset:].reshape(rows, columns)


def seconds(launch: Callable[[], None], launches: int) -> float:
    start, end = cupy.cuda.Event(), cupy.cuda.Event()
    start.record()
    for _ in range(launches):
        launch()
    end.record()
    end.synchronize()
    return float(cupy.cuda.get_elapsed_time(start, end)) / 1e3 / launches


def time_all(launches: dict[str, Callable[[], None]]) -> dict[str, list[float]]:
    """Seconds a launch of each, in rounds that interleave them."""
    counts: dict[str, int] = {}
    for name, launch in launches.items():
        seconds(launch, 2)
        counts[name] = max(2, int(WINDOW_S / seconds(launch, 2)))
    times: dict[str, list[float]] = {name: [] for name in launches}
    for _ in range(ROUNDS):
        for name, launch in launches.items():
            times[name].append(seconds(launch, counts[name]))
    return times


def print_ladder(runners: list[Runner]) -> None:
    print(
        f"{'TFLOP/s, median of ' + str(ROUNDS):44}"
        + "".join(f"{n:>9}" for n in TIMED)
        + "  spread at the last"
    )
    columns: list[dict[str, list[float]]] = []
    for n in TIMED:
        a, b, c = normal(n, n), normal(n, n), cupy.empty((n, n), dtype=cupy.float32)
        size = Size.of(m=n, n=n, k=n)
        columns.append(time_all({r.name: partial(r.launch, a, b, c, size) for r in runners}))
    for runner in runners:
        rates = [
            2 * n**3 / statistics.median(t[runner.name]) / 1e12 for n, t in zip(TIMED, columns, strict=True)
        ]
        last = columns[-1][runner.name]
        spread = (max(last) - min(last)) / statistics.median(last)
        print(f"{runner.name:44}" + "".join(f"{rate:9.2f}" for rate in rates) + f"  {spread:.2%}")


def print_reports(runners: list[Runner]) -> None:
    for runner in runners:
        if runner.report is not None:
            r = runner.report
            print(
                f"{runner.name:44}{r.registers:4} registers {r.spill_bytes:4} B spilled "
                f"{r.static_shared_bytes:6} B shared  {r.architecture} {r.compiler}"
            )


def print_roofs(architecture: str, capability: tuple[int, int]) -> bool:
    passed = True
    for stage in registry.stages("ceilings", BackendName.CUDA):
        needed = stage.needs.compute_capability or capability
        if needed > capability or (stage.needs.same_major and needed[0] != capability[0]):
            continue
        assert stage.ceiling_size is not None
        runner = runner_of(stage, architecture)
        print_reports([runner])
        for n in (1, 7, 4099):
            x, z = normal(1, n)[0], cupy.full(n, cupy.nan, dtype=cupy.float32)
            runner.launch(x, x, z, Size.of(n=n))
            passed &= bool((x == z).all())
        size = stage.ceiling_size(0)
        x, z = normal(1, size["n"])[0], cupy.empty(size["n"], dtype=cupy.float32)
        times = time_all({stage.name: partial(runner.launch, x, x, z, size)})
        median = statistics.median(times[stage.name])
        cost = stage.cost(size, Dtype.FLOAT32)
        rates = cost.flop / median / 1e12, cost.least_dram_bytes / median / 1e9
        print(f"{stage.name:44}{rates[0]:9.2f} TFLOP/s {rates[1]:9.1f} GB/s")
    return passed


def print_checks(runners: list[Runner]) -> bool:
    wrong = 0
    for runner in runners:
        wrong += sum(not is_right(runner, shape, offset) for shape in CHECKED for offset in (0, 1))
    print(f"checked {len(runners)} kernels at {len(CHECKED)} sizes, aligned and not: {wrong} wrong")
    return wrong == 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variant", action="append", default=[], help="constants of double_buffer to try")
    parser.add_argument("--check-only", action="store_true", help="no timing, for compute-sanitizer")
    arguments = parser.parse_args()
    digits = cupy.cuda.Device().compute_capability
    capability = int(digits[:-1]), int(digits[-1])
    architecture = nvrtc.architecture_of(capability)
    ladder = registry.stages("matmul", BackendName.CUDA)
    runners = [runner_of(stage, architecture) for stage in ladder]
    buffered = registry.stage("matmul", BackendName.CUDA, "double_buffer")
    runners += [variant_of(buffered, text, architecture) for text in arguments.variant]
    print_reports(runners)
    passed = print_checks(runners)
    if arguments.check_only:
        return 0 if passed else 1
    print_ladder(runners)
    passed &= print_roofs(architecture, capability)
    query = "name,driver_version,clocks.sm,clocks.mem,power.draw,temperature.gpu"
    print(
        subprocess.run(
            ["nvidia-smi", f"--query-gpu={query}", "--format=csv"], capture_output=True, text=True
        ).stdout
    )
    print("all results right" if passed else "WRONG RESULTS, see above")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
