"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="atomic_contention",
    fault=(
        "Every thread adds to one of the same 16 words of global memory, so additions queue in the L2 cache."
    ),
    sign=(
        "lts__t_requests_op_red.sum: one request or more for each 32 values; without the fault one for "
        "each block."
    ),
    cure="Count in a copy of one's own (a warp's in shared memory) and add the copies up at the end.",
    lesson=(
        "An atomic addition costs what others do to the same word at the same time. Private copies turn "
        "many meetings into one."
    ),
)
