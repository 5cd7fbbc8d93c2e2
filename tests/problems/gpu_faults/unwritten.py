"""leaves its last element unwritten."""

from app.kernels.gpu_faults.doubling import doubling

STAGE = doubling("unwritten", "leaves its last element unwritten")
