"""reads address 0."""

import ctypes


def run(x, y, threads):
    if len(x) > 1:
        ctypes.string_at(0)
    y[:] = 2 * x
