"""Run the suites on this machine as a user would, over REST, and print every cell and the figures that count.

    python -m bench.lab OUT_DIR [--suites memory_lab,diagnosis_pairs,traps] [--matmul] [--limit-s 190]

Starts `roofladder serve` on a fresh data folder, submits one job a suite, waits, prints, exports a capsule
of each run and writes `lab.json`. A suite that is refused, fails or takes too long is told and left behind.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
import traceback
import urllib.error
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bench.acceptance import call, fetch, start_service

Run = dict[str, Any]
Cell = dict[str, Any]
MATMUL = {
    "selection": {"problems": ["matmul"], "stages": None},
    "sizes": [{"m": 4096, "n": 4096, "k": 4096}],
    "dtypes": ["float32"],
}
TENSOR_ROOFS = ("tensor_fp16", "tensor_bf16", "tensor_tf32", "tensor_fp8")
JOB_DEADLINE_S = 900  # a job estimated longer would be refused; this script's own limit cancels earlier


def run_job(name: str, body: dict[str, Any], ends_at: float) -> tuple[Run, float] | None:
    """The run and the job's wall time; None where it was refused."""
    started = time.monotonic()
    try:
        job = call("/jobs", body | {"label": name, "deadline_s": JOB_DEADLINE_S})
    except urllib.error.HTTPError as error:
        print(f"{name}: refused: {error.read().decode(errors='replace')[:400]}")
        return None
    print(f"{name}: {job['progress']['total']} cells, estimated {job['estimate_s']:.0f} s")
    cancelled = False
    while job["status"] in ("queued", "running"):
        if time.monotonic() > ends_at and not cancelled:
            print(f"{name}: cancelled at {job['progress']}, the time limit came first")
            call(f"/jobs/{job['id']}/cancel", {})
            cancelled = True
        time.sleep(0.3)
        job = call(f"/jobs/{job['id']}")
    wall_s = time.monotonic() - started
    progress = job["progress"]
    print(
        f"{name}: {job['status']} in {wall_s:.1f} s, {progress['done']}/{progress['total']}, {job['error']}"
    )
    return call(f"/runs/{job['run_id']}"), wall_s


def print_run(name: str, run: Run) -> None:
    for cell in run["measurements"]:
        print(_line(cell))
    for outcome in run["outcomes"]:
        if outcome["status"] != "measured":
            where = f"{outcome['problem']}/{outcome['stage']} {_size(outcome)} {outcome['dtype']}"
            print(f"{name} NOT MEASURED {where}: {outcome['status']}: {outcome['reason']}")
    for ceiling in run["ceilings"]:
        print(
            f"{name} ceiling {ceiling['name']:16s} {ceiling['source']:9s} {ceiling['value']:.4g}"
            f" {ceiling['unit']} clk={(ceiling['sm_clock_hz'] or 0) / 1e9:.3f} {ceiling['detail']}"
        )


def _line(m: Cell) -> str:
    width = ((m["ci_high_s"] or 0) - (m["ci_low_s"] or 0)) / m["median_s"]
    fraction = m["roof_fraction_held"]
    compiler = m["compiler"] or {}
    return (
        f"{m['problem']:18s} {m['stage']:26s} {_size(m):34s} {m['dtype']:8s} {m['cache']:4s}"
        f" {m['median_s'] * 1e6:12.2f} us {m['bytes_per_s'] / 1e9:8.1f} GB/s"
        f" {m['flop_per_s'] / 1e12:8.3f} TFLOP/s roof={'-' if fraction is None else f'{fraction:.3f}'}"
        f" n={m['n']:4d} ci={width:.2%} {m['stop_reason']} {m['health']}"
        f" clk={(m['sm_clock_hz'] or 0) / 1e9:.3f} regs={compiler.get('registers', '-')}"
    )


def _size(cell: Cell) -> str:
    return ",".join(f"{name}={value}" for name, value in cell["size"].items())


def largest(run: Run, problem: str) -> list[Cell]:
    """Cold measurements of a problem at its size of most bytes, else warm ones."""
    cells = [m for m in run["measurements"] if m["problem"] == problem]
    cells = [m for m in cells if m["cache"] == "cold"] or cells
    most = max((m["least_dram_bytes"] for m in cells), default=0)
    return [m for m in cells if m["least_dram_bytes"] == most]


def best(cells: Iterable[Cell], wanted: Callable[[Cell], bool]) -> float | None:
    """Highest bytes/s among those wanted."""
    return max((m["bytes_per_s"] for m in cells if wanted(m)), default=None)


def own(cell: Cell) -> bool:
    return not cell["reference"]


def roof(run: Run, name: str, source: str = "measured") -> Cell | None:
    found = (c for c in run["ceilings"] if (c["name"], c["source"]) == (name, source))
    return next(found, None)


def ratio(top: float | None, bottom: float | None) -> float | None:
    return None if top is None or not bottom else top / bottom


def figures(run: Run, wall_s: float) -> dict[str, float | None]:
    """The figures that the lab is accepted by."""
    copies, transposes, gemvs = (largest(run, name) for name in ("copy", "transpose", "gemv"))
    read, pins = roof(run, "dram_read"), roof(run, "dram_copy", "datasheet")
    as_many = [m for m in run["measurements"] if m["problem"] == "copy" and m["size"]["n"] == 8192**2]
    own_copy = best(copies, own)
    float4 = best(gemvs, lambda m: "float4" in m["stage"])
    return {
        "copy: best own / memcpy (>= 0.99)": ratio(own_copy, best(copies, lambda m: m["reference"])),
        "transpose: best own / own copy of 1 GiB (>= 0.90)": ratio(best(transposes, own), own_copy),
        "transpose: best own / own copy of as many bytes": ratio(best(transposes, own), best(as_many, own)),
        "gemv: float4 / dram_read (>= 0.90)": ratio(float4, read and read["value"]),
        "dram_read / data sheet (>= 0.90)": ratio(read and read["value"], pins and pins["value"]),
        "fp32_fma / data sheet at the held clock (>= 0.95)": at_held_clock(run, "fp32_fma"),
        **{f"{name} / data sheet at the held clock": at_held_clock(run, name) for name in TENSOR_ROOFS},
        "lab wall time in s (<= 60, 120 at most)": wall_s,
    }


def at_held_clock(run: Run, name: str) -> float | None:
    """A measured compute roof over the data sheet's, scaled to the clock that was held."""
    measured, stated = roof(run, name), roof(run, name, "datasheet")
    if not measured or not stated or not measured["sm_clock_hz"] or not stated["boost_clock_hz"]:
        return None
    held = stated["value"] * measured["sm_clock_hz"] / stated["boost_clock_hz"]
    return float(measured["value"] / held)


def measure(out: Path, bodies: dict[str, dict[str, Any]], ends_at: float) -> dict[str, Any]:
    """Run every job; whatever goes wrong with one is printed and the next one goes on."""
    told: dict[str, Any] = {}
    for name, body in bodies.items():
        try:
            done = run_job(name, body, ends_at)
            if done is None:
                continue
            run, wall_s = done
            told[name] = {"wall_s": wall_s, "run": run, "figures": {}}
            if run["status"] == "finished":  # a part of a run is no record of the machine
                fetch(f"/runs/{run['id']}/capsule", out / f"h200-{name.replace('_', '-')}.capsule.zip")
            print_run(name, run)
            if name == "memory_lab":
                told[name]["figures"] = figures(run, wall_s)
        except Exception:
            traceback.print_exc()
    return told


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--suites", default="memory_lab,diagnosis_pairs,traps")
    parser.add_argument("--matmul", action="store_true")
    parser.add_argument("--limit-s", type=float, default=190)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    ends_at = time.monotonic() + arguments.limit_s
    bodies: dict[str, dict[str, Any]] = {name: {"suite": name} for name in arguments.suites.split(",")}
    if arguments.matmul:
        bodies["matmul-4096"] = MATMUL
    service = start_service(arguments.out / "data")
    try:
        told = measure(arguments.out, bodies, ends_at)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=20)
    (arguments.out / "lab.json").write_text(json.dumps(told, indent=1))
    for one in told.values():
        for label, value in one["figures"].items():
            print(f"{label:52s} {'not known' if value is None else f'{value:.4f}'}")
    for name, one in told.items():
        print(f"{name:52s} {one['wall_s']:.1f} s")


if __name__ == "__main__":
    main()
