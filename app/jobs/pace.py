"""How long a job still takes, from the pace so far."""

from __future__ import annotations


class Pace:
    """Counts ended cells against the clock. Times in seconds of one monotonic clock."""

    def __init__(self, estimate_s: float | None, started_s: float) -> None:
        self._estimate_s = estimate_s
        self._started_s = started_s
        self._ended = 0
        self._last_end_s = started_s

    def cell_ended(self, now_s: float) -> None:
        """One more cell is over."""
        self._ended += 1
        self._last_end_s = now_s

    def eta_s(self, remaining: int, now_s: float) -> float | None:
        """Seconds left for `remaining` cells: by the rate so far, else by the estimate, None without one."""
        if remaining == 0:
            return 0.0
        if self._ended:
            per_cell_s = (self._last_end_s - self._started_s) / self._ended
            return max(0.0, per_cell_s * remaining - (now_s - self._last_end_s))
        if self._estimate_s is None:
            return None
        return max(0.0, self._estimate_s - (now_s - self._started_s))
