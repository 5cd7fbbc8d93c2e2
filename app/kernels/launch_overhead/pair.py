"""What the two stages show."""

from __future__ import annotations

from app.kernels.pair import Pair

PAIR = Pair(
    problem="launch_overhead",
    fault=(
        "The work is split into hundreds of launches of a microsecond, each of which starts and drains "
        "the device."
    ),
    sign="Number of launches, and gpu__time_duration.sum of each: about the time of an empty kernel.",
    cure="Do all slices in one launch, or fuse the steps; where that cannot be, replay them as a graph.",
    lesson=(
        "A launch has a price that does not depend on its work. It disappears only behind work that "
        "takes much longer."
    ),
)
