"""Jobs: requests to the worker, each created together with the run it fills."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import ScalarSelect, func, select, update
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from app.domain.errors import ConflictError, IdempotencyMismatchError, NotFoundError
from app.domain.run import Job, JobError, Progress, Selection
from app.domain.vocabulary import JobKind, JobStatus
from app.storage.encoding import SELECTION
from app.storage.event_repository import append_event, append_status, drop_replaced
from app.storage.repository import Repository
from app.storage.tables import JobRow, RunProblemRow, RunRow

_ACTIVE = (JobStatus.QUEUED.value, JobStatus.RUNNING.value)


class JobRepository(Repository):
    """Creates jobs and moves them through their states, each move with its "status" event."""

    def create_job(
        self,
        *,
        kind: JobKind,
        selection: Selection,
        label: str,
        deadline_s: float,
        estimate_s: float,
        cell_count: int,
        idempotency_key: str | None,
        request_sha256: str,
    ) -> tuple[Job, bool]:
        """One transaction: job row and its run row. Returns (job, created).

        With a known idempotency key returns the first job and False; IdempotencyMismatchError when
        `request_sha256` differs.
        """
        with self._database.write() as session:
            known = _submitted_before(session, idempotency_key, request_sha256)
            if known is not None:
                return known, False
            row = JobRow(
                workflow_id=uuid4().hex,
                run_id=_add_run(session, selection, label),
                kind=kind,
                status=JobStatus.QUEUED,
                selection=SELECTION.dump(selection),
                label=label,
                deadline_s=deadline_s,
                estimate_s=estimate_s,
                created_at=datetime.now(UTC),
                progress_total=cell_count,
                idempotency_key=idempotency_key,
                request_sha256=request_sha256,
            )
            session.add(row)
            session.flush()
            assert row.id is not None
            append_status(session, row.id, row.created_at, JobStatus.QUEUED)
            return _read_job(session, row.id), True

    def job_submitted_before(self, idempotency_key: str, request_sha256: str) -> Job | None:
        """The job of that key. IdempotencyMismatchError when it came with another request."""
        with self._database.read() as session:
            return _submitted_before(session, idempotency_key, request_sha256)

    def job(self, job_id: int) -> Job:
        """The job of that id. Raises NotFoundError."""
        with self._database.read() as session:
            return _read_job(session, job_id)

    def jobs(
        self, *, status: JobStatus | None = None, before_id: int | None = None, limit: int = 50
    ) -> list[Job]:
        """Newest first, with queue positions filled."""
        query = select(JobRow, _queue_position()).order_by(col(JobRow.id).desc()).limit(limit)
        if status is not None:
            query = query.where(col(JobRow.status) == status)
        if before_id is not None:
            query = query.where(col(JobRow.id) < before_id)
        with self._database.read() as session:
            return [_job(row, position) for row, position in session.execute(query)]

    def active_jobs(self) -> list[Job]:
        """Queued and running, oldest first."""
        query = select(JobRow, _queue_position()).where(col(JobRow.status).in_(_ACTIVE))
        with self._database.read() as session:
            found = session.execute(query.order_by(col(JobRow.id)))
            return [_job(row, position) for row, position in found]

    def start_job(self, job_id: int, at: datetime) -> Job:
        """Queued or running -> running, attempts + 1. ConflictError when final."""
        with self._database.write() as session:
            row = _job_row(session, job_id)
            if JobStatus(row.status).is_final:
                raise ConflictError(f"Job {job_id} is {row.status} already; submit a new one.")
            row.status = JobStatus.RUNNING
            row.attempts += 1
            row.started_at = row.started_at or at
            session.execute(
                update(RunRow)
                .where(col(RunRow.id) == row.run_id)
                .values(status=JobStatus.RUNNING, started_at=row.started_at)
            )
            append_status(session, job_id, at, JobStatus.RUNNING)
            session.flush()
            return _job(row, None)

    def finish_job(self, job_id: int, status: JobStatus, error: JobError | None, at: datetime) -> bool:
        """Set a final state once, on job and run together; False when it was final already.

        Of its events only those stay that no later one replaced (`JobEvent.subject`).
        """
        if not status.is_final:
            raise ConflictError(f"{status.value} is not a final state.")
        with self._database.write() as session:
            row = _job_row(session, job_id)
            if JobStatus(row.status).is_final:
                return False
            ended = {
                "status": status.value,
                "finished_at": at,
                "error_code": error.code if error else None,
                "error_message": error.message if error else None,
            }
            session.execute(update(RunRow).where(col(RunRow.id) == row.run_id).values(ended))
            session.execute(
                update(JobRow)
                .where(col(JobRow.id) == job_id)
                .values(ended | {"progress_cell": None, "progress_eta_s": None})
            )
            drop_replaced(session, job_id)
            append_status(session, job_id, at, status, error)
            return True

    def release_job(self, job_id: int, at: datetime) -> None:
        """Running -> queued because its worker stops in good order; the attempt is not counted."""
        with self._database.write() as session:
            row = _job_row(session, job_id)
            if row.status != JobStatus.RUNNING:
                return
            row.status = JobStatus.QUEUED
            row.attempts -= 1
            row.progress_cell = row.progress_eta_s = None
            session.execute(
                update(RunRow).where(col(RunRow.id) == row.run_id).values(status=JobStatus.QUEUED)
            )
            append_status(session, job_id, at, JobStatus.QUEUED)

    def set_progress(
        self, job_id: int, progress: Progress, events: Sequence[tuple[str, dict[str, object]]] = ()
    ) -> None:
        """Overwrite the job's progress and append (kind, data) events with it; a final job's stays."""
        at = datetime.now(UTC)
        with self._database.write() as session:
            session.execute(
                update(JobRow)
                .where(col(JobRow.id) == job_id, col(JobRow.status).in_(_ACTIVE))
                .values(
                    progress_done=progress.done,
                    progress_total=progress.total,
                    progress_cell=progress.cell,
                    progress_eta_s=progress.eta_s,
                )
            )
            for kind, data in events:
                append_event(session, job_id, at, kind, data)


def _add_run(session: Session, selection: Selection, label: str) -> int:
    run = RunRow(
        uid=uuid4().hex,
        status=JobStatus.QUEUED,
        backend=selection.backend,
        created_at=datetime.now(UTC),
        label=label,
        selection=SELECTION.dump(selection),
    )
    session.add(run)
    session.flush()
    assert run.id is not None
    for position, problem in enumerate(dict.fromkeys(selection.problems)):
        session.add(RunProblemRow(run_id=run.id, problem=problem, position=position))
    return run.id


def _submitted_before(session: Session, key: str | None, request_sha256: str) -> Job | None:
    if key is None:
        return None
    known = session.scalar(select(JobRow).where(col(JobRow.idempotency_key) == key))
    if known is None:
        return None
    if known.request_sha256 != request_sha256:
        raise IdempotencyMismatchError(
            f"Idempotency-Key {key!r} was used for another request (job {known.id})."
            " Send a new key with a new request.",
            field="Idempotency-Key",
        )
    return _read_job(session, known.id)


def _job_row(session: Session, job_id: int | None) -> JobRow:
    row = session.get(JobRow, job_id) if job_id is not None else None
    if row is None:
        raise NotFoundError("There is no such job. See the list of jobs for those that exist.")
    return row


def _queue_position() -> ScalarSelect[int]:
    """How many queued jobs stand up to and with this one; 1 is next."""
    other = aliased(JobRow)
    return (
        select(func.count())
        .where(col(other.status) == JobStatus.QUEUED, col(other.id) <= col(JobRow.id))
        .correlate(JobRow)
        .scalar_subquery()
    )


def _read_job(session: Session, job_id: int | None) -> Job:
    _job_row(session, job_id)
    row, position = session.execute(select(JobRow, _queue_position()).where(col(JobRow.id) == job_id)).one()
    return _job(row, position)


def _job(row: JobRow, position: int | None) -> Job:
    assert row.id is not None
    error = JobError(row.error_code, row.error_message or "") if row.error_code else None
    return Job(
        id=row.id,
        workflow_id=row.workflow_id,
        kind=JobKind(row.kind),
        status=JobStatus(row.status),
        run_id=row.run_id,
        selection=SELECTION.load(row.selection),
        label=row.label,
        deadline_s=row.deadline_s,
        created_at=row.created_at,
        progress=Progress(row.progress_done, row.progress_total, row.progress_cell, row.progress_eta_s),
        queue_position=position if row.status == JobStatus.QUEUED else None,
        started_at=row.started_at,
        finished_at=row.finished_at,
        error=error,
        attempts=row.attempts,
        estimate_s=row.estimate_s,
    )
