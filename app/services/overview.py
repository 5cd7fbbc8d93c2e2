"""The overview: what is this machine doing, how good are my kernels, what needs me?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.domain.device import Device, DeviceState, Environment, WorkerSnapshot
from app.domain.run import Job, Run, RunSummary
from app.domain.vocabulary import BackendName, JobStatus, RunStatus
from app.services.attention import AttentionItem, attention
from app.services.ladder_rows import LadderChoice, LadderView, is_ladder, ladder_of
from app.services.live_job import LiveJob, live_job
from app.services.roofs import Roofs, roofs_of
from app.services.run_tables import selection_title
from app.services.run_view import Trust, trust_of
from app.storage.store import Store

RECENT_RUNS = 5
LOOKED_AT = 50


@dataclass(frozen=True)
class DeviceStrip:
    """One device in a line of figures; `state` is None for a device of another machine."""

    device: Device
    roofs: Roofs
    environment: Environment | None
    state: DeviceState | None = None
    seen_at: datetime | None = None
    busy: bool = False
    imported_from: RunSummary | None = None


@dataclass(frozen=True)
class RecentRun:
    """A row of the list of runs."""

    run: RunSummary
    measured: str  # its suite or problems
    best_flop_per_s: float | None
    against_library: float | None


@dataclass(frozen=True)
class Overview:
    """Everything the overview shows. `shown` is the run of the ladder card, `live` the one that fills it."""

    strips: tuple[DeviceStrip, ...]
    worker: WorkerSnapshot | None
    has_gpu: bool
    own: RunSummary | None
    imported: RunSummary | None
    shown: Run | None
    ladder: LadderView | None
    trust: Trust | None
    live: LiveJob | None
    first_benchmark: bool
    waiting: tuple[Job, ...]
    last_job: Job | None
    attention: tuple[AttentionItem, ...]
    recent: tuple[RecentRun, ...]
    claims_hold: int
    claims_fail: int
    claims_open: int

    @property
    def shows_imported(self) -> bool:
        """Whether the ladder card shows the run of another machine."""
        return self.shown is not None and self.shown.summary.imported


def overview(store: Store, choice: LadderChoice, source: str, now: datetime) -> Overview:
    """`source` "imported" shows the imported run where there is one; anything else the machine's own."""
    worker = next(iter(store.workers()), None)
    own, newest_own = _latest(store, imported=False)
    imported, newest_imported = _latest(store, imported=True)
    active = store.active_jobs()
    running = next((job for job in active if job.status is JobStatus.RUNNING), None)
    wanted = imported if source == "imported" or own is None else own
    climbing = [job for job in active if any(map(is_ladder, job.selection.problems))]
    first = own is None and bool(climbing)
    shown = store.run(wanted.id) if wanted and not (first and source != "imported") else None
    ladder = ladder_of(shown, choice) if shown else None
    followed = running or (climbing[0] if first else None)
    own_run = store.run(own.id) if own else None
    roofs_from = newest_own.id if newest_own else followed.run_id if followed else None
    checks = [row.claim.verdict for row in ladder.rows if row.claim] if ladder else []
    return Overview(
        strips=_strips(
            worker,
            running,
            store.run(roofs_from) if roofs_from is not None else None,
            store.run(newest_imported.id) if newest_imported else None,
        ),
        worker=worker,
        has_gpu=worker is not None and worker.device.backend is BackendName.CUDA,
        own=own,
        imported=imported,
        shown=shown,
        ladder=ladder,
        trust=trust_of(ladder) if ladder else None,
        live=live_job(store, followed) if followed else None,
        first_benchmark=first,
        waiting=tuple(job for job in active if job.status is JobStatus.QUEUED),
        last_job=next((job for job in store.jobs(limit=10) if job.status.is_final), None),
        attention=attention(store, worker, own_run, now),
        recent=_recent(store),
        claims_hold=sum(v == "holds" for v in checks),
        claims_fail=sum(v == "does_not_hold" for v in checks),
        claims_open=sum(v == "not_measurable" for v in checks),
    )


def _latest(store: Store, *, imported: bool) -> tuple[RunSummary | None, RunSummary | None]:
    """The newest run with a ladder, and the newest of all: finished, else ended with something measured."""
    ended = [run for run in store.runs(imported=imported, limit=LOOKED_AT) if run.status.is_final]
    return _newest(store, [run for run in ended if any(map(is_ladder, run.problems))]), _newest(store, ended)


def _newest(store: Store, ended: list[RunSummary]) -> RunSummary | None:
    finished = [run for run in ended if run.status is RunStatus.FINISHED]
    return next(iter(finished or [run for run in ended if store.run(run.id).measurements]), None)


def _strips(
    worker: WorkerSnapshot | None, running: Job | None, own: Run | None, imported: Run | None
) -> tuple[DeviceStrip, ...]:
    strips = []
    if worker is not None:
        same = (
            own is not None
            and own.summary.device is not None
            and own.summary.device.uuid == worker.device.uuid
        )
        strips.append(
            DeviceStrip(
                device=worker.device,
                roofs=roofs_of(own.ceilings if own and same else ()),
                environment=worker.environment,
                state=worker.state,
                seen_at=worker.seen_at,
                busy=running is not None,
            )
        )
    if imported is not None and imported.summary.device is not None:
        strips.append(
            DeviceStrip(
                device=imported.summary.device,
                roofs=roofs_of(imported.ceilings),
                environment=imported.environment,
                imported_from=imported.summary,
            )
        )
    return tuple(strips)


def _recent(store: Store) -> tuple[RecentRun, ...]:
    return tuple(recent_run(store, run) for run in store.runs(limit=RECENT_RUNS))


def recent_run(store: Store, summary: RunSummary) -> RecentRun:
    """The run with its best rate, at the size that its own page opens with."""
    run = store.run(summary.id)
    ladder = ladder_of(run)
    best = ladder.best if ladder else None
    return RecentRun(
        summary,
        selection_title(run.selection),
        best.rate if best else None,
        ladder.against_library if ladder else None,
    )
