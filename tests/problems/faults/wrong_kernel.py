"""its last element is off."""


def run(x, y, threads):
    y[:] = 2 * x
    y[-1] += 1
