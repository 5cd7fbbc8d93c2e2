"""The base unit of a metric by its name: a `.ncu-rep` file holds values in base units and no units.

Names are built as unit__quantity…​.rollup.submetric; the tool's own raw page gives the same units for every
metric whose unit decides how it is converted (time, bytes, frequencies, per cent).
"""

from __future__ import annotations

import re
from functools import lru_cache

_EXACT = {
    "launch__shared_mem_config_size": "byte",
    "launch__persisting_l2_cache_size": "byte",
    "launch__registers_per_thread": "register/thread",
    "launch__registers_per_thread_allocated": "register/thread",
    "launch__thread_count": "thread",
    "launch__sm_count": "SM",
}
_PATTERNS = tuple(
    (re.compile(pattern), unit)
    for pattern, unit in (
        (r"\.pct(?:_|$)|__pct_|_pct$", "%"),
        (r"time_duration|_interval_time$", "ns"),
        (r"bytes_per_sector.*\.(?:ratio|max_rate)$", "byte/sector"),
        (r"\.(?:ratio|max_rate)$", ""),
        (r"^launch__shared_mem_per_block", "byte/block"),
        (r"^launch__occupancy_limit_|^launch__block_dim_", "block"),
    )
)
_QUANTITIES = tuple(
    (re.compile(pattern), unit)
    for pattern, unit in (
        (r"bytes", "byte"),
        (r"cycles_|cycles$|_active_mem_lgds", "cycle"),
        (r"sectors", "sector"),
        (r"requests", "request"),
        (r"inst_(?:executed|issued)", "inst"),
        (r"warps_", "warp"),
    )
)


@lru_cache(maxsize=16384)
def base_unit(metric: str) -> str:
    """ "ns" for gpu__time_duration.sum; "" where the quantity is a plain count."""
    if metric in _EXACT:
        return _EXACT[metric]
    for pattern, unit in _PATTERNS:
        if pattern.search(metric):
            return unit
    quantity, _, rollup = metric.partition(".")
    unit = next((unit for pattern, unit in _QUANTITIES if pattern.search(quantity)), "")
    if rollup.endswith("per_second"):
        return "hz" if unit == "cycle" else f"{unit}/s"
    if "per_cycle" in rollup or rollup.endswith("peak_sustained"):
        return f"{unit}/cycle"
    return unit
