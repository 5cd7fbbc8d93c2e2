"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="local_array",
    fault=(
        "An array in the kernel is indexed by a loop variable that lives at run time, so it lies in "
        "local memory."
    ),
    sign=(
        "Compiler: stack bytes without spilled bytes; smsp__inst_executed_op_local_ld.sum above 0. Both "
        "are 0 without the fault."
    ),
    cure="Unroll the loops, so that every index is a constant and every element a register.",
    lesson=(
        "Registers have no addresses. An array stays in registers only while the compiler knows every index."
    ),
)
