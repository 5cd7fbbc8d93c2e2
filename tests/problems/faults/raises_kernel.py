"""raises an error of its own."""


def run(x, y, threads):
    if len(x) > 1:
        raise RuntimeError("the stage's own words")
    y[:] = 2 * x
