"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="branch_divergence",
    fault=(
        "The lanes of a warp take eight different branches, which run one after the other with four "
        "lanes each."
    ),
    sign=(
        "smsp__thread_inst_executed_per_inst_executed.ratio: about 4 of 32 lanes active; about 32 "
        "without the fault."
    ),
    cure=(
        "Give all lanes of a warp the same branch: sort or regroup the elements by what is to be done "
        "with them."
    ),
    lesson=(
        "A branch costs nothing while a warp agrees on it. What counts is which elements share a warp, "
        "not how many branches there are."
    ),
)
