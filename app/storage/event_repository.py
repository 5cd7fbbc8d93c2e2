"""Events: a job's story, line by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from sqlalchemy import bindparam, delete, func, select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.run import JobError, JobEvent, latest_of_each
from app.domain.vocabulary import JobStatus
from app.storage.encoding import EVENT_DATA
from app.storage.repository import Repository
from app.storage.tables import JobEventRow


class EventRepository(Repository):
    """Appends and reads job events."""

    def add_events(self, job_id: int, events: Sequence[tuple[str, dict[str, object]]]) -> None:
        """Append (kind, data) rows in one transaction."""
        if not events:
            return
        at = datetime.now(UTC)
        with self._database.write() as session:
            for kind, data in events:
                append_event(session, job_id, at, kind, data)

    def events(self, *, after_id: int, job_id: int | None = None, limit: int = 500) -> list[JobEvent]:
        """Events in id order."""
        query = select(JobEventRow).where(col(JobEventRow.id) > after_id)
        if job_id is not None:
            query = query.where(col(JobEventRow.job_id) == job_id)
        with self._database.read() as session:
            rows = session.scalars(query.order_by(col(JobEventRow.id)).limit(limit))
            return [_event(row) for row in rows]

    def latest_event_id(self) -> int:
        """The newest event's id, 0 when there is none."""
        with self._database.read() as session:
            return session.scalar(select(func.max(col(JobEventRow.id)))) or 0


def append_event(session: Session, job_id: int, at: datetime, kind: str, data: Mapping[str, object]) -> None:
    """Add one event to a transaction."""
    session.add(JobEventRow(job_id=job_id, at=at, kind=kind, data=EVENT_DATA.dump(dict(data))))


def append_status(
    session: Session, job_id: int, at: datetime, status: JobStatus, error: JobError | None = None
) -> None:
    """Add the event of a job's new state."""
    data: dict[str, object] = {"status": status.value}
    if error is not None:
        data["error"] = {"code": error.code, "message": error.message}
    append_event(session, job_id, at, "status", data)


def drop_replaced(session: Session, job_id: int) -> None:
    """Delete a job's events that a later one replaced: thousands of a long job, of use only while it ran."""
    rows = session.scalars(
        select(JobEventRow).where(col(JobEventRow.job_id) == job_id).order_by(col(JobEventRow.id))
    )
    events = [_event(row) for row in rows]
    replaced = {event.id for event in events} - {event.id for event in latest_of_each(events)}
    if replaced:
        session.connection().execute(
            delete(JobEventRow).where(col(JobEventRow.id) == bindparam("event_id")),
            [{"event_id": event_id} for event_id in replaced],
        )


def _event(row: JobEventRow) -> JobEvent:
    assert row.id is not None
    return JobEvent(row.id, row.job_id, row.at, row.kind, EVENT_DATA.load(row.data))
