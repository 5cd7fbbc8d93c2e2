"""Right."""


def run(x, y, threads):
    y[:] = x
