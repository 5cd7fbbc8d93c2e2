"""never returns."""

import time


def run(x, y, threads):
    while len(x) > 1:
        time.sleep(0.05)
    y[:] = 2 * x
