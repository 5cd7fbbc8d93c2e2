"""writes far outside its output."""

from app.kernels.gpu_faults.doubling import doubling

STAGE = doubling("illegal_address", "writes far outside its output")
