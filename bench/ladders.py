"""Scan, duels and small shapes of the matmul ladders, and attention, as a user would over REST. Needs a GPU.

    python -m bench.ladders OUT_DIR [--only NAME]... [--limit-s 500]

Starts `roofladder serve` on a fresh data folder, submits the jobs of `JOBS` one after another, prints every
cell and every duel, and exports a capsule of each run. A job that would begin past the limit is told.
"""

from __future__ import annotations

import argparse
import signal
import time
from pathlib import Path
from typing import Any

from bench.acceptance import start_service
from bench.lab import Run, measure

SMALL = [{"m": 64, "n": 64, "k": 16384}, {"m": 1, "n": 4096, "k": 16384}]
BOTH = ["matmul", "tensor_matmul"]


def cube(edge: int) -> dict[str, int]:
    return {"m": edge, "n": edge, "k": edge}


def ladder(problems: list[str], sizes: list[dict[str, int]], **further: object) -> dict[str, Any]:
    return {"selection": {"problems": problems, "stages": None}, "sizes": sizes, **further}


def duel(problem: str, stages: list[str], regimes: list[str], **further: object) -> dict[str, Any]:
    chosen = {"problems": [problem], "stages": stages}
    return {
        "selection": chosen,
        "sizes": [cube(4096), cube(8192)],
        "duel": regimes,
        "scan": True,
        **further,
    }


JOBS: dict[str, dict[str, Any]] = {
    "matmul-scan": ladder(BOTH, [cube(1024), cube(4096), cube(8192)], scan=True),
    "attention": ladder(
        ["attention"], [{"heads": 16, "length": 4096, "head_dim": d} for d in (64, 128)], scan=True
    ),
    "few-results": ladder(BOTH, SMALL, scan=True),
    "quantisation": {"suite": "quantisation"},
    "duel-bf16": duel(
        "tensor_matmul",
        ["wgmma_tma_store_bf16", "wgmma_serpentine_bf16"],
        ["burst", "sustained"],
        dtypes=["bfloat16"],
    ),
    "duel-fp32": duel("matmul", ["register_banks", "hopper_streamk"], ["burst"]),
    "duel-fp16": duel(
        "tensor_matmul",
        ["wgmma_tma_store_fp16", "wgmma_serpentine_fp16"],
        ["burst", "sustained"],
        dtypes=["float16"],
    ),
}


def print_duels(name: str, run: Run) -> None:
    for one in run.get("duels", ()):
        size = "x".join(str(v) for v in one["size"].values())
        low, high = one["ratio_quartiles"] or (None, None)
        print(
            f"{name} DUEL {one['own']} against {one['library']} {size} {one['dtype']} {one['regime']}: "
            f"ratio {one['ratio']:.4f}, quartiles {low} to {high}, {len(one['pairs'])} pairs; "
            f"{one['library_call']}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", action="append", choices=list(JOBS))
    parser.add_argument("--limit-s", type=float, default=500)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    ends_at = time.monotonic() + arguments.limit_s
    service = start_service(arguments.out / "data")
    try:
        for name in arguments.only or JOBS:
            if time.monotonic() > ends_at:
                print(f"{name}: not begun, {arguments.limit_s:g} s are over")
                continue
            for done in measure(arguments.out, {name: JOBS[name]}, ends_at).values():
                print_duels(name, done["run"])
    finally:
        service.send_signal(signal.SIGINT)
        service.wait(timeout=30)


if __name__ == "__main__":
    main()
