"""asks for more memory than there is."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("exhausts_memory", "asks for more memory than there is")
