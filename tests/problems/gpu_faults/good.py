"""right."""

from app.kernels.gpu_faults.doubling import doubling

STAGE = doubling("good", "right")
