"""An NVIDIA GPU as a backend: cubins through NVRTC, launched and timed through CuPy on one stream."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import cupy
import numpy as np
from cupy_backends.cuda.libs.cublas import CUBLASError

from app.backends import nvml
from app.backends.cuda_code import CompiledCode
from app.backends.cuda_device import gpu_device
from app.backends.cuda_errors import failure_of
from app.backends.cuda_launch import bound_launch
from app.backends.cuda_library import LibraryCell, cublas_version, library_call
from app.backends.cuda_timer import StreamTimer
from app.backends.elements import ELEMENTS
from app.backends.nvrtc import nvrtc_version
from app.backends.recipe import recipe_of
from app.backends.software import base_environment
from app.backends.warm_up import warm_up
from app.backends.workspace import Workspace, require_memory
from app.domain.device import Capability, Device, DeviceState, Environment
from app.domain.errors import DeviceUnavailableError
from app.domain.measurement import CompilerReport, Correctness, Recipe
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels.problem import Problem
from app.kernels.stage import Stage

_WARM_WINDOW_S = 1e-3
_SEED_OF_A_CHOICE = 1  # what a library times its candidates on
_MOST_LAUNCHES = 200  # the driver's queue holds about a thousand: beyond it a launch waits for the hold
_PERSISTING_L2_LIMIT = 6  # cudaLimitPersistingL2CacheSize
_FIRST_MAJOR_WITH_PERSISTING_L2 = 8
_CLOCK_RATE, _MEMORY_CLOCK_RATE = 13, 36  # cudaDevAttrClockRate, cudaDevAttrMemoryClockRate
_CUDA_ERRORS = (
    cupy.cuda.runtime.CUDARuntimeError,
    cupy.cuda.driver.CUDADriverError,
    CUBLASError,
    cupy.cuda.memory.OutOfMemoryError,
)


class CudaCell:
    """One stage bound to its arrays on the device."""

    def __init__(
        self,
        launch: Callable[[], None],
        recipe: Recipe,
        compiler: CompilerReport | None,
        workspace: Workspace,
        timer: StreamTimer,
        cold_clock: Callable[[], float] | None = None,  # a trap's own
        launches_per_call: int = 1,
    ) -> None:
        self.recipe = recipe
        self.compiler = compiler
        self._launch = launch
        self._workspace = workspace
        self._timer = timer
        self._cold_clock = cold_clock
        self._most_calls = max(1, _MOST_LAUNCHES // launches_per_call)

    def check(self, seed: int) -> Correctness:
        """As PreparedCell."""
        with _translated():
            return self._workspace.check(self._launch_and_wait, seed)

    def check_on_host(self, seed: int) -> Correctness:
        """As `check`, with no kernel on the device but the stage's own: see Workspace."""
        with _translated():
            return self._workspace.check_on_host(self._launch_and_wait, seed)

    def warm_up(self, until_steady_s: float) -> float:
        """As PreparedCell."""
        return warm_up(lambda launches: self.time_warm(min(launches, self._most_calls)), until_steady_s)

    def time_cold(self) -> float:
        """As PreparedCell."""
        with _translated():
            if self._cold_clock is not None:
                return self._cold_clock()
            return self._timer.seconds_per_launch(self._launch, 1, cold=True)

    def time_warm(self, launches: int) -> float:
        """As PreparedCell."""
        with _translated():
            return self._timer.seconds_per_launch(self._launch, launches, cold=False)

    def _launch_and_wait(self) -> None:
        self._launch()
        cupy.cuda.get_current_stream().synchronize()


class CudaBackend:
    """The first GPU that CUDA sees, which CUDA_VISIBLE_DEVICES decides."""

    name = BackendName.CUDA
    state_period_s: float | None = 0.1
    settle_s = 4.0
    steady_s = 0.2

    def __init__(self, cache_dir: Path) -> None:
        with _translated():
            if cupy.cuda.runtime.getDeviceCount() == 0:
                raise DeviceUnavailableError("No GPU is visible to CUDA: check CUDA_VISIBLE_DEVICES.")
            self._properties = cupy.cuda.runtime.getDeviceProperties(0)
            self._gpu = nvml.gpu_by_pci_bus_id(cupy.cuda.runtime.deviceGetPCIBusId(0))
            cupy.cuda.Device(0).use()
            self._stream = cupy.cuda.Stream(non_blocking=True)
            self._stream.use()
            if int(self._properties["major"]) >= _FIRST_MAJOR_WITH_PERSISTING_L2:
                # Lines set aside as persisting would survive every flush.
                cupy.cuda.runtime.deviceSetLimit(_PERSISTING_L2_LIMIT, 0)
            if self._gpu is not None:
                self._gpu.adopt()
            self._device = self._find_device()
        self._cache_dir = cache_dir
        self._code = CompiledCode(self._device.architecture or "", cache_dir)
        self._workspaces: dict[tuple[str, Size, Dtype], Workspace] = {}

    def device(self) -> Device:
        """As Backend."""
        return self._device

    def environment(self) -> Environment:
        """As Backend."""
        facts = self._gpu.facts() if self._gpu else None
        flushed = 2 * (self._device.l2_bytes or 0)
        with _translated():
            runtime, driver = cupy.cuda.runtime.runtimeGetVersion(), cupy.cuda.runtime.driverGetVersion()
            libraries = {"cuBLAS": cublas_version()}
        return base_environment(
            ("cupy-cuda13x", "cupy-cuda12x", "cuda-bindings", "numpy", "nvidia-ml-py"),
            {
                "cold_method": f"read of {flushed} bytes in stream order, twice the L2; no line left dirty",
                "clock_control": "none: clocks are left as they are",
                "ecc": _yes_no(facts.ecc if facts else None),
                "persistence_mode": _yes_no(facts.persistence if facts else None),
                "driver_cuda_version": _cuda_version(driver),
            },
            driver_version=facts.driver_version if facts else None,
            cuda_version=_cuda_version(runtime),
            nvrtc_version=nvrtc_version(),
            further_libraries=libraries,
        )

    def capabilities(self) -> Sequence[Capability]:
        """As Backend."""
        missing = nvml.why_unavailable()
        state = self._gpu.state() if self._gpu else None
        return (
            Capability("GPU", True, f"{self._device.name}, {self._device.architecture}"),
            Capability("NVRTC", True, f"NVRTC {nvrtc_version()}"),
            Capability(
                "GPU clocks readable",
                state is not None and state.sm_clock_hz is not None,
                missing or "by NVML",
                "% of the roof at the held clock, throttling and foreign processes are not known",
                "make NVML usable: in a container pass --gpus all with the utility capability",
            ),
        )

    def state(self) -> DeviceState:
        """As Backend."""
        return self._gpu.state() if self._gpu else nvml.unreadable_state()

    def compile_ahead(self, stages: Sequence[Stage]) -> None:
        """As Backend."""
        self._code.compile_ahead([s for s in stages if s.entry and not self._misses(s)])

    def why_unsupported(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> str | None:
        """As Backend."""
        if dtype not in stage.dtypes or dtype not in ELEMENTS:
            return f"{stage.title} has no {dtype} version"
        missing = self._misses(stage)
        if missing is not None:
            return missing
        launch = stage.launch(size) if stage.launch else None
        shared = max(stage.needs.shared_bytes_per_block, launch.dynamic_shared_bytes if launch else 0)
        limit = self._device.shared_bytes_per_block
        if limit is not None and shared > limit:
            return f"needs {shared:,} bytes of shared memory a block, this GPU has {limit:,}"
        return None

    def prepare(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> CudaCell:
        """As Backend."""
        with _translated():
            workspace = self._workspace(problem, size, dtype)
            if stage.launch is None:
                return self._library_cell(stage, problem, size, dtype, workspace)
            function, report = self._code.function(stage)

            def bind(loaded: Any) -> Callable[[], None]:  # noqa: ANN401
                return bound_launch(loaded, stage, problem, size, dtype, workspace)

            recipe = recipe_of(stage, problem, size, compile_options=report.options, compiler=report)
            clock = self._code.cold_clock(stage, bind)
            return CudaCell(
                bind(function),
                recipe,
                report,
                workspace,
                self._timer,
                cold_clock=clock,
                launches_per_call=stage.launch(size).count,
            )

    def _library_cell(
        self, stage: Stage, problem: Problem, size: Size, dtype: Dtype, workspace: Workspace
    ) -> CudaCell:
        workspace.draw_inputs(_SEED_OF_A_CHOICE)
        call = library_call(LibraryCell(problem.name, stage.name, size, dtype, workspace.arrays), self._timer)
        recipe = recipe_of(stage, problem, size, compile_options=(), library=call.description)
        return CudaCell(call.launch, recipe, None, workspace, self._timer)

    def warm_launches(self, launch_s: float) -> int:
        """As Backend."""
        return max(1, min(_MOST_LAUNCHES, math.ceil(_WARM_WINDOW_S / launch_s)))

    def release(self) -> None:
        """As Backend."""
        self._workspaces.clear()
        # After a fault every call fails; what failed first is the error to show.
        with contextlib.suppress(*_CUDA_ERRORS):
            cupy.get_default_memory_pool().free_all_blocks()

    @cached_property
    def _timer(self) -> StreamTimer:
        return StreamTimer(
            self._stream,
            self._device.architecture or "",
            self._device.l2_bytes or 0,
            self._cache_dir,
        )

    def _find_device(self) -> Device:
        clocks_khz = [cupy.cuda.runtime.deviceGetAttribute(a, 0) for a in (_CLOCK_RATE, _MEMORY_CLOCK_RATE)]
        facts, uuid = (self._gpu.facts(), self._gpu.uuid) if self._gpu else (None, None)
        return gpu_device(self._properties, facts, *clocks_khz, nvml_uuid=uuid)

    def _misses(self, stage: Stage) -> str | None:
        has = (int(self._properties["major"]), int(self._properties["minor"]))
        needs = stage.needs.compute_capability
        if needs is None:
            return None
        if stage.needs.same_major and has[0] > needs[0]:
            return f"is written for compute capability {needs[0]}.x alone, this GPU has {has[0]}.{has[1]}"
        if has >= needs:
            return None
        return f"needs compute capability {needs[0]}.{needs[1]}, this GPU has {has[0]}.{has[1]}"

    def _workspace(self, problem: Problem, size: Size, dtype: Dtype) -> Workspace:
        key = (problem.name, size, dtype)
        if key not in self._workspaces:
            free, _ = cupy.cuda.runtime.memGetInfo()
            require_memory(problem, size, dtype, free)
            self._workspaces[key] = Workspace(cupy, problem, size, dtype, _draw)
        return self._workspaces[key]


def _draw(array: Any, seed: int) -> None:  # noqa: ANN401
    generator = cupy.random.default_rng(seed)
    array[...] = generator.standard_normal(array.shape, dtype=np.float32)


@contextlib.contextmanager
def _translated() -> Iterator[None]:
    """CUDA's errors as ours."""
    try:
        yield
    except _CUDA_ERRORS as error:
        raise failure_of(error) from error


def _cuda_version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def _yes_no(value: bool | None) -> str:
    return "unknown" if value is None else ("on" if value else "off")
