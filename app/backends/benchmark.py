"""The measuring loop: check, warm up, interleaved rounds, check again, for every cell of a plan.

Stages of one problem, size and dtype are sampled together in rounds whose order is drawn anew each time,
so that heat, clock and neighbours weigh on all of them alike. A stage that fails is an outcome; the
others go on.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby

from app.backends.backend import Backend, PreparedCell
from app.backends.duel import Arena, Contender, fight_all
from app.backends.health import held_state
from app.backends.monitor import StateLog
from app.backends.recipe import source_of
from app.backends.result import Roofs, measurement, require_possible, with_check_after
from app.backends.series import Series
from app.backends.stopping import require_short
from app.domain.child_messages import (
    CellEnded,
    CellStarted,
    ChildMessage,
    LogLine,
    Measured,
    Plan,
    RoundDone,
    SourceUsed,
)
from app.domain.device import DeviceState
from app.domain.errors import (
    LeftOutFailure,
    NotOnThisDeviceFailure,
    StageFailure,
    StickyDeviceFailure,
    WrongResultFailure,
)
from app.domain.measurement import CellKey, CellOutcome, Correctness
from app.domain.vocabulary import CacheState, CellStatus
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Stage

Emit = Callable[[ChildMessage], None]

SLICE_S = 0.02  # sampling of one series in one round; a slower launch is one sample
_SETTLE_SLICE_S = 0.05
_REPORT_EVERY_S = 0.25
_SETTLED_FRACTION = 0.003
_BRIEF_WARM_UP_S = 0.02

_STATUS_OF_FAILURE: dict[type[StageFailure], CellStatus] = {
    LeftOutFailure: CellStatus.SKIPPED,
    NotOnThisDeviceFailure: CellStatus.UNSUPPORTED,
    WrongResultFailure: CellStatus.WRONG_RESULT,
}


@dataclass
class Lane:
    """One stage of a group, prepared, checked and warm, with its two series."""

    key: CellKey
    stage: Stage
    cell: PreparedCell
    before: Correctness
    launch_s: float
    series: tuple[Series, ...]

    @property
    def is_sampled(self) -> bool:
        """Whether every series has its stop reason."""
        return all(s.stop_reason is not None for s in self.series)


class Benchmark:
    """Measures the cells of a plan on one backend and tells `emit` what happens."""

    def __init__(
        self, backend: Backend, plan: Plan, roofs: Roofs, log: StateLog, emit: Emit, seed: int
    ) -> None:
        self._backend = backend
        self._plan = plan
        self._roofs = roofs
        self._log = log
        self._emit = emit
        self._seed = seed
        self._random = random.Random(seed)
        self._sources: set[str] = set()
        self._ended: set[CellKey] = set()
        self._contenders: dict[CellKey, Contender] = {}  # measured, and to end after their duel
        self._round = 0
        self._reported_at = 0.0

    def run(self) -> None:
        """Measure every cell of the plan, group by group, in the plan's order.

        Raises StickyDeviceFailure after the faulting cell's outcome is told: this process can measure
        nothing more. Raises DeviceUnavailableError when the device is gone.
        """
        self._backend.compile_ahead(self._stages())
        gc.freeze()  # the collections after groups need not look at what is loaded
        for _, cells in groupby(self._plan.cells, key=lambda c: (c.problem, c.size, c.dtype)):
            try:
                with _no_garbage_collection():
                    self._run_group(tuple(cells))
            finally:
                self._backend.release()

    def _stages(self) -> tuple[Stage, ...]:
        asked = dict.fromkeys((cell.problem, cell.stage) for cell in self._plan.cells)
        known = (
            stage
            for problem, name in asked
            if problem in registry.problems()
            for stage in registry.stages(problem, self._backend.name)
            if stage.name == name
        )
        return tuple(known)

    def _run_group(self, cells: Sequence[CellKey]) -> None:
        lanes = self._admit(cells)
        if not self._is_brief(registry.problem(cells[0].problem)):
            self._settle(lanes)
        while lanes := self._open(lanes):
            self._random.shuffle(lanes)
            for lane in lanes:
                with self._outcome_on_failure(lane.key, lane.cell):
                    self._sample(lane)
            self._round += 1
            self._report(lanes)
            for lane in self._open(lanes):
                if lane.is_sampled:
                    with self._outcome_on_failure(lane.key, lane.cell):
                        self._finish(lane)
        if self._contenders:
            self._duel()

    def _open(self, lanes: Sequence[Lane]) -> list[Lane]:
        return [lane for lane in lanes if lane.key not in self._ended | self._contenders.keys()]

    def _admit(self, cells: Sequence[CellKey]) -> list[Lane]:
        lanes: list[Lane] = []
        for key in cells:
            with self._outcome_on_failure(key, None):
                stage = registry.stage(key.problem, self._backend.name, key.stage)
                problem = registry.problem(key.problem)
                require_possible(stage.cost(key.size, key.dtype), stage)
                if not self._is_left_out(key, stage, problem):
                    lanes.append(self._prepare(key, stage, problem))
        return lanes

    def _is_left_out(self, key: CellKey, stage: Stage, problem: Problem) -> bool:
        skip = stage.why_not(key.size) if stage.why_not else None
        if skip is not None:
            self._end(key, CellStatus.SKIPPED, skip)
            return True
        missing = self._backend.why_unsupported(stage, problem, key.size, key.dtype)
        if missing is not None:
            self._end(key, CellStatus.UNSUPPORTED, missing)
        return missing is not None

    def _prepare(self, key: CellKey, stage: Stage, problem: Problem) -> Lane:
        self._emit(CellStarted(key, "compiling"))
        self._tell_source(stage)
        cell = self._backend.prepare(stage, problem, key.size, key.dtype)
        self._emit(CellStarted(key, "checking"))
        before = _checked(cell, self._seed)
        launch_s = cell.warm_up(_BRIEF_WARM_UP_S if self._is_brief(problem) else self._backend.steady_s)
        if self._plan.scan:
            require_short(launch_s)
        return Lane(key, stage, cell, before, launch_s, self._open_series(key, problem, cell, launch_s))

    def _is_brief(self, problem: Problem) -> bool:
        return self._plan.scan or not problem.is_ladder

    def _open_series(
        self, key: CellKey, problem: Problem, cell: PreparedCell, launch_s: float
    ) -> tuple[Series, ...]:
        launches = self._backend.warm_launches(launch_s)
        cold, warm = (
            (self._plan.cold, self._plan.warm) if problem.is_ladder else (self._plan.brief, self._plan.brief)
        )
        both = (
            Series(key, CacheState.COLD, cold, cell.time_cold, 1),
            Series(key, CacheState.WARM, warm, lambda: cell.time_warm(launches), launches),
        )
        series = tuple(one for one in both if one.cache in problem.caches)
        for one in series:
            for prior in self._plan.prior_samples:
                if (prior.key, prior.cache) == (key, one.cache):
                    one.resume(prior)
        return series

    def _settle(self, lanes: Sequence[Lane]) -> None:
        """Run unrecorded rounds until every stage's time holds still: the joint warm-up of the group."""
        started = time.monotonic()
        before: dict[CellKey, float] = {}
        while time.monotonic() - started < self._backend.settle_s:
            now: dict[CellKey, float] = {}
            for lane in self._open(lanes):
                self._emit(CellStarted(lane.key, "checking"))
                with self._outcome_on_failure(lane.key, lane.cell):
                    now[lane.key] = lane.cell.warm_up(_SETTLE_SLICE_S)
            if all(abs(now[k] - before.get(k, 0.0)) <= _SETTLED_FRACTION * now[k] for k in now):
                return
            before = now

    def _sample(self, lane: Lane) -> None:
        self._emit(CellStarted(lane.key, "sampling"))
        for series in lane.series:
            if series.stop_reason is None:
                started = time.monotonic()
                series.take_slice(SLICE_S)
                states = self._log.since(started)
                series.add_states(states, _middle_clock(states))

    def _finish(self, lane: Lane) -> None:
        self._emit(CellStarted(lane.key, "checking"))
        after = lane.cell.check(self._seed + 1)
        correctness = with_check_after(lane.before, after)
        if not correctness.passed:
            raise WrongResultFailure(f"Wrong after timing: {after.detail}.")
        for series in lane.series:
            found = measurement(series, lane.stage, lane.cell, correctness, self._roofs, lane.launch_s)
            self._emit(Measured(found, series.all_samples()))
        warm = next((series for series in lane.series if series.cache is CacheState.WARM), None)
        if self._plan.duel and warm is not None:
            self._contenders[lane.key] = Contender(lane.key, lane.stage, lane.cell, warm.median_s)
        else:
            self._end(lane.key, CellStatus.MEASURED, "", lane.cell)

    def _duel(self) -> None:
        contenders, self._contenders = self._contenders, {}
        arena = Arena(self._log, self._plan.duel_rule, self._emit, self._seed + 2)
        fight_all(tuple(contenders.values()), self._plan.duel, arena)
        for key, contender in contenders.items():
            self._end(key, CellStatus.MEASURED, "", contender.cell)

    def _report(self, lanes: Sequence[Lane]) -> None:
        now = time.monotonic()
        if now - self._reported_at < _REPORT_EVERY_S:
            return
        self._reported_at = now
        series = [s for lane in lanes for s in lane.series]
        fresh = [(s, s.unreported()) for s in series]
        fresh = [(s, samples) for s, samples in fresh if samples.durations_s]
        self._emit(
            RoundDone(
                self._round,
                tuple(samples for _, samples in fresh),
                tuple(s.median_s for s, _ in fresh),
                tuple(s.criterion.ci_fraction for s, _ in fresh),
                tuple(len(s.durations_s) for s, _ in fresh),
                self._log.latest(),
            )
        )

    @contextmanager
    def _outcome_on_failure(self, key: CellKey, cell: PreparedCell | None) -> Iterator[None]:
        """A failure of the stage inside becomes the cell's outcome; a lost device or context goes on up."""
        try:
            yield
        except StageFailure as failure:
            status = _STATUS_OF_FAILURE.get(type(failure), CellStatus.FAILED)
            self._end(key, status, failure.message, cell)
            if isinstance(failure, StickyDeviceFailure):
                raise

    def _end(self, key: CellKey, status: CellStatus, reason: str, cell: PreparedCell | None = None) -> None:
        self._ended.add(key)
        self._emit(CellEnded(CellOutcome(key, status, reason, cell.compiler if cell else None)))
        if reason:
            self._emit(LogLine(f"{key.stage} at {key.size.key}: {status}: {reason}"))

    def _tell_source(self, stage: Stage) -> None:
        sha256, text = source_of(stage)
        if sha256 not in self._sources:
            self._sources.add(sha256)
            self._emit(SourceUsed(sha256, text))


def _checked(cell: PreparedCell, seed: int) -> Correctness:
    found = cell.check(seed)
    if not found.passed_before:
        raise WrongResultFailure(f"Wrong result, so no time is stated: {found.detail}.")
    return found


def _middle_clock(states: Sequence[DeviceState]) -> float | None:
    return held_state(states).sm_clock_hz


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """A collection inside a timed window would be charged to the stage."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.collect()
