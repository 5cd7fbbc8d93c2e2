"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="tensor_pipe",
    fault="Half-precision matrices are multiplied as floats, so the tensor pipe stands still.",
    sign="sm__inst_executed_pipe_tensor.sum: 0 with the fault.",
    cure="Hand the same tiles to mma.sync (or wmma): a warp does 4096 operations with one instruction.",
    lesson=(
        "Storing halves saves bytes; only the tensor pipe saves arithmetic. Soon after that, feeding it "
        "becomes the limit."
    ),
    source="L24 stages 5 and 6",
)
