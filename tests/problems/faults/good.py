"""right."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("good", "right")
