"""Figures of Little's law (L22 §5, §7): bytes and warps in flight that hide a latency of 400 ns."""

from __future__ import annotations

from app.analysis.littles_law import bytes_in_flight, warps_needed
from app.claims import a100
from app.claims.arithmetic import EXACT, by_arithmetic
from app.claims.published import PublishedClaim, Quantity
from app.claims.rules import Computed

_BYTES = bytes_in_flight(a100.DRAM_BYTES_PER_S, a100.DRAM_LATENCY_S)
_BYTES_PER_SM = _BYTES / a100.MULTIPROCESSORS


def _warps(name: str, width: int, warps: int) -> PublishedClaim:
    return by_arithmetic(
        f"little-warps-{name}",
        f"{warps} warps an SM keep it in flight with {name} loads.",
        "L22 §5, §7",
        float(warps),
        Quantity.COUNT,
        Computed(warps, EXACT),
        lambda: warps_needed(a100.DRAM_BYTES_PER_S, a100.DRAM_LATENCY_S, a100.MULTIPROCESSORS, width),
        f"7552 B ÷ (32 lanes × {width} B)",
    )


CLAIMS = (
    by_arithmetic(
        "little-bytes",
        "2039 GB/s at 400 ns keep 816 KB in flight.",
        "L22 §5",
        816e3,
        Quantity.BYTES,
        Computed(816e3),
        lambda: _BYTES,
        "bandwidth × latency",
    ),
    by_arithmetic(
        "little-bytes-per-sm",
        "That is 7552 B an SM.",
        "L22 §5",
        7552.0,
        Quantity.BYTES,
        Computed(7552),
        lambda: _BYTES_PER_SM,
        "bandwidth × latency ÷ 108",
    ),
    _warps("float4", 16, 15),
    _warps("float", 4, 59),
)
