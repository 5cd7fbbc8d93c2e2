"""raises an error of its own."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("raises", "raises an error of its own")
