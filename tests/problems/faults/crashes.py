"""reads address 0."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("crashes", "reads address 0")
