"""Captures of Nsight Compute made on an H200 (tests/data/ncu), as evidence of their launches."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from app.domain.kernel_evidence import CountedValue, Counter, Counters, KernelEvidence
from app.domain.report import LaunchProfile
from app.ncu.counters import counters_of
from app.ncu.reading import read_report

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


@cache
def launches(name: str) -> tuple[LaunchProfile, ...]:
    """The launches of a raw page."""
    return read_report(FOLDER / f"{name}.raw.csv").launches


@cache
def evidence(capture: Capture) -> KernelEvidence:
    """One launch as evidence, counters only."""
    name, index = capture
    launch = launches(name)[index]
    return KernelEvidence(launch.kernel, counters_of(launch), launch.grid, launch.block)


def counted(**values: float) -> Counters:
    """Constructed counters by concept, for what no capture shows."""
    return Counters({Counter(name): CountedValue(value, "", (name,)) for name, value in values.items()})
