"""Runs: lists, whole runs, edits and deletion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, delete, or_, select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.errors import ConflictError
from app.domain.run import Run, RunSummary
from app.domain.vocabulary import RunStatus
from app.storage.duel_repository import duels_of
from app.storage.encoding import ENVIRONMENT, SELECTION
from app.storage.repository import Repository, run_row
from app.storage.run_contents import ceilings_of, measurements_of, outcomes_of, sources_of
from app.storage.run_summaries import run_summaries
from app.storage.tables import (
    DeviceSnapshotRow,
    EnvironmentRow,
    RunProblemRow,
    RunRow,
    RunSourceRow,
    RunTagRow,
    SourceRow,
)


class RunRepository(Repository):
    """Reads runs with a constant number of queries, whatever they hold."""

    def run(self, run_id: int) -> Run:
        """The whole run but its raw samples. Raises NotFoundError."""
        with self._database.read() as session:
            row = run_row(session, run_id)
            environment = (
                session.get(EnvironmentRow, row.environment_sha256) if row.environment_sha256 else None
            )
            return Run(
                summary=run_summaries(session, [row])[0],
                selection=SELECTION.load(row.selection),
                environment=ENVIRONMENT.load(environment.body) if environment else None,
                measurements=measurements_of(session, run_id),
                outcomes=outcomes_of(session, run_id),
                ceilings=ceilings_of(session, run_id),
                duels=duels_of(session, run_id),
                sources=sources_of(session, run_id),
            )

    def runs(
        self,
        *,
        before_id: int | None = None,
        limit: int = 50,
        status: RunStatus | None = None,
        backend: str | None = None,
        imported: bool | None = None,
        problem: str | None = None,
        device: str | None = None,
        text: str | None = None,
        tag: str | None = None,
    ) -> list[RunSummary]:
        """Newest first. `device` is a name or UUID; `text` matches label, note, tags and device name."""
        query = select(RunRow).order_by(col(RunRow.id).desc()).limit(limit)
        if before_id is not None:
            query = query.where(col(RunRow.id) < before_id)
        if status is not None:
            query = query.where(col(RunRow.status) == status.value)
        if backend is not None:
            query = query.where(col(RunRow.backend) == backend)
        if imported is not None:
            query = query.where(col(RunRow.imported).is_(imported))
        if problem is not None:
            query = query.where(_has(RunProblemRow.run_id, RunProblemRow.problem, problem))
        if tag is not None:
            query = query.where(_has(RunTagRow.run_id, RunTagRow.tag, tag))
        if device is not None:
            query = query.where(col(RunRow.device_sha256).in_(_snapshots_of(device)))
        if text:
            query = _matching(query, text)
        with self._database.read() as session:
            return run_summaries(session, list(session.scalars(query)))

    def edit_run(
        self, run_id: int, *, label: str | None, note: str | None, tags: tuple[str, ...] | None
    ) -> RunSummary:
        """Change what is not None. Raises NotFoundError."""
        with self._database.write() as session:
            row = run_row(session, run_id)
            row.label = row.label if label is None else label
            row.note = row.note if note is None else note
            if tags is not None:
                session.execute(delete(RunTagRow).where(col(RunTagRow.run_id) == run_id))
                write_tags(session, run_id, tags)
            session.flush()
            return run_summaries(session, [row])[0]

    def delete_run(self, run_id: int) -> None:
        """Delete the run and all it found out. ConflictError while its job is queued or running."""
        with self._database.write() as session:
            row = run_row(session, run_id)
            if not RunStatus(row.status).is_final:
                raise ConflictError(f"Run {run_id} is {row.status}; cancel its job first, then delete it.")
            session.execute(delete(RunRow).where(col(RunRow.id) == run_id))
            used = select(col(RunSourceRow.sha256))
            session.execute(delete(SourceRow).where(col(SourceRow.sha256).not_in(used)))


def write_tags(session: Session, run_id: int, tags: Sequence[str]) -> None:
    """Add tags in order, each once, to a run that has none."""
    for position, tag in enumerate(dict.fromkeys(tags)):
        session.add(RunTagRow(run_id=run_id, tag=tag, position=position))


def _has(run_id: Any, column: Any, value: str) -> Any:  # noqa: ANN401 - SQLModel columns are typed as values
    return col(RunRow.id).in_(select(col(run_id)).where(col(column) == value))


def _snapshots_of(device: str) -> Select[str]:
    snapshot = DeviceSnapshotRow
    return select(col(snapshot.sha256)).where(or_(col(snapshot.name) == device, col(snapshot.uuid) == device))


def _matching(query: Select[RunRow], text: str) -> Select[RunRow]:
    def contains(column: Any) -> Any:  # noqa: ANN401 - as above
        return col(column).icontains(text, autoescape=True)

    tagged = select(col(RunTagRow.run_id)).where(contains(RunTagRow.tag))
    devices = select(col(DeviceSnapshotRow.sha256)).where(contains(DeviceSnapshotRow.name))
    return query.where(
        or_(
            contains(RunRow.label),
            contains(RunRow.note),
            col(RunRow.id).in_(tagged),
            col(RunRow.device_sha256).in_(devices),
        )
    )
