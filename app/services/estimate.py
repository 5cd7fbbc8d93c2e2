"""How long a job will take, and when it will start: from this device's own history, else from the cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median

from app.backends.stopping import PATIENCE, default_rules
from app.domain.device import Device
from app.domain.measurement import CellKey
from app.domain.run import Job, Selection
from app.domain.vocabulary import BackendName, CacheState, RunStatus
from app.kernels.cells import cells_of
from app.kernels.registry import stage
from app.storage.store import Store

RUNS_LOOKED_AT = 5
JOB_OVERHEAD_S = 8.0  # child's start, probing, ceilings
CELL_OVERHEAD_S = {BackendName.CPU: 1.5, BackendName.CUDA: 0.4}  # compiling, inputs, warm-up
LAUNCHES_OUTSIDE_SAMPLES = 6  # checks before and after, warm-up
SAMPLES_EXPECTED = 40
# The CPU's cold samples are mostly cache eviction, and its noise seldom lets the interval end them early.
LEAST_SAMPLING_S = {BackendName.CPU: 4.0, BackendName.CUDA: 0.5}
CALIBRATION_RANGE = (0.25, 4.0)
# Where nothing was ever measured: a tenth of what a small machine of that kind reaches.
UNKNOWN_RATE = {BackendName.CPU: (1e10, 2e9), BackendName.CUDA: (1e12, 1e11)}
UNKNOWN_EFFICIENCY = 0.1


@dataclass(frozen=True)
class JobEstimate:
    """Seconds of work. `known_cells` of `cell_count` rest on this device's own measurements."""

    total_s: float
    cell_count: int
    known_cells: int


@dataclass(frozen=True)
class History:
    """What this device did before: seconds per launch of each cell, and how far estimates were off."""

    median_s: Mapping[CellKey, float] = field(default_factory=dict)
    calibration: float = 1.0


def estimate_job(store: Store, selection: Selection, device: Device | None) -> JobEstimate:
    """Seconds from the job's start to its end; `device` None means a device not seen yet."""
    history = _history(store, device) if device else History()
    cells = cells_of(selection)
    total_s = JOB_OVERHEAD_S + sum(
        _cell_s(cell, selection.backend, device, history.median_s) for cell in cells
    )
    known = sum(cell in history.median_s for cell in cells)
    return JobEstimate(total_s * history.calibration, len(cells), known)


def queue_wait_s(active: Sequence[Job], job_id: int | None = None, now: datetime | None = None) -> float:
    """Seconds until a queued job starts, or until a new one would where `job_id` is None.

    `active` is oldest first, as `Store.active_jobs` gives it.
    """
    at = now or datetime.now(UTC)
    return sum(_remaining_s(job, at) for job in active if job_id is None or job.id < job_id)


def sampling_s(launch_s: float, backend: BackendName) -> float:
    """Seconds that a cell's cold and warm sampling take together: each rule's time limit at most.

    A rule waits for the samples an interval needs up to `PATIENCE` times its limit.
    """
    total_s = 0.0
    for rule in (default_rules(backend).cold, default_rules(backend).warm):
        wanted_s = max(LEAST_SAMPLING_S[backend], SAMPLES_EXPECTED * launch_s)
        limit_s = max(rule.max_total_s, min(rule.min_samples * launch_s, PATIENCE * rule.max_total_s))
        total_s += max(launch_s, min(limit_s, wanted_s))
    return total_s


def _remaining_s(job: Job, now: datetime) -> float:
    estimate = job.estimate_s or job.deadline_s
    if job.status is RunStatus.QUEUED or job.started_at is None:
        return estimate
    if job.progress.eta_s is not None:
        return job.progress.eta_s
    return max(0.0, estimate - (now - job.started_at).total_seconds())


def _cell_s(
    cell: CellKey, backend: BackendName, device: Device | None, known: Mapping[CellKey, float]
) -> float:
    declared = stage(cell.problem, backend, cell.stage)
    if declared.largest_size is not None and declared.largest_size(cell.size) is not None:
        return 0.0
    launch_s = known.get(cell)
    if launch_s is None:
        launch_s = _from_other_size(cell, backend, known) or _from_cost(cell, backend, device)
    outside_s = CELL_OVERHEAD_S[backend] + LAUNCHES_OUTSIDE_SAMPLES * launch_s
    return outside_s + sampling_s(launch_s, backend)


def _from_other_size(cell: CellKey, backend: BackendName, known: Mapping[CellKey, float]) -> float | None:
    cost = stage(cell.problem, backend, cell.stage).cost
    work = max(cost(cell.size, cell.dtype).flop, 1)
    others = [
        (abs(cost(other.size, other.dtype).flop - work), max(cost(other.size, other.dtype).flop, 1), seconds)
        for other, seconds in known.items()
        if (other.problem, other.stage, other.dtype) == (cell.problem, cell.stage, cell.dtype)
    ]
    if not others:
        return None
    _, other_work, seconds = min(others)
    return seconds * work / other_work


def _from_cost(cell: CellKey, backend: BackendName, device: Device | None) -> float:
    cost = stage(cell.problem, backend, cell.stage).cost(cell.size, cell.dtype)
    flop_per_s, bytes_per_s = UNKNOWN_RATE[backend]
    if device is not None and device.datasheet_fp32_flop_per_s:
        flop_per_s = device.datasheet_fp32_flop_per_s * UNKNOWN_EFFICIENCY
    if device is not None and device.datasheet_dram_bytes_per_s:
        bytes_per_s = device.datasheet_dram_bytes_per_s * UNKNOWN_EFFICIENCY
    return max(cost.flop / flop_per_s, cost.least_dram_bytes / bytes_per_s)


def _history(store: Store, device: Device) -> History:
    summaries = store.runs(
        status=RunStatus.FINISHED, backend=device.backend, imported=False, limit=RUNS_LOOKED_AT
    )
    median_s: dict[CellKey, float] = {}
    for summary in summaries:
        if summary.device is None or summary.device.uuid != device.uuid:
            continue
        for measurement in store.run(summary.id).measurements:
            if measurement.cache is CacheState.COLD:
                median_s.setdefault(measurement.key, measurement.median_s)
    return History(median_s, _calibration(store, device.backend))


def _calibration(store: Store, backend: BackendName) -> float:
    ratios = [
        (job.finished_at - job.started_at).total_seconds() / job.estimate_s
        for job in store.jobs(status=RunStatus.FINISHED, limit=RUNS_LOOKED_AT)
        if job.finished_at and job.started_at and job.estimate_s and job.selection.backend is backend
    ]
    low, high = CALIBRATION_RANGE
    return min(high, max(low, median(ratios))) if ratios else 1.0
