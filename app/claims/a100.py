"""The A100 that the lectures speak of: what models of its figures need, and the table of its memory (L22 §1).

Data sheet of the 80 GB SXM part.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.occupancy import SmLimits, sm_limits
from app.analysis.roofline import fp32_peak_flop_per_s

MULTIPROCESSORS = 108
BOOST_CLOCK_HZ = 1.41e9
FP32_LANES = 64
DRAM_BYTES_PER_S = 2039e9
TENSOR_CORES_PER_MULTIPROCESSOR = 4
TENSOR_MULTIPLY_ADDS_PER_CLOCK = 8 * 4 * 8  # a Tensor Core's m8n4k8 step
FP32_FLOP_PER_S = fp32_peak_flop_per_s(MULTIPROCESSORS, BOOST_CLOCK_HZ, FP32_LANES)
TENSOR_FLOP_PER_S = (
    MULTIPROCESSORS * TENSOR_CORES_PER_MULTIPROCESSOR * TENSOR_MULTIPLY_ADDS_PER_CLOCK * 2 * BOOST_CLOCK_HZ
)
SHARED_BYTES_PER_CLOCK = 128
DRAM_LATENCY_S = 400e-9
KIB = 1024


@dataclass(frozen=True)
class PrintedLevel:
    """A row of the lectures' table as printed; None where the table says nothing.

    latency_cycles: the range. bandwidth_bytes_per_s: of all SMs together.
    """

    capacity_bytes: float | None = None
    cached_bytes: float | None = None
    latency_cycles: tuple[float, float] | None = None
    bandwidth_bytes_per_s: float | None = None


REGISTERS = PrintedLevel(capacity_bytes=256.0 * KIB, latency_cycles=(1.0, 1.0))
SHARED = PrintedLevel(capacity_bytes=164.0 * KIB, latency_cycles=(20.0, 30.0), bandwidth_bytes_per_s=19e12)
L1 = PrintedLevel(capacity_bytes=192.0 * KIB, latency_cycles=(30.0, 40.0))
CONSTANT = PrintedLevel(capacity_bytes=64.0 * KIB, cached_bytes=8.0 * KIB, latency_cycles=(1.0, 1.0))
L2 = PrintedLevel(capacity_bytes=40.0 * KIB**2, latency_cycles=(180.0, 200.0), bandwidth_bytes_per_s=5e12)
HBM = PrintedLevel(latency_cycles=(400.0, 500.0), bandwidth_bytes_per_s=DRAM_BYTES_PER_S)


def limits() -> SmLimits:
    """Of one SM of compute capability 8.0."""
    found = sm_limits((8, 0))
    assert found is not None
    return found
