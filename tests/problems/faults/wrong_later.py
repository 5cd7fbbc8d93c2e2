"""right at first, wrong from its fourth call on."""

from app.kernels.faults.doubling import doubling

STAGE = doubling("wrong_later", "right at first, wrong from its fourth call on")
