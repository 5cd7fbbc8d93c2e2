"""Shapes of a copy side by side, against `cudaMemcpy`: float4 a thread, hints, threads. Needs a GPU.

python -m bench.copy_variants [N]
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Launch
from bench.racing import race, variant

SOURCE = Path(__file__).with_name("copy_variants.cu")


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2**28
    base = registry.stage("copy", BackendName.CUDA, "vector_tail")
    cells = {"memcpy": registry.stage("copy", BackendName.CUDA, "memcpy"), "vector_tail": base}
    for threads, loads, hint in product((256, 512, 1024), (1, 2, 4), (0, 1, 2)):
        launch = Launch(grid=(-(-n // (4 * threads * loads)), 1, 1), block=(threads, 1, 1))
        cells[f"{threads} threads, {loads} loads, hint {hint}"] = variant(
            base, SOURCE, "copy_variant", launch, THREADS=threads, LOADS=loads, HINT=hint
        )
    race("copy", Size.of(n=n), cells, 8 * n)


if __name__ == "__main__":
    main()
