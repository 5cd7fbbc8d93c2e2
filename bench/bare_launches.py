"""Launch one CUDA stage a few times and nothing else around it, for a profiler to look at.

    ncu --cache-control all --clock-control none --kernel-name register_tile \\
        --metrics gpu__time_duration.sum --csv python -m bench.bare_launches register_tile 4096 7
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.backends.cuda import CudaBackend
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry


def main() -> None:
    name, extent, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    backend = CudaBackend(Path("data/cache/cubins"))
    stage = registry.stage("matmul", BackendName.CUDA, name)
    size = Size.of(m=extent, n=extent, k=extent)
    cell = backend.prepare(stage, registry.problem("matmul"), size, Dtype.FLOAT32)
    for seed in range(count):
        print(cell.check(seed))


if __name__ == "__main__":
    main()
