"""Numba refuses the source."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("does_not_compile", "Numba refuses the source")
