"""Duels as pages show them: of one run, or the newest of a problem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.duel import DUEL_REGIMES, Duel
from app.domain.run import Run
from app.domain.vocabulary import BackendName, Dtype, Regime
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


@dataclass(frozen=True)
class DuelView:
    """Duels in one regime, or in all where `regime` is None; `regimes` are those that were fought."""

    rows: tuple[DuelRow, ...] = ()
    regimes: tuple[Regime, ...] = ()
    regime: Regime | None = None


def duels_of_run(run: Run, problem: str, dtype: Dtype, regime: str | None = None) -> DuelView:
    """Those of one problem and type, smallest size first; a regime that was not fought narrows nothing."""
    device = run.summary.device.name if run.summary.device else ""
    fought = [duel for duel in run.duels if duel.problem == problem and duel.dtype is dtype]
    rows = [_row(run.summary.id, device, duel) for duel in fought]
    return duel_view(sorted(rows, key=_place), regime)


def duel_view(rows: Sequence[DuelRow], regime: str | None) -> DuelView:
    """The rows of one regime, and which there are."""
    regimes = tuple(one for one in DUEL_REGIMES if any(row.duel.regime is one for row in rows))
    chosen = next((one for one in regimes if one.value == regime), None)
    return DuelView(tuple(r for r in rows if chosen in (None, r.duel.regime)), regimes, chosen)


def newest_duels(store: Store, problem: str) -> tuple[DuelRow, ...]:
    """The newest of each device, size, type and regime, on any backend."""
    found = [one for backend in BackendName for one in store.newest_duels(problem, backend)]
    rows = [_row(one.run_id, one.device_name, one.duel) for one in found]
    return tuple(sorted(rows, key=lambda row: (row.device_name, *_place(row))))


def _row(run_id: int, device_name: str, duel: Duel) -> DuelRow:
    return DuelRow(run_id, device_name, size_title(duel.problem, duel.size), duel)


def _place(row: DuelRow) -> tuple[int, str, str, str]:
    return row.duel.flop, row.duel.dtype.value, row.duel.arithmetic.value, row.duel.regime.value
