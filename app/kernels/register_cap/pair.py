"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="register_cap",
    fault="The compiler is allowed 32 registers where 64 values are alive, so it spills to local memory.",
    sign=(
        "Compiler: spilled bytes above 0; smsp__inst_executed_op_local_st.sum above 0. Both are 0 "
        "without the fault."
    ),
    cure="Leave the cap away, or reduce what is alive at once. Fewer warps an SM are the smaller evil.",
    lesson=(
        "Occupancy bought with spills is no bargain: the values move through memory instead of staying "
        "where they are used."
    ),
    source="L22 §7.5",
)
