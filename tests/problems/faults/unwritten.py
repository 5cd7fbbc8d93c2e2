"""leaves its last element unwritten."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("unwritten", "leaves its last element unwritten")
