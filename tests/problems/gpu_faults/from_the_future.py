"""needs a GPU that does not exist yet."""

from app.kernels.gpu_faults.doubling import doubling

from app.kernels.stage import Needs

STAGE = doubling("from_the_future", "needs a GPU that does not exist yet", Needs(compute_capability=(99, 0)))
