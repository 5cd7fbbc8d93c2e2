"""Duels of a run, and the newest of a problem over all runs."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.duel import Duel, FoughtDuel
from app.domain.size import Size
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, Regime
from app.storage.encoding import DUEL_PAIRS
from app.storage.repository import Repository, run_row
from app.storage.tables import DeviceSnapshotRow, DuelRow, RunRow

MOST_LOOKED_AT = 400


class DuelRepository(Repository):
    """Writes duels as they end, and reads them by problem."""

    def add_duel(self, run_id: int, duel: Duel) -> None:
        """Insert or replace, by problem, size, dtype, arithmetic and regime. Raises NotFoundError."""
        with self._database.write() as session:
            run_row(session, run_id)
            write_duel(session, run_id, duel)

    def newest_duels(self, problem: str, backend: BackendName) -> list[FoughtDuel]:
        """The last duel of each device, size, dtype, arithmetic and regime; newest runs first."""
        query = (
            select(DuelRow, col(DeviceSnapshotRow.name))
            .join(RunRow, col(RunRow.id) == col(DuelRow.run_id))
            .join(DeviceSnapshotRow, col(DeviceSnapshotRow.sha256) == col(RunRow.device_sha256))
            .where(col(DuelRow.problem) == problem, col(RunRow.backend) == backend.value)
            .order_by(col(DuelRow.run_id).desc(), *_ORDER)
            .limit(MOST_LOOKED_AT)
        )
        newest: dict[tuple[object, ...], FoughtDuel] = {}
        with self._database.read() as session:
            for row, name in session.execute(query):
                identity = (name, row.size_key, row.dtype, row.arithmetic, row.regime)
                newest.setdefault(identity, FoughtDuel(row.run_id, name, _duel(row)))
        return list(newest.values())


def duels_of(session: Session, run_id: int) -> tuple[Duel, ...]:
    """Duels of a run by problem, size, dtype, arithmetic and regime."""
    query = select(DuelRow).where(col(DuelRow.run_id) == run_id).order_by(*_ORDER)
    return tuple(_duel(row) for row in session.scalars(query))


def write_duel(session: Session, run_id: int, duel: Duel) -> None:
    """Insert or replace one duel in a transaction."""
    session.merge(
        DuelRow(
            run_id=run_id,
            problem=duel.problem,
            size_key=duel.size.key,
            dtype=duel.dtype.value,
            arithmetic=duel.arithmetic.value,
            regime=duel.regime.value,
            own=duel.own,
            library=duel.library,
            library_call=duel.library_call,
            flop=duel.flop,
            pairs=DUEL_PAIRS.dump(duel.pairs),
        )
    )


def _duel(row: DuelRow) -> Duel:
    return Duel(
        problem=row.problem,
        size=Size.parse(row.size_key),
        dtype=Dtype(row.dtype),
        arithmetic=Arithmetic(row.arithmetic),
        regime=Regime(row.regime),
        own=row.own,
        library=row.library,
        library_call=row.library_call,
        flop=row.flop,
        pairs=DUEL_PAIRS.load(row.pairs),
    )


_ORDER = tuple(
    col(column)
    for column in (DuelRow.problem, DuelRow.size_key, DuelRow.dtype, DuelRow.arithmetic, DuelRow.regime)
)
