"""The A100 that the lectures speak of: what models of its figures need. Data sheet of the 80 GB SXM part."""

from __future__ import annotations

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


def limits() -> SmLimits:
    """Of one SM of compute capability 8.0."""
    found = sm_limits((8, 0))
    assert found is not None
    return found
