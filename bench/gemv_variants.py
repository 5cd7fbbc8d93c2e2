"""Rows a block, loads in flight and hints of a matrix-vector product side by side. Needs a GPU.

python -m bench.gemv_variants
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from app.domain.size import Size
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Launch
from bench.racing import race, variant

SOURCE = Path(__file__).with_name("gemv_variants.cu")
N, K = 16_384, 4096


def main() -> None:
    base = registry.stage("gemv", BackendName.CUDA, "float4_block")
    cells = {"float4_block": base}
    for rows, threads, depth, hint in product((1, 2, 4), (128, 256, 512), (1, 2, 4, 8), (0, 1, 2)):
        if 4 * threads * depth > K or rows * depth > 8:
            continue
        launch = Launch(grid=(N // rows, 1, 1), block=(threads, 1, 1))
        cells[f"{rows} rows, {threads} threads, {depth} deep, hint {hint}"] = variant(
            base, SOURCE, "gemv_variant", launch, ROWS=rows, THREADS=threads, DEPTH=depth, HINT=hint
        )
    race("gemv", Size.of(n=N, k=K), cells, 4 * N * K)


if __name__ == "__main__":
    main()
