"""Measures nothing: gives the measuring loop the samples of an earlier run, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.backends.backend import PreparedCell
from app.domain.device import Capability, Device, DeviceState, Environment
from app.domain.errors import StageFailure
from app.domain.measurement import CellKey, CompilerReport, Correctness, Measurement, Recipe, Samples
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CacheState, Dtype
from app.kernels.problem import Problem
from app.kernels.stage import Stage


@dataclass(frozen=True)
class Recording:
    """One stored measurement with its raw samples."""

    measurement: Measurement
    samples: Samples


class ReplayCell:
    """Gives recorded durations; fails when they are used up, since there are no others."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        first = recordings[0].measurement
        self.recipe: Recipe = first.recipe
        self.compiler: CompilerReport | None = first.compiler
        self._correctness = first.correctness
        self._launch_s = first.median_s
        self._left: dict[CacheState, Iterator[float]] = {
            r.samples.cache: iter(r.samples.durations_s) for r in recordings
        }

    def check(self, seed: int) -> Correctness:
        """The recorded verdict."""
        return self._correctness

    def warm_up(self, until_steady_s: float) -> float:
        """The recorded median."""
        return self._launch_s

    def time_cold(self) -> float:
        """The next cold sample."""
        return self._next(CacheState.COLD)

    def time_warm(self, launches: int) -> float:
        """The next warm sample."""
        return self._next(CacheState.WARM)

    def _next(self, cache: CacheState) -> float:
        try:
            return next(self._left[cache])
        except (StopIteration, KeyError):
            raise StageFailure(f"The recording has no more {cache} samples.") from None


class ReplayBackend:
    """The device of a recorded run."""

    state_period_s: float | None = None
    settle_s = 0.0
    steady_s = 0.0

    def __init__(
        self,
        device: Device,
        environment: Environment,
        recordings: Sequence[Recording],
        states: Sequence[DeviceState] = (),
    ) -> None:
        self.name: BackendName = device.backend
        self._device = device
        self._environment = environment
        self._states = iter(states)
        self._last_state = DeviceState(datetime.now(UTC))
        self._by_key: dict[CellKey, list[Recording]] = {}
        for recording in recordings:
            self._by_key.setdefault(recording.measurement.key, []).append(recording)

    def device(self) -> Device:
        """As recorded."""
        return self._device

    def environment(self) -> Environment:
        """As recorded."""
        return self._environment

    def capabilities(self) -> Sequence[Capability]:
        """A recording can do nothing of its own."""
        return ()

    def state(self) -> DeviceState:
        """The next recorded state; the last one from then on."""
        self._last_state = next(self._states, self._last_state)
        return self._last_state

    def compile_ahead(self, stages: Sequence[Stage]) -> None:
        """As Backend: nothing, each stage is compiled when it is prepared."""

    def why_unsupported(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> str | None:
        """What was not recorded cannot be replayed."""
        known = CellKey(problem.name, stage.name, size, dtype) in self._by_key
        return None if known else f"{stage.title} is not in the recording"

    def prepare(self, stage: Stage, problem: Problem, size: Size, dtype: Dtype) -> PreparedCell:
        """A cell over the recorded samples."""
        return ReplayCell(self._by_key[CellKey(problem.name, stage.name, size, dtype)])

    def warm_launches(self, launch_s: float) -> int:
        """One: recorded samples are per launch already."""
        return 1

    def release(self) -> None:
        """Nothing to free."""
