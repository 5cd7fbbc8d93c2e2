"""right at first, wrong from its fourth call on."""

calls = 0


def run(x, y, threads):
    global calls
    calls += 1
    y[:] = 2 * x
    if calls > 3:
        y[0] += 1
