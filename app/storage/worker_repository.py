"""Workers' last words, and what the service does once in the life of a database."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select
from sqlmodel import col

from app.domain.device import WorkerSnapshot
from app.storage.encoding import WORKER
from app.storage.repository import Repository
from app.storage.tables import JobRow, MilestoneRow, RunRow, WorkerRow


class WorkerRepository(Repository):
    """Keeps one snapshot per worker."""

    def put_worker(self, snapshot: WorkerSnapshot) -> None:
        """Insert or replace, by worker id."""
        row = WorkerRow(worker_id=snapshot.worker_id, seen_at=snapshot.seen_at, body=WORKER.dump(snapshot))
        with self._database.write() as session:
            session.merge(row)

    def workers(self) -> list[WorkerSnapshot]:
        """Latest snapshot of each worker, newest first."""
        with self._database.read() as session:
            rows = session.scalars(select(WorkerRow).order_by(col(WorkerRow.seen_at).desc()))
            return [WORKER.load(row.body) for row in rows]

    def is_empty(self) -> bool:
        """Whether no job was ever submitted and no run of this machine is kept."""
        with self._database.read() as session:
            job = session.scalar(select(col(JobRow.id)).limit(1))
            own = session.scalar(select(col(RunRow.id)).where(col(RunRow.imported).is_(False)).limit(1))
            return job is None and own is None

    def milestone_reached(self, name: str) -> bool:
        """Whether `reach_milestone` was called with this name in this database's life."""
        with self._database.read() as session:
            return session.get(MilestoneRow, name) is not None

    def reach_milestone(self, name: str) -> None:
        """Remember the name for ever; again is harmless."""
        with self._database.write() as session:
            if session.get(MilestoneRow, name) is None:
                session.add(MilestoneRow(name=name, at=datetime.now(UTC)))
