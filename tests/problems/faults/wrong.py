"""its last element is off."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("wrong", "its last element is off")
