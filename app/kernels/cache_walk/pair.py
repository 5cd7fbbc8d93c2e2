"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="cache_walk",
    fault=(
        "An array larger than the last-level cache is walked from end to end eight times: each pass "
        "finds it forgotten."
    ),
    sign=(
        "dram__bytes_read.sum: eight times the array; once without the fault. lts__t_sector_hit_rate.pct"
        " is low."
    ),
    cure=(
        "Do all passes over a chunk while the cache holds it: change the order of the blocks, not their work."
    ),
    lesson=(
        "The same loads cost less in another order. A cache helps where the distance to the next use is "
        "smaller than the cache."
    ),
)
