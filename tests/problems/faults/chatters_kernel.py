"""prints on standard output."""

import os


def run(x, y, threads):
    os.write(1, b"a library prints this\n")
    y[:] = 2 * x
