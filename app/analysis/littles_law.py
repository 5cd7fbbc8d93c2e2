"""Little's law for memory: bytes in flight = bandwidth x latency. Source: L22 §5, L24 §2."""

from __future__ import annotations

from math import ceil

WARP = 32


def bytes_in_flight(bandwidth_bytes_per_s: float, latency_s: float) -> float:
    """Bytes that must be under way at any time to keep that bandwidth."""
    return bandwidth_bytes_per_s * latency_s


def warps_needed_exact(
    bandwidth_bytes_per_s: float,
    latency_s: float,
    multiprocessor_count: int,
    bytes_per_lane: int,
) -> float:
    """Warps an SM that cover the latency, unrounded, when each lane has `bytes_per_lane` under way."""
    per_sm = bytes_in_flight(bandwidth_bytes_per_s, latency_s) / multiprocessor_count
    return per_sm / (WARP * bytes_per_lane)


def warps_needed(
    bandwidth_bytes_per_s: float,
    latency_s: float,
    multiprocessor_count: int,
    bytes_per_lane: int,
) -> int:
    """The same in whole warps."""
    return ceil(warps_needed_exact(bandwidth_bytes_per_s, latency_s, multiprocessor_count, bytes_per_lane))
