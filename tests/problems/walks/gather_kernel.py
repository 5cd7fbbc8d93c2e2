"""right."""

import time


def run(x, order, y, threads):
    time.sleep(0.002)
    y[:] = x[order * (len(x) // len(y))]
