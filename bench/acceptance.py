"""Run the product on this machine as a user would, over REST, and print the acceptance table.

    python -m bench.acceptance OUT_DIR [--runs 2] [--ncu]

Starts `roofladder serve` on a fresh data folder, submits the same job `--runs` times, waits, compares
the medians of the runs, exports the first run's capsule to OUT_DIR, and with --ncu compares each
cold median at 4096 with Nsight Compute's own time for the same kernel. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

SIZES = [
    {"m": 1024, "n": 1024, "k": 1024},
    {"m": 2048, "n": 2048, "k": 2048},
    {"m": 4096, "n": 4096, "k": 4096},
    {"m": 4097, "n": 513, "k": 129},
]
PORT = 8737
BASE = f"http://127.0.0.1:{PORT}/api/v1"


def call(path: str, body: object | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data=data, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def fetch(path: str, target: Path) -> None:
    with urllib.request.urlopen(BASE + path, timeout=60) as answer:
        target.write_bytes(answer.read())


def start_service(data_dir: Path) -> subprocess.Popen[bytes]:
    env = os.environ | {
        "ROOFLADDER_DATA_DIR": str(data_dir),
        "PORT": str(PORT),
        "ROOFLADDER_FIRST_BENCHMARK": "0",
    }
    service = subprocess.Popen([sys.executable, "-m", "app.cli", "serve"], env=env)
    for _ in range(240):
        time.sleep(0.5)
        try:
            if call("/devices")["items"]:
                return service
        except OSError:
            if service.poll() is not None:
                break
    raise SystemExit("the service did not come up")


def run_job(label: str) -> int:
    job = call(
        "/jobs",
        {
            "kind": "benchmark",
            "selection": {"problems": ["matmul"], "stages": None},
            "sizes": SIZES,
            "dtypes": ["float32"],
            "backend": "auto",
            "label": label,
            "deadline_s": 600,
        },
    )
    started = time.monotonic()
    while job["status"] in ("queued", "running"):
        time.sleep(1)
        job = call(f"/jobs/{job['id']}")
    print(f"{label}: {job['status']} in {time.monotonic() - started:.1f} s, error {job['error']}")
    return int(job["run_id"])


def by_cell(run_id: int) -> dict[tuple[str, str, str], dict[str, Any]]:
    run = call(f"/runs/{run_id}")
    return {(m["stage"], json.dumps(m["size"]), m["cache"]): m for m in run["measurements"]}


def print_table(cells: dict[tuple[str, str, str], dict[str, Any]]) -> None:
    for (stage, size, cache), m in cells.items():
        width = ((m["ci_high_s"] or 0) - (m["ci_low_s"] or 0)) / m["median_s"]
        print(
            f"{stage:16s} {size:34s} {cache:4s} {m['median_s'] * 1e3:10.4f} ms"
            f" {m['flop_per_s'] / 1e12:7.3f} TFLOP/s n={m['n']:4d} ci={width:.2%} {m['stop_reason']}"
            f" {m['health']} clk={(m['sm_clock_hz'] or 0) / 1e9:.3f} correct={m['correct']}"
            f" err={m['max_relative_error']:.1e}"
            f" boost={m['roof_fraction_boost']} held={m['roof_fraction_held']}"
        )


def compare(first: dict[Any, Any], second: dict[Any, Any]) -> None:
    for key in sorted(first.keys() & second.keys()):
        a, b = first[key]["median_s"], second[key]["median_s"]
        allowed = 0.01 * a if key[2] == "warm" else max(0.01 * a, 1e-6)
        verdict = "ok" if abs(a - b) <= allowed else "DIFFERS"
        change = f"{b / a - 1:+.2%} {(b - a) * 1e6:+.2f} us"
        print(f"repeat {key[0]:16s} {key[1]:34s} {key[2]:4s} {change} {verdict}")
    print("only in one run:", sorted(first.keys() ^ second.keys()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--ncu", action="store_true")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    service = start_service(arguments.out / "data")
    try:
        runs = [
            run_job("FP32 ladder" if i == 0 else f"FP32 ladder, repeat {i}") for i in range(arguments.runs)
        ]
        cells = [by_cell(run_id) for run_id in runs]
        print_table(cells[0])
        for other in cells[1:]:
            compare(cells[0], other)
        fetch(f"/runs/{runs[0]}/capsule", arguments.out / "h200-matmul-fp32.capsule.zip")
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=20)
    if arguments.ncu:
        from bench.ncu_cross_check import cross_check

        cross_check(
            {
                stage: m["median_s"]
                for (stage, size, cache), m in cells[0].items()
                if cache == "cold" and size == json.dumps(SIZES[2])
            }
        )


if __name__ == "__main__":
    main()
