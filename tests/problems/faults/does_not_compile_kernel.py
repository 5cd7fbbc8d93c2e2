"""Numba refuses the source."""

from numba import njit


@njit
def run(x, y, threads):
    y[0] = x.no_such_attribute
