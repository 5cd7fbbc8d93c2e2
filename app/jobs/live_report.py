"""Turns what a child says into progress and events, written at most twice a second."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from app.domain.cell_progress import CellProgress, CellState
from app.domain.child_messages import (
    CellEnded,
    CellStarted,
    ChildMessage,
    DuelFought,
    LogLine,
    Measured,
    RoundDone,
)
from app.domain.duel import Duel
from app.domain.errors import NotFoundError, UnavailableError
from app.domain.measurement import CellKey
from app.domain.run import Job, Progress
from app.domain.vocabulary import BackendName, CellStatus
from app.jobs.durations import Durations
from app.jobs.pace import Pace
from app.kernels.registry import stage
from app.storage.store import Store

logger = logging.getLogger(__name__)

WRITE_PERIOD_S = 0.5
QUIET_WRITE_PERIOD_S = 2.0
_MAX_LOG_LINES_A_WRITE = 100

_STATE_OF = {
    CellStatus.MEASURED: CellState.DONE,
    CellStatus.SKIPPED: CellState.SKIPPED,
    CellStatus.UNSUPPORTED: CellState.UNSUPPORTED,
    CellStatus.WRONG_RESULT: CellState.WRONG_RESULT,
    CellStatus.FAILED: CellState.FAILED,
}


class LiveReport:
    """One job's progress as others see it. Several changes of a cell between two writes become one event."""

    def __init__(self, store: Store, job: Job, expected: Durations, remaining: Collection[CellKey]) -> None:
        self._store = store
        self._job = job
        self._known = frozenset(expected.cell_s)
        self._total = len(expected.cell_s)
        self._done = self._total - len(remaining)
        self._pace = Pace(expected, remaining, time.monotonic())
        self._current: CellKey | None = None
        self._cells: dict[CellKey, CellProgress] = {}
        self._changed: dict[CellKey, None] = {}
        self._log: list[str] = []
        self._foreign: set[str] = set()
        self._dirty = True
        self._written_s = 0.0
        self._handlers: dict[type, Callable[[Any], None]] = {
            CellStarted: self._started,
            RoundDone: self._round,
            Measured: self._measured,
            CellEnded: self._ended,
            DuelFought: lambda message: self.log(_duel_words(message.duel)),
            LogLine: lambda message: self.log(message.text),
        }

    def take(self, message: ChildMessage) -> None:
        """Learn from what the child said."""
        handler = self._handlers.get(type(message))
        if handler is not None:
            handler(message)
            self._dirty = True

    def log(self, text: str) -> None:
        """Add a line to the job's log; a flood is cut."""
        if len(self._log) < _MAX_LOG_LINES_A_WRITE:
            self._log.append(text)
        self._dirty = True

    def device_is_free(self) -> None:
        """The wait for the device, if there was one, is over."""
        self._pace.begin(time.monotonic())

    def write_if_due(self) -> None:
        """Write what is new, if the last write is long enough ago; while nothing is, the time left."""
        period_s = WRITE_PERIOD_S if self._dirty else QUIET_WRITE_PERIOD_S
        if time.monotonic() - self._written_s >= period_s:
            self.write()

    def write(self) -> None:
        """Write what is new, now. A busy database costs no measurement: the next write tells it all."""
        progress = Progress(
            done=self._done,
            total=self._total,
            cell=_words(self._current) if self._current else None,
            eta_s=self._pace.eta_s(time.monotonic()),
        )
        events: list[tuple[str, dict[str, object]]] = [
            ("cell", self._cells[key].as_data()) for key in self._changed
        ]
        events += [("log", {"text": text}) for text in self._log]
        events.append(("progress", _progress_data(progress)))
        try:
            self._store.set_progress(self._job.id, progress, events)
            self._changed, self._log, self._dirty = {}, [], False
        except UnavailableError as error:
            logger.warning("Job %d: its progress is not shown now: %s", self._job.id, error.message)
        self._written_s = time.monotonic()

    def _started(self, message: CellStarted) -> None:
        self._current = message.key
        if message.key in self._known:
            self._pace.cell_started(time.monotonic())
        self._set(replace(self._cell(message.key), state=CellState(message.phase)))

    def _round(self, message: RoundDone) -> None:
        clock = message.state.sm_clock_hz if message.state else None
        rows = zip(message.samples, message.counts, message.medians_s, message.ci_fractions, strict=True)
        for samples, count, median_s, ci_fraction in rows:
            self._set(
                CellProgress(
                    key=samples.key,
                    state=CellState.NEXT_IN_ROUND,
                    cache=samples.cache,
                    n=count,
                    median_s=median_s,
                    ci_fraction=ci_fraction,
                    round=message.round,
                    sm_clock_hz=clock,
                    flop_per_s=_flop_per_s(samples.key, self._job.selection.backend, median_s),
                )
            )
        for process in message.state.foreign_processes if message.state else ():
            if process not in self._foreign:
                self._foreign.add(process)
                self.log(f"Another process uses the device: {process}. Measurements beside it are marked.")

    def _measured(self, message: Measured) -> None:
        found = message.measurement
        self._set(
            replace(
                self._cell(found.key),
                cache=found.cache,
                n=found.n,
                median_s=found.median_s,
                flop_per_s=found.flop_per_s,
                sm_clock_hz=found.sm_clock_hz,
            )
        )

    def _ended(self, message: CellEnded) -> None:
        outcome = message.outcome
        self._done += 1
        self._pace.cell_ended(outcome.key, time.monotonic())
        self._current = None if self._current == outcome.key else self._current
        self._set(replace(self._cell(outcome.key), state=_STATE_OF[outcome.status], reason=outcome.reason))

    def _cell(self, key: CellKey) -> CellProgress:
        return self._cells.get(key) or CellProgress(key, CellState.WAITING)

    def _set(self, cell: CellProgress) -> None:
        if cell.key not in self._known:  # a ceiling's micro-benchmark
            return
        self._cells[cell.key] = cell
        self._changed[cell.key] = None


def _flop_per_s(key: CellKey, backend: BackendName, median_s: float) -> float | None:
    try:
        declared = stage(key.problem, backend, key.stage)
    except NotFoundError:
        return None
    return declared.cost(key.size, key.dtype).flop / median_s if median_s > 0 else None


def _words(key: CellKey) -> str:
    return f"{key.problem} {key.stage} {key.size.key} {key.dtype.value}"


def _duel_words(duel: Duel) -> str:
    low, high = duel.range
    return (
        f"Duel at {duel.size.key} {duel.dtype.value}, {duel.regime.value}: {duel.own} reached "
        f"{duel.ratio:.3f} of {duel.library} ({low:.3f} to {high:.3f} over {len(duel.pairs)} pairs)."
    )


def _progress_data(progress: Progress) -> dict[str, object]:
    return {
        "done": progress.done,
        "total": progress.total,
        "cell": progress.cell,
        "eta_s": progress.eta_s,
    }
