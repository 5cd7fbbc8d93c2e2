"""The roofline model: what bandwidth and arithmetic allow at an arithmetic intensity.

Williams, Waterman, Patterson, "Roofline: an insightful visual performance model", CACM 52 (2009).
Rates in FLOP/s and bytes/s, intensity in FLOP per byte, fractions 0 to 1.
"""

from __future__ import annotations

FP32_LANES_PER_MULTIPROCESSOR = 128  # since GA102 and on GH100; A100 (sm_80) has 64
FLOP_PER_MULTIPLY_ADD = 2
TRANSFERS_PER_MEMORY_CLOCK = 2


def attainable_flop_per_s(
    intensity_flop_per_byte: float, bandwidth_bytes_per_s: float, compute_flop_per_s: float
) -> float:
    """The lower of bandwidth times intensity and the compute roof."""
    return min(intensity_flop_per_byte * bandwidth_bytes_per_s, compute_flop_per_s)


def ridge_point_flop_per_byte(bandwidth_bytes_per_s: float, compute_flop_per_s: float) -> float:
    """Intensity at which both roofs meet; below it memory bounds, at and above it arithmetic.

    An A100 balances at 19.5e12 / 2039e9 = 9.56 FLOP per byte in FP32.
    """
    return compute_flop_per_s / bandwidth_bytes_per_s


def is_memory_bound(
    flop: int, moved_bytes: int, bandwidth_bytes_per_s: float, compute_flop_per_s: float
) -> bool:
    """Whether the bandwidth roof is the lower one; work without arithmetic always is."""
    return flop * bandwidth_bytes_per_s < compute_flop_per_s * moved_bytes


def roof_at_clock(compute_flop_per_s: float, stated_at_hz: float, held_hz: float) -> float:
    """A compute roof scales with the SM clock: its value at the clock that was held. Bandwidth does not."""
    return compute_flop_per_s * held_hz / stated_at_hz


def fp32_peak_flop_per_s(
    multiprocessors: int, clock_hz: float, lanes: int = FP32_LANES_PER_MULTIPROCESSOR
) -> float:
    """Multiprocessors x lanes x 2 x clock: 66.9e12 for 132 at 1.98 GHz."""
    return multiprocessors * lanes * FLOP_PER_MULTIPLY_ADD * clock_hz


def dram_peak_bytes_per_s(memory_clock_hz: float, bus_bits: int) -> float:
    """Memory clock x 2 x bus width / 8: 4.815e12 for 3201 MHz and 6016 bits."""
    return memory_clock_hz * TRANSFERS_PER_MEMORY_CLOCK * bus_bits / 8
