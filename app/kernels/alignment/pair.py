"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="alignment",
    fault=(
        "The slice starts one word past a boundary: each lane may load 4 bytes only, and a warp touches "
        "a fifth sector."
    ),
    sign=(
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio: 5 for 128 bytes; 16 for "
        "512 bytes without the fault."
    ),
    cure=(
        "Let slices start on a 16-byte boundary, better on a line of 128 bytes: pad rows, or copy the "
        "odd head on its own."
    ),
    lesson=(
        "Two things are lost together: vector loads, and whole sectors. The first costs more, since "
        "neighbours share the fifth sector in cache."
    ),
    source="L22 §7.1 and §7.2",
)
