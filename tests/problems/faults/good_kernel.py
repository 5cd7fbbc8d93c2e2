"""right."""


def run(x, y, threads):
    y[:] = 2 * x
