"""the compiler refuses the source."""

from app.kernels.gpu_faults.doubling import doubling

STAGE = doubling("does_not_compile", "the compiler refuses the source")
