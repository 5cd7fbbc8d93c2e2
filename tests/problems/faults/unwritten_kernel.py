"""leaves its last element unwritten."""


def run(x, y, threads):
    if len(x) > 1:
        y[:-1] = 2 * x[:-1]
