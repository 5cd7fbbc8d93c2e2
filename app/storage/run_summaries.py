"""Rows of runs as summaries, with what other tables say of them."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlmodel import col

from app.domain.run import JobError, RunSummary
from app.domain.vocabulary import BackendName, RunStatus
from app.storage.encoding import DEVICE
from app.storage.tables import DeviceSnapshotRow, JobRow, RunProblemRow, RunRow, RunTagRow


def run_summaries(session: Session, rows: list[RunRow]) -> list[RunSummary]:
    """The summaries of rows, in their order, with four queries however many there are."""
    ids = [row.id for row in rows if row.id is not None]
    shas = {row.device_sha256 for row in rows if row.device_sha256}
    problems = _lists(session, RunProblemRow.run_id, RunProblemRow.problem, RunProblemRow.position, ids)
    tags = _lists(session, RunTagRow.run_id, RunTagRow.tag, RunTagRow.position, ids)
    owners = select(col(JobRow.run_id), col(JobRow.id)).where(col(JobRow.run_id).in_(ids))
    jobs = dict(session.execute(owners).all())
    found = session.scalars(select(DeviceSnapshotRow).where(col(DeviceSnapshotRow.sha256).in_(shas)))
    devices = {snapshot.sha256: DEVICE.load(snapshot.body) for snapshot in found}
    return [
        RunSummary(
            id=row.id,
            uid=row.uid,
            status=RunStatus(row.status),
            backend=BackendName(row.backend),
            imported=row.imported,
            created_at=row.created_at,
            label=row.label,
            device=devices[row.device_sha256] if row.device_sha256 else None,
            problems=problems.get(row.id, ()),
            note=row.note,
            tags=tags.get(row.id, ()),
            job_id=jobs.get(row.id),
            started_at=row.started_at,
            finished_at=row.finished_at,
            error=JobError(row.error_code, row.error_message or "") if row.error_code else None,
        )
        for row in rows
        if row.id is not None
    ]


def _lists(
    session: Session,
    run_id: Any,  # noqa: ANN401 - as above
    value: Any,  # noqa: ANN401
    position: Any,  # noqa: ANN401
    run_ids: list[int],
) -> dict[int, tuple[str, ...]]:
    owner: InstrumentedAttribute[int] = run_id
    query = select(owner, col(value)).where(owner.in_(run_ids)).order_by(owner, col(position))
    rows = session.execute(query)
    return {key: tuple(v for _, v in group) for key, group in groupby(rows, key=lambda row: row[0])}
