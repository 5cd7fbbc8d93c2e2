"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="grid_size",
    fault="The grid has 16 blocks, so at most 16 multiprocessors have work and few loads are in flight.",
    sign=(
        "launch__grid_size below the number of multiprocessors; launch__waves_per_multiprocessor far below 1."
    ),
    cure="Derive the grid from the size of the problem, not from a constant.",
    lesson=(
        "Bandwidth needs bytes in flight (Little's law). Most of a device that is given no block cannot "
        "ask for any."
    ),
    source="L22 §7: Little's law",
)
