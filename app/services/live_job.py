"""A job as it runs: its cells, folded from the job's events, and the last lines of its log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from app.domain.cell_progress import CellProgress, CellState
from app.domain.measurement import CellKey
from app.domain.run import Job, JobEvent, Selection
from app.kernels import registry
from app.kernels.cells import cells_of
from app.kernels.stage import Stage
from app.services.frame import done_fraction
from app.services.ladder_rows import known_stages, problem_title, size_title
from app.services.run_tables import selection_title
from app.storage.store import Store

CI_TARGET_FRACTION = 0.005
_EVENTS_A_PAGE = 500


@dataclass(frozen=True)
class LogRow:
    """A line of the log."""

    at: datetime
    text: str


@dataclass(frozen=True)
class LiveCell:
    """A cell of the job; `towards_target` is 1 when the interval is as narrow as asked."""

    stage: str
    mechanism: str
    reference: bool
    size_title: str
    group: str  # its size, or its problem in a job over several
    label: str  # its stage, and its size where that is not the group
    progress: CellProgress
    share_of_best: float | None

    @property
    def name(self) -> str:
        """The cell as the job's progress names it."""
        key = self.progress.key
        return f"{key.problem} {key.stage} {key.size.key} {key.dtype.value}"

    @property
    def towards_target(self) -> float:
        """Target over width of the interval; a cell that stopped for another reason stays below 1."""
        width = self.progress.ci_fraction
        return min(CI_TARGET_FRACTION / width, 1.0) if width else 0.0


@dataclass(frozen=True)
class CellGroup:
    """The cells of one size, or of one problem."""

    title: str
    cells: tuple[LiveCell, ...]


@dataclass(frozen=True)
class LiveJob:
    """A job with its cells in ladder order, `log` oldest first."""

    job: Job
    title: str
    cells: tuple[LiveCell, ...]
    log: tuple[LogRow, ...]
    last_event_id: int

    @property
    def done_fraction(self) -> float:
        """Share of cells that are done."""
        return done_fraction(self.job)

    @property
    def groups(self) -> tuple[CellGroup, ...]:
        """Cells by size, or by problem where there are several, in the order of the selection."""
        groups: dict[str, list[LiveCell]] = {}
        for cell in self.cells:
            groups.setdefault(cell.group, []).append(cell)
        return tuple(CellGroup(title, tuple(cells)) for title, cells in groups.items())

    @property
    def working(self) -> LiveCell | None:
        """The cell that the device is busy with."""
        return next((cell for cell in self.cells if cell.progress.state.is_working), None)

    @property
    def round(self) -> int | None:
        """The latest round of any cell."""
        return max((c.progress.round for c in self.cells if c.progress.round), default=None)


def live_job(store: Store, job: Job, *, log_lines: int = 12) -> LiveJob:
    """Fold the events of a job."""
    events = _all_events(store, job.id)
    cells = _cells(job, (e for e in events if e.kind == "cell"))
    log = [LogRow(e.at, str(e.data.get("text", ""))) for e in events if e.kind == "log"]
    last = events[-1].id if events else 0
    return LiveJob(
        job, job_title(job.selection, job.label), _one_at_work(job, cells), tuple(log[-log_lines:]), last
    )


def _one_at_work(job: Job, cells: tuple[LiveCell, ...]) -> tuple[LiveCell, ...]:
    """In a round the stages are sampled by turns: all but the one at work are next in round or waiting."""
    busy = [cell for cell in cells if cell.progress.state.is_working]
    if not busy or job.status.is_final:
        return cells
    at_work = next((cell for cell in busy if cell.name == job.progress.cell), busy[0])

    def resting(cell: LiveCell) -> LiveCell:
        state = CellState.NEXT_IN_ROUND if cell.progress.n else CellState.WAITING
        return replace(cell, progress=replace(cell.progress, state=state))

    return tuple(resting(cell) if cell in busy and cell is not at_work else cell for cell in cells)


def job_title(selection: Selection, label: str = "") -> str:
    """The label, or what is measured: "Matmul 256³, 512³"."""
    if label:
        return label
    sizes = ", ".join(size_title(selection.problems[0], size) for size in selection.sizes[:3])
    more = f" and {len(selection.sizes) - 3} more" if len(selection.sizes) > 3 else ""
    return f"{selection_title(selection)} {sizes}{more}".rstrip()


def _all_events(store: Store, job_id: int) -> list[JobEvent]:
    found: list[JobEvent] = []
    while True:
        page = store.events(after_id=found[-1].id if found else 0, job_id=job_id, limit=_EVENTS_A_PAGE)
        found += page
        if len(page) < _EVENTS_A_PAGE:
            return found


def _cells(job: Job, events: Iterable[JobEvent]) -> tuple[LiveCell, ...]:
    latest = {key: CellProgress(key, CellState.WAITING) for key in _expected(job.selection)}
    for data in _newest(events):
        cell = CellProgress.from_data(data)
        latest[cell.key] = cell
    best: dict[tuple[str, str], float] = {}
    for key, cell in latest.items():
        group = (key.problem, key.size.key)
        best[group] = max(best.get(group, 0.0), cell.flop_per_s or 0.0)
    return tuple(_cell(job, cell, best[key.problem, key.size.key]) for key, cell in latest.items())


def _newest(events: Iterable[JobEvent]) -> Iterable[dict[str, object]]:
    """The last event of each cell: a long job writes thousands."""
    return {
        tuple(e.data[name] for name in ("problem", "stage", "size", "dtype")): e.data for e in events
    }.values()


def _cell(job: Job, progress: CellProgress, best: float) -> LiveCell:
    key = progress.key
    stage = _stage(job.selection, key)
    size = size_title(key.problem, key.size)
    several = len(job.selection.problems) > 1
    return LiveCell(
        stage=key.stage,
        mechanism=stage.mechanism if stage else "",
        reference=bool(stage and stage.reference),
        size_title=size,
        group=problem_title(key.problem) if several else size,
        label=f"{key.stage} · {size}" if several else key.stage,
        progress=progress,
        share_of_best=progress.flop_per_s / best if progress.flop_per_s and best else None,
    )


def _expected(selection: Selection) -> list[CellKey]:
    """Every cell the selection asks for of the problems that this version declares."""
    known = tuple(name for name in selection.problems if name in registry.problems())
    return list(cells_of(replace(selection, problems=known)))


def _stage(selection: Selection, key: CellKey) -> Stage | None:
    declared = known_stages(key.problem, selection.backend)
    return next((stage for stage in declared if stage.name == key.stage), None)
