"""A run's page: how far did each rung get, and can I trust it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from app.domain.errors import NotFoundError
from app.domain.measurement import Measurement
from app.domain.run import Job, Run
from app.domain.vocabulary import CacheState, Health, StopReason, Verdict
from app.services.attribution import Attribution, attributions
from app.services.counted_cells import CountedCell, counted_attributions, counted_of
from app.services.duels import DuelView, duels_of_run
from app.services.ladder_rows import LadderChoice, LadderRow, LadderView, is_ladder, ladder_of
from app.services.ladder_sorting import Sorting, sorted_rows
from app.services.live_job import LiveJob, live_job
from app.services.run_tables import SuiteView, selection_title, suite_view
from app.storage.store import Store

LOG_LINES = 400


@dataclass(frozen=True)
class Trust:
    """What the ladder's numbers rest on; counts are of rungs."""

    measured_count: int
    total_count: int
    correct_count: int
    worst_error: float | None
    interval_reached_count: int
    healthy_count: int
    held_clock_hz: float | None
    held_clock_differs: bool
    unhealthy: tuple[LadderRow, ...]
    quarantined: tuple[LadderRow, ...]


@dataclass(frozen=True)
class RunView:
    """Everything the page shows. `ladder` is None for a run without a ladder problem, `suite` for one of
    ladders alone; the page of a suite's run may show one of its problems as a ladder, where it is asked for.
    """

    run: Run
    title: str
    ladder: LadderView | None
    suite: SuiteView | None
    trust: Trust | None
    claims_hold: int
    claims_fail: int
    live: LiveJob | None
    job: Job | None
    previous_id: int | None
    next_id: int | None
    duels: DuelView  # of the ladder's problem and type
    attributions: tuple[Attribution, ...]  # of the shown ladder
    counted: Mapping[str, CountedCell]  # of the shown ladder, by stage
    rows: tuple[LadderRow, ...]  # of the table, in the order asked for
    sorting: Sorting

    @property
    def duration_s(self) -> float | None:
        """From start to end."""
        start, end = self.run.summary.started_at, self.run.summary.finished_at
        return (end - start).total_seconds() if start and end else None

    @property
    def active(self) -> bool:
        """Whether the run still changes."""
        return not self.run.summary.status.is_final


def run_view(
    store: Store, run_id: int, choice: LadderChoice, by: Sorting | None = None, *, with_log: bool = False
) -> RunView:
    """Read a run; its job's cells only while it runs, its whole log only when asked. Raises NotFoundError."""
    by = by or Sorting()
    run = store.run(run_id)
    ladder = ladder_of(run, choice)
    verdicts = Counter(row.claim.verdict for row in ladder.rows if row.claim) if ladder else Counter()
    job = _job(store, run)
    counted = counted_of(store, run, ladder)
    return RunView(
        run=run,
        title=selection_title(run.selection),
        ladder=ladder,
        suite=None if ladder and is_ladder(ladder.problem) else suite_view(run),
        trust=trust_of(ladder) if ladder else None,
        claims_hold=verdicts[Verdict.HOLDS],
        claims_fail=verdicts[Verdict.DOES_NOT_HOLD],
        live=live_job(store, job, log_lines=LOG_LINES)
        if job and (with_log or not job.status.is_final)
        else None,
        job=job,
        previous_id=_neighbour(store, run_id, -1),
        next_id=_neighbour(store, run_id, +1),
        duels=duels_of_run(run, ladder.problem, ladder.dtype, choice.regime) if ladder else DuelView(),
        attributions=attributions(ladder, counted_attributions(ladder.problem, counted)) if ladder else (),
        counted=counted,
        rows=sorted_rows(ladder.rows, by) if ladder else (),
        sorting=by,
    )


def trust_of(ladder: LadderView) -> Trust:
    """Sum up correctness, intervals and health over the shown rungs."""
    shown = [row.shown for row in ladder.rows if row.shown is not None]
    errors = [m.correctness.max_relative_error for m in shown]
    held = ladder.roofs.held_clock_hz or _median_clock(shown)
    return Trust(
        measured_count=len(shown),
        total_count=len(ladder.rows),
        correct_count=sum(m.correctness.passed for m in shown),
        worst_error=max((e for e in errors if e is not None), default=None),
        interval_reached_count=sum(m.stop_reason is StopReason.CI_REACHED for m in shown),
        healthy_count=sum(m.health in (Health.OK, Health.UNKNOWN) for m in shown),
        held_clock_hz=held,
        held_clock_differs=ladder.roofs.compute_at_held_clock is not None,
        unhealthy=tuple(r for r in ladder.rows if r.shown and r.shown.health in _UNHEALTHY),
        quarantined=tuple(r for r in ladder.rows if r.quarantined),
    )


_UNHEALTHY = (Health.THROTTLED, Health.FOREIGN_PROCESS)


def cache_state(name: str) -> CacheState:
    """The cache state of that name; cold for anything else."""
    return CacheState.WARM if name == CacheState.WARM else CacheState.COLD


def _median_clock(shown: list[Measurement]) -> float | None:
    clocks = sorted(m.sm_clock_hz for m in shown if m.sm_clock_hz is not None)
    return clocks[len(clocks) // 2] if clocks else None


def _job(store: Store, run: Run) -> Job | None:
    if run.summary.job_id is None:
        return None
    try:
        return store.job(run.summary.job_id)
    except NotFoundError:
        return None


def _neighbour(store: Store, run_id: int, step: int) -> int | None:
    """The nearest run on one side; ids of deleted runs leave gaps."""
    if step < 0:
        before = store.runs(before_id=run_id, limit=1)
        return before[0].id if before else None
    newer = [run.id for run in store.runs(limit=200) if run.id > run_id]
    return min(newer, default=None)
