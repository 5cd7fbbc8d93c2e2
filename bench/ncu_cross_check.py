"""Compare the product's cold medians with Nsight Compute's time of the same kernels.

ncu runs this module as its target: every CUDA stage of the matmul ladder is launched LAUNCHES times
at 4096 through the backend's own correctness check, which needs no blocking kernel (ncu would
serialise it for ever). `--cache-control all` flushes before each launch, `--clock-control none`
leaves the clocks as the product sees them.
"""

from __future__ import annotations

import csv
import io
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

LAUNCHES = 7


def launch_all() -> None:
    from app.backends.cuda import CudaBackend
    from app.domain.size import Size
    from app.domain.vocabulary import BackendName, Dtype
    from app.kernels import registry

    backend = CudaBackend(Path("data/cache/cubins"))
    problem = registry.problem("matmul")
    size = Size.of(m=4096, n=4096, k=4096)
    for stage in registry.stages("matmul", BackendName.CUDA):
        cell = backend.prepare(stage, problem, size, Dtype.FLOAT32)
        for seed in range(LAUNCHES):
            cell.check(seed)
        backend.release()


def times_by_kernel() -> dict[str, list[float]]:
    command = [
        "ncu", "--cache-control", "all", "--clock-control", "none", "--print-units", "base", "--csv",
        "--metrics", "gpu__time_duration.sum", sys.executable, "-m", "bench.ncu_cross_check",
    ]  # fmt: skip
    output = subprocess.run(command, capture_output=True, text=True, timeout=540)
    lines = [line for line in output.stdout.splitlines() if line.startswith('"')]
    found: dict[str, list[float]] = defaultdict(list)
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        if row["Metric Name"] == "gpu__time_duration.sum":
            found[row["Kernel Name"]].append(float(row["Metric Value"].replace(",", "")) * 1e-9)
    if not found:
        print(output.stdout[-2000:], output.stderr[-2000:])
    return found


def cross_check(cold_median_s: dict[str, float]) -> None:
    """Print product against ncu for each stage's cold median (seconds by stage name)."""
    found = times_by_kernel()
    for name, times in sorted(found.items()):
        print(f"ncu {name[:90]:90s} n={len(times)} median {statistics.median(times) * 1e3:.4f} ms")
    for stage, ours in cold_median_s.items():
        names = [n for n in found if n.split("(")[0] == stage or (stage == "cublas" and "f32f32" in n)]
        for name in names:
            theirs = statistics.median(found[name])
            both = f"ours {ours * 1e3:9.4f} ncu {theirs * 1e3:9.4f} ms {ours / theirs - 1:+.2%}"
            print(f"cross {stage:16s} {both} n={len(found[name])}")


if __name__ == "__main__":
    launch_all()
