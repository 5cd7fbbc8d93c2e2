"""A log of the device's moving state, joined to measurements by the time they were sampled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from itertools import takewhile
from types import TracebackType

from app.domain.device import DeviceState


class StateLog:
    """Readings with their time. With a period a thread reads on its own; without, only `read_now` does."""

    def __init__(self, read: Callable[[], DeviceState], period_s: float | None) -> None:
        self._read = read
        self._period_s = period_s
        self._readings: list[tuple[float, DeviceState]] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> StateLog:
        if self._period_s is not None:
            self._thread = threading.Thread(target=self._poll, name="device-state", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def read_now(self) -> DeviceState:
        """Read once, now, and keep the reading."""
        state = self._read()
        with self._lock:
            self._readings.append((time.monotonic(), state))
        return state

    def latest(self) -> DeviceState | None:
        """The newest reading, if there is one."""
        with self._lock:
            return self._readings[-1][1] if self._readings else None

    def since(self, start: float) -> tuple[DeviceState, ...]:
        """Readings from `start` (time.monotonic) until now; reads once where there is none yet."""
        with self._lock:
            recent = takewhile(lambda reading: reading[0] >= start, reversed(self._readings))
            found = tuple(state for _, state in recent)
        return found or (self.read_now(),)

    def _poll(self) -> None:
        while not self._stop.wait(self._period_s):
            self.read_now()
