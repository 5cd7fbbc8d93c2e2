"""Stages compiled for one device and loaded into its context, each once. Imports CuPy."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cupy

from app.backends.disassemble import with_inner_loop
from app.backends.nvrtc import Compilation, compile_cubin
from app.backends.recipe import source_of
from app.domain.errors import StageFailure
from app.domain.measurement import CompilerReport
from app.kernels.stage import Stage
from app.kernels.trap import Clock

_MOST_COMPILERS = 8


class CompiledCode:
    """Functions by source, entry, options and architecture; cubins are kept in `cache_dir`."""

    def __init__(self, architecture: str, cache_dir: Path) -> None:
        self._architecture = architecture
        self._cache_dir = cache_dir
        self._functions: dict[tuple[str, str, tuple[str, ...], str], tuple[Any, CompilerReport]] = {}

    def compile_ahead(self, stages: Sequence[Stage]) -> None:
        """Compile side by side into the cache; a failure is told when the stage is prepared."""
        with ThreadPoolExecutor(max_workers=min(_MOST_COMPILERS, os.cpu_count() or 1)) as pool:
            list(pool.map(self._compile_quietly, stages))

    def function(self, stage: Stage) -> tuple[Any, CompilerReport]:
        """The loaded kernel and what the compiler said. Raises CompileFailure, and CuPy's errors."""
        sha256, _ = source_of(stage)
        key = (sha256, stage.entry, stage.compile_options, self._target(stage))
        if key not in self._functions:
            cubin, report = self._compile(stage, self._cache_dir)
            described = with_inner_loop(report, cubin, stage.entry)
            self._functions[key] = (_loaded(cubin, stage), described)
        return self._functions[key]

    def cold_clock(
        self, stage: Stage, bind: Callable[[Any], Callable[[], None]]
    ) -> Callable[[], float] | None:
        """How a trap that reads the wrong clock takes one sample; None for the device's own events.

        `bind` makes a launch of a loaded function.
        """
        clock = stage.trap.clock if stage.trap else Clock.DEVICE_EVENTS
        if clock is Clock.UNSYNCHRONISED:
            return _seconds_of(bind(self.function(stage)[0]))
        if clock is Clock.FIRST_LAUNCH:
            return _seconds_of(lambda: self._launch_anew(stage, bind))
        return None

    def _launch_anew(self, stage: Stage, bind: Callable[[Any], Callable[[], None]]) -> None:
        bind(_loaded(self._compile(stage, None).cubin, stage))()
        cupy.cuda.get_current_stream().synchronize()

    def _target(self, stage: Stage) -> str:
        if stage.trap is None or not stage.trap.foreign_architecture:
            return self._architecture
        return "sm_90" if self._architecture.startswith("sm_8") else "sm_80"

    def _compile(self, stage: Stage, cache_dir: Path | None) -> Compilation:
        _, text = source_of(stage)
        return compile_cubin(
            text, stage.entry, self._target(stage), stage.compile_options, cache_dir=cache_dir
        )

    def _compile_quietly(self, stage: Stage) -> None:
        with contextlib.suppress(StageFailure):
            self._compile(stage, self._cache_dir)


def _loaded(cubin: bytes, stage: Stage) -> Any:  # noqa: ANN401
    module = cupy.cuda.function.Module()
    module.load(cubin)
    return module.get_function(stage.entry)


def _seconds_of(act: Callable[[], None]) -> Callable[[], float]:
    def sample() -> float:
        started = time.perf_counter()
        act()
        return time.perf_counter() - started

    return sample
