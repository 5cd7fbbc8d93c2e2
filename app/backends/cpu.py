"""The CPU as a backend: stages in NumPy, Numba or BLAS, timed by the monotonic clock."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import threadpoolctl
from numpy.typing import NDArray

import app.kernels
from app.backends.backend import PreparedCell
from app.backends.cpu_device import (
    available_memory_bytes,
    clock_reading,
    cpu_device,
    cpu_state,
    last_level_cache_bytes,
)
from app.backends.drawing import draw_normal
from app.backends.elements import ELEMENTS
from app.backends.eviction import CacheEvictor
from app.backends.recipe import recipe_of
from app.backends.software import base_environment
from app.backends.warm_up import warm_up
from app.backends.workspace import Workspace, require_memory
from app.domain.device import Capability, Device, DeviceState, Environment
from app.domain.errors import CompileFailure, OutOfMemoryFailure, StageFailure
from app.domain.measurement import CompilerReport, Correctness
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels.problem import Problem
from app.kernels.stage import Stage

Array = NDArray[Any]
_WARM_WINDOW_S = 1e-3


class CpuCell:
    """One stage bound to its arrays."""

    def __init__(
        self,
        function: Callable[..., None],
        stage: Stage,
        problem: Problem,
        size: Size,
        workspace: Workspace,
        evictor: CacheEvictor,
        threads: int,
    ) -> None:
        self.compiler: CompilerReport | None = None
        self.recipe = recipe_of(stage, problem, size, compile_options=stage.compile_options)
        self._workspace = workspace
        self._evict = evictor.evict
        self._function = function
        self._arguments = (*workspace.arrays.values(), threads)

    def check(self, seed: int) -> Correctness:
        """As PreparedCell."""
        return self._workspace.check(self._launch, seed)

    def warm_up(self, until_steady_s: float) -> float:
        """As PreparedCell."""
        return warm_up(self.time_warm, until_steady_s)

    def time_cold(self) -> float:
        """As PreparedCell."""
        self._evict()
        return self.time_warm(1)

    def time_warm(self, launches: int) -> float:
        """As PreparedCell."""
        function, arguments = self._function, self._arguments
        start = time.perf_counter_ns()
        for _ in range(launches):
            function(*arguments)
        return (time.perf_counter_ns() - start) * 1e-9 / launches

    def _launch(self) -> None:
        try:
            self._function(*self._arguments)
        except MemoryError as error:
            raise _out_of_memory() from error
        except Exception as error:
            raise StageFailure(f"The stage raised {type(error).__name__}: {_first_line(error)}") from error


class CpuBackend:
    """This machine's CPU with every core the process may use."""

    name = BackendName.CPU
    state_period_s: float | None = None  # a reading thread would take time from the cores that are measured
    settle_s = 0.0
    steady_s = 0.03

    def __init__(self) -> None:
        self._threads = len(os.sched_getaffinity(0))
        self._functions: dict[str, Callable[..., None]] = {}
        self._workspaces: dict[tuple[str, Size, Dtype], Workspace] = {}

    def device(self) -> Device:
        """As Backend."""
        return self._device

    def environment(self) -> Environment:
        """As Backend."""
        blas = _blas_libraries()
        facts = {
            "cold_method": self._evictor.description,
            "clock": clock_reading().reason,
            "threads": str(self._threads),
            "blas": "; ".join(f"{b['name']} {b['version']} ({b['threads']} threads)" for b in blas)
            or "unknown",
        }
        return base_environment(("numpy", "numba", "threadpoolctl"), facts)

    def capabilities(self) -> Sequence[Capability]:
        """As Backend."""
        clock = clock_reading()
        missing = _why_no_numba()
        return (
            Capability(
                "Numba",
                missing is None,
                missing or f"Numba {importlib.metadata.version('numba')}",
                "the compiled rungs of the CPU ladder are left out",
                ".venv/bin/pip install -e '.[cpu]' (Python 3.11 to 3.13)",
            ),
            Capability(
                "CPU clock readable",
                clock.is_readable,
                clock.reason,
                "% of the roof at the held clock is not stated",
                "run on the bare machine" if not clock.is_readable else "",
            ),
            Capability(
                "Last-level cache size",
                last_level_cache_bytes() is not None,
                self._evictor.description,
                "cold samples assume a 64 MiB cache",
                "mount sysfs (/sys/devices/system/cpu)",
            ),
        )

    def state(self) -> DeviceState:
        """As Backend."""
        return cpu_state()

    def compile_ahead(self, stages: Sequence[Stage]) -> None:
        """As Backend: nothing, each stage is compiled when it is prepared."""

    def why_unsupported(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> str | None:
        """As Backend."""
        if dtype not in stage.dtypes or dtype not in ELEMENTS:
            return f"{stage.title} has no {dtype} version"
        return _why_no_numba() if stage.uses_numba else None

    def prepare(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> PreparedCell:
        """As Backend."""
        function = self._function(stage, problem, dtype)
        workspace = self._workspace(problem, size, dtype)
        return CpuCell(function, stage, problem, size, workspace, self._evictor, self._threads)

    def warm_launches(self, launch_s: float) -> int:
        """As Backend."""
        return max(1, math.ceil(_WARM_WINDOW_S / launch_s))

    def release(self) -> None:
        """As Backend."""
        self._workspaces.clear()

    @cached_property
    def _device(self) -> Device:
        return cpu_device()

    @cached_property
    def _evictor(self) -> CacheEvictor:
        return CacheEvictor(last_level_cache_bytes(), available_memory_bytes(), self._threads)

    def _function(self, stage: Stage, problem: Problem, dtype: Dtype) -> Callable[..., None]:
        """Load the source by its path and compile it by a call on the smallest size; once a stage."""
        key = f"{stage.source}:{stage.entry}:{dtype}"
        if key not in self._functions:
            try:
                function: Callable[..., None] = getattr(_load(stage), stage.entry)
                smallest = Size(tuple((p.name, p.minimum) for p in problem.size_parameters))
                trial = Workspace(np, problem, smallest, dtype, draw_normal)
                for array in trial.arrays.values():
                    # What happens to lie in memory may overflow, or index out of bounds.
                    array.fill(1 if array.dtype.kind == "f" else 0)
                function(*trial.arrays.values(), self._threads)
            except Exception as error:
                raise CompileFailure(f"{type(error).__name__}: {_first_line(error)}") from error
            self._functions[key] = function
        return self._functions[key]

    def _workspace(self, problem: Problem, size: Size, dtype: Dtype) -> Workspace:
        key = (problem.name, size, dtype)
        if key not in self._workspaces:
            try:
                self._evictor.allocate()
                require_memory(problem, size, dtype, available_memory_bytes())
                self._workspaces[key] = Workspace(np, problem, size, dtype, draw_normal)
            except MemoryError as error:
                raise _out_of_memory() from error
        return self._workspaces[key]


def _load(stage: Stage) -> ModuleType:
    """The module of a stage's source: the package's own where it has one, since others may import from it."""
    for root in map(Path, app.kernels.__path__):
        if stage.source.is_relative_to(root):
            inside = stage.source.relative_to(root).with_suffix("")
            return importlib.import_module(".".join((app.kernels.__name__, *inside.parts)))
    name = "roofladder_stage_" + hashlib.sha256(str(stage.source).encode()).hexdigest()[:16]
    spec = importlib.util.spec_from_file_location(name, stage.source)
    if spec is None or spec.loader is None:
        raise ImportError(f"{stage.source} is not a Python source file")
    module = importlib.util.module_from_spec(spec)
    # Numba's cache finds the module of a compiled function by its name, in this and later processes.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _why_no_numba() -> str | None:
    if importlib.util.find_spec("numba") is not None:
        return None
    return f"Numba is not installed (no wheel for Python {platform.python_version()}, or left out)"


def _blas_libraries() -> list[dict[str, str]]:
    found = [i for i in threadpoolctl.threadpool_info() if i["user_api"] == "blas"]
    return [
        {"name": i["internal_api"], "version": str(i["version"]), "threads": str(i["num_threads"])}
        for i in found
    ]


def _out_of_memory() -> OutOfMemoryFailure:
    return OutOfMemoryFailure("The stage ran out of memory: choose a smaller size or free memory.")


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else "no message"
