"""Measure one ladder twice, each time in a new child, and say how far the medians lie apart.

python -m bench.repeatability cuda 1024x1024x1024 4096x4096x4096 --out repeat.json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from app.backends.stopping import default_rules
from app.domain.child_messages import (
    CeilingMeasured,
    CellEnded,
    ChildMessage,
    Fatal,
    LogLine,
    Measured,
    Plan,
    Probed,
)
from app.domain.measurement import CellKey, Measurement
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry

MESSAGES: TypeAdapter[ChildMessage] = TypeAdapter(ChildMessage)


@dataclass(frozen=True)
class Pass:
    """One child's messages and the time it took."""

    messages: list[ChildMessage]
    seconds: float

    def measurements(self) -> dict[tuple[CellKey, str], Measurement]:
        found = [m.measurement for m in self.messages if isinstance(m, Measured)]
        return {(m.key, m.cache.value): m for m in found}


def plan(backend: BackendName, sizes: list[str], cache_dir: str) -> Plan:
    cells = []
    for text in sizes:
        m, n, k = (int(part) for part in text.split("x"))
        for stage in registry.stages("matmul", backend):
            cells.append(CellKey("matmul", stage.name, Size.of(m=m, n=n, k=k), Dtype.FLOAT32))
    rules = default_rules(backend)
    return Plan(backend, tuple(cells), rules.cold, rules.warm, cache_dir=cache_dir)


def run_once(asked: Plan) -> Pass:
    started = time.monotonic()
    child = subprocess.run(
        [sys.executable, "-m", "app.measure"],
        input=TypeAdapter(Plan).dump_json(asked),
        stdout=subprocess.PIPE,
        check=False,
    )
    messages = [MESSAGES.validate_json(line) for line in child.stdout.splitlines()]
    return Pass(messages, time.monotonic() - started)


def show(first: Pass, second: Pass) -> None:
    for message in (*first.messages, *second.messages):
        if isinstance(message, Probed | CeilingMeasured | Fatal | LogLine):
            print(message)
        if isinstance(message, CellEnded) and message.outcome.reason:
            print(message.outcome.key.stage, message.outcome.status, message.outcome.reason)
    other = second.measurements()
    for (key, cache), a in first.measurements().items():
        b = other.get((key, cache))
        apart = abs(a.median_s - b.median_s) if b else float("nan")
        width = (a.ci_high_s - a.ci_low_s) / a.median_s if a.ci_high_s and a.ci_low_s else float("nan")
        print(
            f"{key.size.key:22} {key.stage:14} {cache:4} {a.median_s * 1e6:11.2f} us "
            f"{a.flop_per_s / 1e12:7.3f} TFLOP/s apart {apart / a.median_s:6.2%} {apart * 1e6:7.2f} us "
            f"ci {width:6.2%} n={a.n:<4} x{a.launches_per_sample:<3} {a.stop_reason.value:13} "
            f"{a.health.value} "
            f"{(a.sm_clock_hz or 0) / 1e6:5.0f} MHz {a.power_w or 0:4.0f} W {a.temperature_c or 0:3.0f} C "
            f"boost {a.roof_fraction_boost or 0:6.1%} held {a.roof_fraction_held or 0:6.1%} "
            f"err {a.correctness.max_relative_error:.1e} {'; '.join(a.health_reasons)}"
        )
    print(f"took {first.seconds:.1f} s and {second.seconds:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("backend", type=BackendName)
    parser.add_argument("sizes", nargs="+", help="MxNxK")
    parser.add_argument("--cache-dir", default="data/cache")
    parser.add_argument("--out", type=Path, help="write both passes' messages here")
    asked = parser.parse_args()
    passes = [run_once(plan(asked.backend, asked.sizes, asked.cache_dir)) for _ in range(2)]
    show(*passes)
    if asked.out:
        text = [[json.loads(MESSAGES.dump_json(m)) for m in p.messages] for p in passes]
        asked.out.write_text(json.dumps(text))


if __name__ == "__main__":
    main()
