"""Time and memory of the `.ncu-rep` reader: over a generated report as large as a full one, or a real one.

    python -m bench.ncu_rep [--launches 100] [--file REPORT] [--against RAW_PAGE.csv]

The generated report has 2,243 metrics a launch, a tenth of them with instances, 111 MB for 100 launches.
With NVIDIA's `ncu_report` module on the path its reader is timed beside, on the same file. `--against`
compares every number with the raw page that ncu exported of the same report.
"""

from __future__ import annotations

import argparse
import importlib
import math
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from app.domain.report import Report
from app.ncu.reading import read_report
from tests import ncu_rep_writer as writer

METRICS, WITH_INSTANCES, INSTANCES = 2243, 220, 330
RELATIVE_DIFFERENCE = 5e-4  # of a raw page in auto units, which prints as few as four digits


def generated(launches: int, path: Path) -> None:
    """Values that differ from launch to launch, so that nothing is cached away."""
    numbers = random.Random(7)
    names = [f"unit__quantity_{place}.sum" for place in range(METRICS - 1)] + ["gpu__time_duration.sum"]
    instances = {0x7F00_0000 + 16 * place: place for place in range(INSTANCES)}
    kernels = []
    for launch in range(launches):
        metrics = [
            writer.metric(place, numbers.random() * 1e6, instances if place < WITH_INSTANCES else None)
            for place in range(METRICS)
        ]
        kernels.append(writer.kernel(f"kernel_{launch % 7}(float *)", metrics))
    path.write_bytes(writer.report(writer.Block(strings=names, kernels=tuple(kernels))))


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(path: Path) -> Report:
    before_mb, started = peak_mb(), time.perf_counter()
    report = read_report(path)
    took_s = time.perf_counter() - started
    values = sum(len(launch.metrics) for launch in report.launches)
    print(
        f"ours: {len(report.launches)} launches, {values:,} values, {path.stat().st_size / 1e6:.0f} MB "
        f"in {took_s:.2f} s, peak {peak_mb():.0f} MB ({before_mb:.0f} MB before)"
    )
    return report


def nvidia(path: Path) -> None:
    try:
        ncu_report = importlib.import_module("ncu_report")
    except ImportError:
        print("NVIDIA's reader is not on the path: not timed")
        return
    started = time.perf_counter()
    context = ncu_report.load_report(str(path))
    count = 0
    for range_index in range(context.num_ranges()):
        actions = context.range_by_idx(range_index)
        for index in range(actions.num_actions()):
            action = actions.action_by_idx(index)
            count += sum(action[name].value() is not None for name in action)
    print(f"NVIDIA's: {count:,} values in {time.perf_counter() - started:.2f} s")


def compare(report: Report, raw_page: Path) -> bool:
    """Whether every number of the raw page stands in the report too."""
    exported = read_report(raw_page)
    differing = compared = 0
    for ours, theirs in zip(report.launches, exported.launches, strict=True):
        for metric in theirs.metrics:
            own = ours.metrics.number(metric.name)
            if metric.base_value is None or own is None:
                continue
            compared += 1
            if not math.isclose(own, metric.base_value, rel_tol=RELATIVE_DIFFERENCE, abs_tol=1e-9):
                differing += 1
                print(f"{ours.kernel[:40]} {metric.name}: {own} here, {metric.base_value} exported")
    print(f"{compared:,} numbers compared, {differing} differ")
    return differing == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--launches", type=int, default=100)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--against", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.file or Path(folder) / "generated.ncu-rep"
        if arguments.file is None:
            generated(arguments.launches, path)
        report = timed(path)
        nvidia(path)
    if arguments.against is not None and not compare(report, arguments.against):
        sys.exit(1)


if __name__ == "__main__":
    main()
