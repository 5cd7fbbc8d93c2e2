"""The contract between the measuring loop and a machine that runs stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from app.domain.device import Capability, Device, DeviceState, Environment
from app.domain.measurement import CompilerReport, Correctness, Recipe
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels.problem import Problem
from app.kernels.stage import Stage


class PreparedCell(Protocol):
    """One stage compiled for one size and dtype, with its arrays in memory, ready to launch."""

    recipe: Recipe
    compiler: CompilerReport | None

    def check(self, seed: int) -> Correctness:
        """Fill inputs with fresh random data, poison outputs with NaN, launch once, compare.

        Raises StickyDeviceFailure when the launch faults.
        """
        ...

    def warm_up(self, until_steady_s: float) -> float:
        """Launch until the time per launch is steady; return that time in seconds."""
        ...

    def time_cold(self) -> float:
        """Flush the last-level cache outside the window, launch once, return seconds."""
        ...

    def time_warm(self, launches: int) -> float:
        """Launch `launches` times back to back in one window; return seconds per launch."""
        ...


class Backend(Protocol):
    """A machine: one GPU, or the CPU. Used by one thread of the measuring child.

    `state_period_s`: how often a thread may call `state()` during sampling without disturbing it; None
    means only between samples. `settle_s`: longest joint warm-up of a group before it is sampled.
    """

    name: BackendName
    state_period_s: float | None
    settle_s: float
    steady_s: float  # least warm-up of one stage

    def device(self) -> Device:
        """Lasting facts. Raises DeviceUnavailableError with one clear line."""
        ...

    def environment(self) -> Environment:
        """Software versions."""
        ...

    def capabilities(self) -> Sequence[Capability]:
        """Rows for `doctor` that only this backend can tell."""
        ...

    def state(self) -> DeviceState:
        """Clocks, power, heat, throttle reasons and foreign processes now."""
        ...

    def compile_ahead(self, stages: Sequence[Stage]) -> None:
        """Compile what these stages need, side by side; a failure is told when the stage is prepared."""
        ...

    def why_unsupported(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> str | None:
        """Why this device cannot run the cell ("needs sm_90"), or None."""
        ...

    def prepare(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> PreparedCell:
        """Compile and allocate. Raises CompileFailure or OutOfMemoryFailure."""
        ...

    def warm_launches(self, launch_s: float) -> int:
        """Launches in one warm window, so that the window is long against the clock's resolution."""
        ...

    def release(self) -> None:
        """Free the arrays of all prepared cells; compiled code stays cached."""
        ...
