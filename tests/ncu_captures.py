"""Captures of Nsight Compute made on an H200 (tests/data/ncu), as evidence of their launches."""

from __future__ import annotations

import csv
from array import array
from functools import cache
from math import nan
from pathlib import Path

from app.domain.kernel_evidence import CountedValue, Counter, Counters, KernelEvidence
from app.domain.report import Columns, LaunchProfile, Metrics
from app.ncu.counters import counters_of

FOLDER = Path(__file__).parent / "data" / "ncu"
CONFLICT, PADDED = ("bank_conflict_benchmark", 0), ("bank_conflict_benchmark", 1)
STRIDE_1, STRIDE_2, STRIDE_4, STRIDE_8, STRIDE_16, STRIDE_32 = (("coalescing_benchmark", n) for n in range(6))
NAIVE_GEMM, TILED_GEMM = ("gemm", 0), ("gemm", 1)
REGISTER_TILE = ("gemm_2d_register_tiling", 0)
DOUBLE_BUFFER = ("gemm_double_buffer_vectorized", 0)
WMMA = ("gemm_tensor_core_wmma", 0)
FULL_FMA, FORCED_OCCUPANCY = ("occupancy_spill_benchmark", 0), ("occupancy_spill_benchmark", 1)
SCALAR_COPY, VECTOR_COPY = ("vectorized_load_benchmark", 0), ("vectorized_load_benchmark", 1)
FLOAT_TRANSFORM, DOUBLE_TRANSFORM, REDUCTION, LAMBDA, SPILLING = (("instances", n) for n in range(5))
Capture = tuple[str, int]
EVERY_CAPTURE: tuple[Capture, ...] = (
    CONFLICT, PADDED, STRIDE_1, STRIDE_2, STRIDE_4, STRIDE_8, STRIDE_16, STRIDE_32, NAIVE_GEMM, TILED_GEMM,
    REGISTER_TILE, DOUBLE_BUFFER, WMMA, FULL_FMA, FORCED_OCCUPANCY, SCALAR_COPY, VECTOR_COPY,
    FLOAT_TRANSFORM, DOUBLE_TRANSFORM, REDUCTION, LAMBDA, SPILLING,
)  # fmt: skip
_PREFIXES = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
_TIMES = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


@cache
def launches(name: str) -> tuple[LaunchProfile, ...]:
    """The launches of a raw page."""
    with (FOLDER / f"{name}.raw.csv").open(encoding="utf-8-sig", newline="") as file:
        header, units, *rows = csv.reader(file)
    first = header.index("CC") + 1
    columns = Columns(tuple(header[first:]), (None,) * len(header[first:]), (None,) * len(header[first:]))
    return tuple(
        _launch(dict(zip(header, row, strict=True)), columns, units[first:], row[first:]) for row in rows
    )


@cache
def evidence(capture: Capture) -> KernelEvidence:
    """One launch as evidence, counters only."""
    name, index = capture
    launch = launches(name)[index]
    return KernelEvidence(launch.kernel, counters_of(launch), launch.grid, launch.block)


def counted(**values: float) -> Counters:
    """Constructed counters by concept, for what no capture shows."""
    return Counters({Counter(name): CountedValue(value, "", (name,)) for name, value in values.items()})


def _launch(row: dict[str, str], columns: Columns, units: list[str], cells: list[str]) -> LaunchProfile:
    scales = [_scale(unit) for unit in units]
    values = [_number(cell) * scale for cell, scale in zip(cells, scales, strict=True)]
    metrics = Metrics(columns, cells, units, units, array("d", values), scales)
    grid, block = (_shape(row[name]) for name in ("Grid Size", "Block Size"))
    return LaunchProfile(
        int(row["ID"]), int(row["Process ID"]), row["Kernel Name"], grid=grid, block=block,
        compute_capability=row["CC"], metrics=metrics,
    )  # fmt: skip


def _scale(unit: str) -> float:
    if unit in _TIMES:
        return _TIMES[unit]
    return _PREFIXES.get(unit[:1], 1.0) if unit[1:].startswith(("byte", "hz")) else 1.0


def _number(cell: str) -> float:
    try:
        return float(cell.partition(" (")[0].replace(",", ""))  # instances stand behind the total
    except ValueError:
        return nan


def _shape(text: str) -> tuple[int, int, int]:
    x, y, z = (int(part) for part in text.strip("()").split(","))
    return x, y, z
