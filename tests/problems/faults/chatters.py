"""prints on standard output."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("chatters", "prints on standard output")
