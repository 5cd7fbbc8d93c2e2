"""Tiles and block orders of a transpose side by side, beside a copy of as many bytes. Needs a GPU.

python -m bench.transpose_variants [SIDE]    (SIDE a multiple of 1024)
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

SOURCE = Path(__file__).with_name("transpose_variants.cu")
TILES = ((64, 64), (64, 32), (32, 64), (128, 32), (32, 128), (64, 128), (128, 64))
GROUPS = (0, -1, 2, 4, 8, 16)


def main() -> None:
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 8192
    base = registry.stage("transpose", BackendName.CUDA, "vector_tile")
    cells = {"vector_tile": base}
    for (rows, columns), group, threads, hint in product(TILES, GROUPS, (256, 512), (0, 1)):
        if hint and (group not in (0, 4) or threads == 512):
            continue
        launch = Launch(grid=(side // columns, side // rows, 1), block=(threads, 1, 1))
        cells[f"{rows}x{columns}, order {group}, {threads} threads, hint {hint}"] = variant(
            base,
            SOURCE,
            "transpose_variant",
            launch,
            ROWS=rows,
            COLUMNS=columns,
            GROUP=group,
            THREADS=threads,
            HINT=hint,
        )
    moved = 8 * side * side
    race("transpose", Size.of(rows=side, columns=side), cells, moved)
    copy = {name: registry.stage("copy", BackendName.CUDA, name) for name in ("vector_tail", "memcpy")}
    race("copy", Size.of(n=side * side), copy, moved)


if __name__ == "__main__":
    main()
