"""Times launches by device events behind a kernel that holds the stream. Imports CuPy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cupy
import numpy as np

from app.backends.nvrtc import compile_cubin
from app.domain.errors import StageFailure

_DEVICE_CODE = Path(__file__).parent / "device_code"
_HOLD_TIMEOUT_NS = 1_000_000_000
_ATTEMPTS = 3
_TIMES_CACHE = 2
_FLUSH_BLOCKS = 1024
_QUAD_BYTES = 16


class StreamTimer:
    """Everything that a window needs is allocated and loaded once; one stream, the current one.

    Order in the stream: hold, flush (cold only), start event, launches, stop event. The host releases the
    hold when all of it is queued, so neither launch gaps nor the flush lie between the events.
    """

    def __init__(self, stream: cupy.cuda.Stream, architecture: str, l2_bytes: int, cache_dir: Path) -> None:
        self._hold = _loaded("hold", architecture, cache_dir)
        self._flush = _loaded("flush", architecture, cache_dir)
        self._stream = stream
        self._start = cupy.cuda.Event()
        self._stop = cupy.cuda.Event()
        pinned = cupy.cuda.alloc_pinned_memory(8)
        self._flags = np.frombuffer(pinned, np.int32, 2)
        self._flags[:] = 0
        self._flag_addresses = (np.uint64(pinned.ptr), np.uint64(pinned.ptr + 4))
        self._flush_buffer = cupy.zeros(_TIMES_CACHE * l2_bytes // _QUAD_BYTES * 4, np.float32)
        self._flush_sink = cupy.zeros(1, np.float32)
        self._ticket = 0

    def seconds_per_launch(self, launch: Callable[[], None], launches: int, *, cold: bool) -> float:
        """Mean of `launches` launches in one window. Raises StageFailure when the hold times out thrice."""
        for _ in range(_ATTEMPTS):
            elapsed_s = self._window(launch, launches, cold=cold)
            if self._flags[1] != self._ticket:
                return elapsed_s / launches
        raise StageFailure(
            "The stream's hold timed out before the launches were queued, so launch gaps would be timed: "
            "the host is too busy. Run the job again."
        )

    def _window(self, launch: Callable[[], None], launches: int, *, cold: bool) -> float:
        self._ticket += 1
        arguments = (*self._flag_addresses, np.int32(self._ticket), np.uint64(_HOLD_TIMEOUT_NS))
        self._hold((1, 1, 1), (1, 1, 1), arguments)
        try:
            if cold:
                quads = np.uint64(self._flush_buffer.size // 4)
                self._flush((_FLUSH_BLOCKS,), (256,), (self._flush_buffer, quads, self._flush_sink))
            self._start.record(self._stream)
            for _ in range(launches):
                launch()
            self._stop.record(self._stream)
        finally:
            self._flags[0] = self._ticket
        self._stop.synchronize()
        return float(cupy.cuda.get_elapsed_time(self._start, self._stop)) * 1e-3


def _loaded(name: str, architecture: str, cache_dir: Path) -> Any:  # noqa: ANN401 - a CuPy function
    source = (_DEVICE_CODE / f"{name}.cu").read_text()
    cubin, _ = compile_cubin(source, name, architecture, (), cache_dir=cache_dir)
    module = cupy.cuda.function.Module()
    module.load(cubin)
    return module.get_function(name)
