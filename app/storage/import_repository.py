"""Runs of other machines, kept beside this machine's own."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.errors import InvalidInputError
from app.domain.measurement import CellKey, Samples
from app.domain.run import Run
from app.domain.vocabulary import CacheState, Regime
from app.storage.duel_repository import write_duel
from app.storage.encoding import SELECTION
from app.storage.measurement_repository import write_measurement, write_outcome, write_source
from app.storage.measurement_rows import ceiling_row
from app.storage.repository import Repository, keep_device, keep_environment
from app.storage.run_repository import write_tags
from app.storage.tables import RunProblemRow, RunRow

_SampleKey = tuple[CellKey, CacheState, Regime]


class ImportRepository(Repository):
    """Keeps a whole run in one transaction."""

    def import_run(self, run: Run, samples: Sequence[Samples]) -> tuple[int, bool]:
        """Keep a run of another machine; returns (run id, created). The same `uid` twice is the same run.

        Raises InvalidInputError when the run has no device or a measurement has no samples.
        """
        by_key = {(s.key, s.cache, s.regime): s for s in samples}
        with self._database.write() as session:
            uid = run.summary.uid
            known = session.scalar(select(col(RunRow.id)).where(col(RunRow.uid) == uid))
            if known is not None:
                return known, False
            row = _add_run(session, run)
            assert row.id is not None
            _add_findings(session, row, run, by_key)
            return row.id, True


def _add_run(session: Session, run: Run) -> RunRow:
    summary = run.summary
    if summary.device is None:
        raise InvalidInputError("The run names no device, so its numbers mean nothing.", field="device")
    error = summary.error
    row = RunRow(
        uid=summary.uid,
        status=summary.status.value,
        backend=summary.backend.value,
        imported=True,
        created_at=summary.created_at,
        started_at=summary.started_at,
        finished_at=summary.finished_at,
        label=summary.label,
        note=summary.note,
        error_code=error.code if error else None,
        error_message=error.message if error else None,
        selection=SELECTION.dump(run.selection),
        device_sha256=keep_device(session, summary.device),
        environment_sha256=keep_environment(session, run.environment) if run.environment else None,
    )
    session.add(row)
    session.flush()
    assert row.id is not None
    for position, problem in enumerate(dict.fromkeys(summary.problems)):
        session.add(RunProblemRow(run_id=row.id, problem=problem, position=position))
    write_tags(session, row.id, summary.tags)
    return row


def _add_findings(session: Session, row: RunRow, run: Run, samples: dict[_SampleKey, Samples]) -> None:
    assert row.id is not None
    for measurement in run.measurements:
        found = samples.get((measurement.key, measurement.cache, measurement.regime))
        if found is None:
            raise InvalidInputError(
                f"{measurement.key.problem} {measurement.key.stage} has a measurement without samples.",
                field="samples",
            )
        write_measurement(session, row, measurement, found)
    for outcome in run.outcomes:
        write_outcome(session, row.id, outcome)
    for ceiling in run.ceilings:
        session.merge(ceiling_row(row.id, ceiling))
    for duel in run.duels:
        write_duel(session, row.id, duel)
    for sha256, text in run.sources.items():
        write_source(session, row.id, sha256, text)
