"""Duels as pages show them: of one run, or the newest of a problem."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.duel import Duel
from app.domain.run import Run
from app.domain.vocabulary import BackendName
from app.services.ladder_rows import size_title
from app.storage.store import Store


@dataclass(frozen=True)
class DuelRow:
    """One duel, the run it comes from and the device it was fought on."""

    run_id: int
    device_name: str
    size_title: str
    duel: Duel

    @property
    def is_won(self) -> bool:
        """Whether the own stage is at least as fast."""
        return self.duel.ratio >= 1


def duels_of_run(run: Run, problem: str) -> tuple[DuelRow, ...]:
    """Those of one problem, smallest size first."""
    device = run.summary.device.name if run.summary.device else ""
    rows = [_row(run.summary.id, device, duel) for duel in run.duels if duel.problem == problem]
    return tuple(sorted(rows, key=_place))


def newest_duels(store: Store, problem: str) -> tuple[DuelRow, ...]:
    """The newest of each device, size, type and regime, on any backend."""
    found = [one for backend in BackendName for one in store.newest_duels(problem, backend)]
    rows = [_row(one.run_id, one.device_name, one.duel) for one in found]
    return tuple(sorted(rows, key=lambda row: (row.device_name, *_place(row))))


def _row(run_id: int, device_name: str, duel: Duel) -> DuelRow:
    return DuelRow(run_id, device_name, size_title(duel.problem, duel.size), duel)


def _place(row: DuelRow) -> tuple[int, str, str, str]:
    return row.duel.flop, row.duel.dtype.value, row.duel.arithmetic.value, row.duel.regime.value
