"""How long cells take: from this device's own history, else from the cost of their stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median

from app.backends.duel import default_duel_rule
from app.backends.stopping import BRIEF, PATIENCE, SCAN_LAUNCH_S, default_rules
from app.domain.device import Device
from app.domain.measurement import CellKey
from app.domain.run import Job, Selection
from app.domain.vocabulary import BackendName, CacheState, ProblemKind, RunStatus
from app.kernels.cells import cells_of
from app.kernels.registry import problems, stage
from app.storage.store import Store

RUNS_LOOKED_AT = 5
JOB_OVERHEAD_S = 8.0  # child's start, probing, ceilings
CELL_OVERHEAD_S = {BackendName.CPU: 1.0, BackendName.CUDA: 0.4}  # compiling, inputs, warm-up
LAUNCHES_OUTSIDE_SAMPLES = 6  # checks before and after, warm-up
SAMPLES_EXPECTED = 40
SCAN_CELL_OVERHEAD_S = 0.6  # inputs and two checks at the sizes of a ladder, 0.1 s a series
SCAN_LAUNCHES = 10
BRIEF_CELL_S = 0.4  # an experiment's cell, whole: inputs, two checks, warm-up, 0.1 s a series
# The CPU's cold samples are mostly cache eviction, and its noise seldom lets the interval end them early.
LEAST_SAMPLING_S = {BackendName.CPU: 4.0, BackendName.CUDA: 0.5}
CALIBRATION_RANGE = (0.25, 4.0)
# Where nothing was ever measured: a tenth of what a small machine of that kind reaches.
UNKNOWN_RATE = {BackendName.CPU: (1e10, 2e9), BackendName.CUDA: (1e12, 1e11)}
UNKNOWN_EFFICIENCY = 0.1


@dataclass(frozen=True)
class Durations:
    """Seconds of each cell of a job, and of its start before the first. `known` were measured before."""

    start_s: float
    cell_s: Mapping[CellKey, float]
    known: int = 0

    @property
    def total_s(self) -> float:
        """Seconds from the job's start to its end."""
        return self.start_s + sum(self.cell_s.values())


@dataclass(frozen=True)
class History:
    """What this device did before: seconds per launch of each cell, and the jobs that are over."""

    median_s: Mapping[CellKey, float] = field(default_factory=dict)
    jobs: tuple[Job, ...] = ()


def expected_durations(store: Store, selection: Selection, device: Device | None) -> Durations:
    """Estimate each cell of the selection; `device` None means a device not seen yet."""
    history = _history(store, device) if device else History()
    plain = _uncalibrated(selection, device, history.median_s)
    factor = _calibration(history, device)
    duel_s = _duel_s(selection)
    cell_s = {cell: seconds * factor + duel_s.get(cell, 0.0) for cell, seconds in plain.cell_s.items()}
    return Durations(plain.start_s * factor, cell_s, plain.known)


def sampling_s(launch_s: float, backend: BackendName) -> float:
    """Seconds that a cell's cold and warm sampling take together: each rule's time limit at most.

    A rule waits for its least samples up to `PATIENCE` times its limit.
    """
    total_s = 0.0
    for rule in (default_rules(backend).cold, default_rules(backend).warm):
        wanted_s = max(LEAST_SAMPLING_S[backend], SAMPLES_EXPECTED * launch_s)
        limit_s = max(rule.max_total_s, min(rule.min_samples * launch_s, PATIENCE * rule.max_total_s))
        total_s += max(launch_s, min(limit_s, wanted_s))
    return total_s


def _duel_s(selection: Selection) -> dict[CellKey, float]:
    """Seconds of the duels, by the last cell of each problem, size and dtype. No pace shortens a rest."""
    rule = default_duel_rule(selection.backend)
    one_s = sum(rule.expected_s(regime) for regime in selection.duel)
    last = {(cell.problem, cell.size, cell.dtype): cell for cell in cells_of(selection)}
    return {cell: one_s for cell in last.values() if selection.duel}


def _uncalibrated(selection: Selection, device: Device | None, known: Mapping[CellKey, float]) -> Durations:
    cells = cells_of(selection)
    return Durations(
        start_s=JOB_OVERHEAD_S,
        cell_s={cell: _cell_s(cell, selection.backend, device, known, selection.scan) for cell in cells},
        known=sum(cell in known for cell in cells),
    )


def _cell_s(
    cell: CellKey,
    backend: BackendName,
    device: Device | None,
    known: Mapping[CellKey, float],
    scan: bool,
) -> float:
    declared = stage(cell.problem, backend, cell.stage)
    if declared.why_not is not None and declared.why_not(cell.size) is not None:
        return 0.0
    launch_s = known.get(cell)
    if launch_s is None:
        launch_s = _from_other_size(cell, backend, known) or _from_cost(cell, backend, device)
    if scan:
        return SCAN_CELL_OVERHEAD_S + SCAN_LAUNCHES * min(launch_s, SCAN_LAUNCH_S)
    kind = problems()[cell.problem].kind
    if kind is not ProblemKind.LADDER:
        return BRIEF_CELL_S + (LAUNCHES_OUTSIDE_SAMPLES + BRIEF.min_samples) * launch_s
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
    jobs: list[Job] = []
    for summary in summaries:
        if summary.device is None or summary.device.uuid != device.uuid:
            continue
        for measurement in store.run(summary.id).measurements:
            if measurement.cache is CacheState.COLD:
                median_s.setdefault(measurement.key, measurement.median_s)
        if summary.job_id is not None:
            jobs.append(store.job(summary.job_id))
    return History(median_s, tuple(jobs))


def _calibration(history: History, device: Device | None) -> float:
    """How much longer than estimated recent jobs took.

    Each is estimated anew: the estimate that was stored with it is corrected already.
    """
    ratios = [
        ((job.finished_at - job.started_at).total_seconds() - sum(_duel_s(job.selection).values()))
        / _uncalibrated(job.selection, device, history.median_s).total_s
        for job in history.jobs
        # A job begun twice took in the time that the worker was away.
        if job.started_at and job.finished_at and job.attempts == 1 and _is_known(job.selection)
    ]
    low, high = CALIBRATION_RANGE
    return min(high, max(low, median(ratios))) if ratios else 1.0


def _is_known(selection: Selection) -> bool:
    """Whether this version still declares the problems of an older job."""
    return all(name in problems() for name in selection.problems)
