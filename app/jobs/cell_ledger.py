"""What of a job is measured, what is left, and what a dead child leaves to the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from app.backends.duel import default_duel_rule
from app.backends.stopping import default_rules, scan_rules
from app.domain.child_messages import (
    CeilingMeasured,
    CellEnded,
    CellStarted,
    ChildMessage,
    Done,
    Fatal,
    Plan,
    RoundDone,
)
from app.domain.measurement import Ceiling, CellKey, CellOutcome, Samples
from app.domain.run import Selection
from app.domain.vocabulary import CacheState, CellStatus, Provenance, Regime

_SampleKey = tuple[CellKey, CacheState, Regime]


class CellLedger:
    """Follows one job over all of its children."""

    def __init__(
        self, cells: Sequence[CellKey], ended: Iterable[CellOutcome], ceilings: Iterable[Ceiling]
    ) -> None:
        self._cells = tuple(cells)
        self._ended = {outcome.key: outcome for outcome in ended}
        self._samples: dict[_SampleKey, Samples] = {}
        self._ceilings = {(ceiling.name, ceiling.source): ceiling for ceiling in ceilings}
        self._needs_ceilings = not any(c.source is Provenance.MEASURED for c in self._ceilings.values())
        self._reached_cells = False
        self.in_flight: CellKey | None = None
        self.fatal: Fatal | None = None
        self.done = False
        self._handlers: dict[type, Callable[[Any], None]] = {
            CeilingMeasured: self._ceiling,
            CellStarted: self._started,
            RoundDone: self._round,
            CellEnded: self._end,
            Done: self._done,
            Fatal: self._fatal,
        }

    @property
    def total(self) -> int:
        """How many cells the job has."""
        return len(self._cells)

    @property
    def remaining(self) -> tuple[CellKey, ...]:
        """Cells without an outcome, in the job's order."""
        return tuple(cell for cell in self._cells if cell not in self._ended)

    @property
    def ended(self) -> tuple[CellOutcome, ...]:
        """Outcomes so far, in the job's order."""
        return tuple(self._ended[cell] for cell in self._cells if cell in self._ended)

    @property
    def anything_measured(self) -> bool:
        """Whether one cell at least was measured."""
        return any(outcome.status is CellStatus.MEASURED for outcome in self._ended.values())

    def plan(self, selection: Selection, cache_dir: str) -> Plan:
        """The task of the next child: what is left, with the samples that a dead child streamed."""
        remaining = self.remaining
        self.in_flight, self.done, self.fatal, self._reached_cells = None, False, None, False
        backend = selection.backend
        rules = scan_rules() if selection.scan else default_rules(backend)
        return Plan(
            backend=backend,
            cells=remaining,
            cold=rules.cold,
            warm=rules.warm,
            brief=rules.brief,
            scan=selection.scan,
            duel=selection.duel,
            duel_rule=default_duel_rule(backend),
            measure_ceilings=self._needs_ceilings,
            known_ceilings=tuple(self._ceilings.values()),
            cache_dir=cache_dir,
            prior_samples=tuple(s for s in self._samples.values() if s.key in set(remaining)),
        )

    def take(self, message: ChildMessage) -> None:
        """Learn from what the child said."""
        handler = self._handlers.get(type(message))
        if handler is not None:
            handler(message)

    def child_died(self) -> CellKey | None:
        """The cell that died with the child, None where it had begun none.

        A child that died before its first cell died measuring ceilings; the next one goes without.
        """
        if not self._reached_cells:
            self._needs_ceilings = False
        return self.in_flight

    def _ceiling(self, message: CeilingMeasured) -> None:
        ceiling = message.ceiling
        self._ceilings[ceiling.name, ceiling.source] = ceiling

    def _started(self, message: CellStarted) -> None:
        if message.key not in self._cells:  # a ceiling's micro-benchmark
            return
        self._reached_cells = True
        self._needs_ceilings = False
        self.in_flight = message.key

    def _end(self, message: CellEnded) -> None:
        self._ended[message.outcome.key] = message.outcome
        if self.in_flight == message.outcome.key:
            self.in_flight = None

    def _round(self, message: RoundDone) -> None:
        for new in message.samples:
            key = (new.key, new.cache, new.regime)
            known = self._samples.get(key)
            self._samples[key] = new if known is None else _joined(known, new)

    def _done(self, _message: Done) -> None:
        self.done = True

    def _fatal(self, message: Fatal) -> None:
        self.fatal = message


def _joined(known: Samples, new: Samples) -> Samples:
    return Samples(
        known.key,
        known.cache,
        known.regime,
        known.durations_s + new.durations_s,
        known.sm_clock_hz + new.sm_clock_hz,
    )
