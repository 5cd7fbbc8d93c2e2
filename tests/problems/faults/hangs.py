"""never returns."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("hangs", "never returns")
