"""executes a trap."""

from app.kernels.gpu_faults.doubling import doubling

STAGE = doubling("traps", "executes a trap")
