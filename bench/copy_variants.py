"""Shapes of a copy side by side, against `cudaMemcpy`: float4 a thread, hints, threads. Needs a GPU.

python -m bench.copy_variants [N]
"""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import median

from app.backends.cuda import CudaBackend
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.kernels.stage import Launch

SOURCE = Path(__file__).with_name("copy_variants.cu")
ROUNDS = 12


def main() -> None:
    size = Size.of(n=int(sys.argv[1]) if len(sys.argv) > 1 else 2**28)
    backend, problem = CudaBackend(Path("data/cache/cubins")), registry.problem("copy")
    base = registry.stage("copy", BackendName.CUDA, "vector_tail")
    cells = {"memcpy": registry.stage("copy", BackendName.CUDA, "memcpy"), "vector_tail": base}
    for threads, loads, hint in product((256, 512, 1024), (1, 2, 4), (0, 1, 2)):
        quads = -(-size["n"] // 4)
        launch = Launch(grid=(-(-quads // (threads * loads)), 1, 1), block=(threads, 1, 1))
        cells[f"{threads} threads, {loads} loads, hint {hint}"] = replace(
            base,
            name=f"t{threads}l{loads}h{hint}",
            source=SOURCE,
            entry="copy_variant",
            launch=lambda _size, launch=launch: launch,
            compile_options=(f"-DTHREADS={threads}", f"-DLOADS={loads}", f"-DHINT={hint}"),
        )
    prepared = {name: backend.prepare(stage, problem, size, Dtype.FLOAT32) for name, stage in cells.items()}
    for name, cell in prepared.items():
        assert cell.check(1).passed_before, name
    cold: dict[str, list[float]] = {name: [] for name in prepared}
    warm: dict[str, list[float]] = {name: [] for name in prepared}
    for _ in range(ROUNDS):
        for name, cell in prepared.items():
            cold[name].append(cell.time_cold())
            warm[name].append(cell.time_warm(4))
    moved = 8 * size["n"]
    for name in sorted(prepared, key=lambda n: median(cold[n])):
        rates = (moved / median(times[name]) / 1e9 for times in (cold, warm))
        print(f"{name:34s} cold {next(rates):7.1f} GB/s, warm {next(rates):7.1f} GB/s")


if __name__ == "__main__":
    main()
