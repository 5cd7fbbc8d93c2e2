"""How long a running job still takes: what was expected of it, corrected by the pace so far."""

from __future__ import annotations

from collections.abc import Collection, Hashable

from app.domain.measurement import CellKey
from app.jobs.durations import CALIBRATION_RANGE, Durations

OVERDUE_FRACTION = 0.1  # of the time a phase took so far; never "0 s left" while there is work


class Pace:
    """Follows the job's groups of cells against the clock. Times in seconds of one monotonic clock.

    Cells of one problem, size and dtype are sampled in rounds and end together, so a group, not a cell,
    is what tells the pace. `remaining` are the cells this attempt has to measure, in its order.
    """

    def __init__(self, expected: Durations, remaining: Collection[CellKey], now_s: float) -> None:
        self._start_s = expected.start_s
        self._groups: dict[Hashable, set[CellKey]] = {}
        self._expected_s: dict[Hashable, float] = {}
        for cell in remaining:
            group = _group(cell)
            self._groups.setdefault(group, set()).add(cell)
            self._expected_s[group] = self._expected_s.get(group, 0.0) + expected.cell_s.get(cell, 0.0)
        self._measuring = False
        self._phase_began_s = now_s
        self._ended_expected_s = 0.0
        self._ended_took_s = 0.0

    def begin(self, now_s: float) -> None:
        """The job begins now: it waited for the device until here."""
        self._phase_began_s = now_s

    def cell_started(self, now_s: float) -> None:
        """A cell is worked on; the first one ends the start."""
        if not self._measuring:
            self._measuring = True
            self._phase_began_s = now_s

    def cell_ended(self, cell: CellKey, now_s: float) -> None:
        """One more cell is over."""
        self.cell_started(now_s)
        left = self._groups.get(_group(cell), set())
        left.discard(cell)
        if not left and _group(cell) in self._groups:
            del self._groups[_group(cell)]
            self._ended_expected_s += self._expected_s[_group(cell)]
            self._ended_took_s += now_s - self._phase_began_s
            self._phase_began_s = now_s

    def eta_s(self, now_s: float) -> float:
        """Seconds left."""
        phases = [self._expected_s[group] * self._factor() for group in self._groups]
        if not phases:
            return 0.0
        if not self._measuring:
            phases.insert(0, self._start_s)
        took_s = now_s - self._phase_began_s
        return max(phases[0] - took_s, OVERDUE_FRACTION * took_s) + sum(phases[1:])

    def _factor(self) -> float:
        if not self._ended_expected_s:
            return 1.0
        low, high = CALIBRATION_RANGE
        return min(high, max(low, self._ended_took_s / self._ended_expected_s))


def _group(cell: CellKey) -> Hashable:
    return cell.problem, cell.size, cell.dtype
