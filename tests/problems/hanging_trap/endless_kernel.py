"""Never returns."""

import time


def run(x, y, threads):
    while True:
        time.sleep(1)
