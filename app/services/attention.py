"""What needs the user: at most five facts, worst first, each with its evidence and one action."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.device import WorkerSnapshot
from app.domain.measurement import CellKey
from app.domain.run import Job, Run
from app.domain.vocabulary import CellStatus, Health, JobStatus
from app.services.ladder_rows import LadderChoice, LadderRow, ladder_of, size_title
from app.storage.store import Store

MOST_SHOWN = 5
WORKER_SILENT = timedelta(minutes=3)


class Concern(StrEnum):
    """Kinds of facts, worst first."""

    NO_WORKER = "no_worker"
    JOB_FAILED = "job_failed"
    WRONG_RESULT = "wrong_result"
    STAGE_FAILED = "stage_failed"
    QUARANTINED = "quarantined"
    SLOWER = "slower"
    UNHEALTHY = "unhealthy"
    CLAIM = "claim"


@dataclass(frozen=True)
class AttentionItem:
    """One fact; which fields are set depends on its kind."""

    concern: Concern
    run_id: int | None = None
    job: Job | None = None
    row: LadderRow | None = None
    key: CellKey | None = None
    size_title: str = ""
    reason: str = ""
    seen_at: datetime | None = None
    count: int = 0


def attention(
    store: Store, worker: WorkerSnapshot | None, own: Run | None, now: datetime
) -> tuple[AttentionItem, ...]:
    """Look at the worker, the last job and the machine's latest run."""
    found = _worker(worker, now) + _last_job(store)
    if own is not None:
        found += _cells(own) + _rungs(own)
    order = list(Concern)
    return tuple(sorted(found, key=lambda item: order.index(item.concern))[:MOST_SHOWN])


def _worker(worker: WorkerSnapshot | None, now: datetime) -> list[AttentionItem]:
    if worker is None:
        return [AttentionItem(Concern.NO_WORKER)]
    if now - worker.seen_at > WORKER_SILENT:
        return [AttentionItem(Concern.NO_WORKER, seen_at=worker.seen_at)]
    return []


def _last_job(store: Store) -> list[AttentionItem]:
    last = next((job for job in store.jobs(limit=10) if job.status.is_final), None)
    if last is None or last.status is not JobStatus.FAILED:
        return []
    reason = last.error.message if last.error else "The reason was not recorded."
    return [AttentionItem(Concern.JOB_FAILED, job=last, run_id=last.run_id, reason=reason)]


def _cells(own: Run) -> list[AttentionItem]:
    concerns = {CellStatus.WRONG_RESULT: Concern.WRONG_RESULT, CellStatus.FAILED: Concern.STAGE_FAILED}
    return [
        AttentionItem(
            concerns[outcome.status],
            run_id=own.summary.id,
            key=outcome.key,
            size_title=size_title(outcome.key.problem, outcome.key.size),
            reason=outcome.reason,
        )
        for outcome in own.outcomes
        if outcome.status in concerns
    ]


def _rungs(own: Run) -> list[AttentionItem]:
    ladder = ladder_of(own, LadderChoice())
    if ladder is None:
        return []
    run_id, found = own.summary.id, []
    for row in ladder.rows:
        concern = Concern.QUARANTINED if row.quarantined else Concern.SLOWER
        if row.quarantined or (row.slower and not row.reference):
            found.append(AttentionItem(concern, run_id=run_id, row=row, size_title=ladder.size_title))
    unhealthy = [
        r for r in ladder.rows if r.shown and r.shown.health in (Health.THROTTLED, Health.FOREIGN_PROCESS)
    ]
    if unhealthy:
        first = unhealthy[0].shown
        reason = ", ".join(first.health_reasons) if first else ""
        found.append(
            AttentionItem(
                Concern.UNHEALTHY, run_id=run_id, row=unhealthy[0], reason=reason, count=len(unhealthy)
            )
        )
    fail = [row for row in ladder.with_claims if row.claim and row.claim.verdict == "does_not_hold"]
    if fail:
        worst = max(fail, key=lambda row: row.claim.claimed_fraction if row.claim else 0)
        found.append(AttentionItem(Concern.CLAIM, run_id=run_id, row=worst, count=len(fail)))
    return found
