"""asks for more memory than there is."""

import numpy as np


def run(x, y, threads):
    y[:] = 2 * x
    if len(x) > 1:
        np.empty(1 << 50)
