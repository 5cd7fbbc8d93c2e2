"""What fools a benchmark, and what the product said when it was tried on a device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.analysis.bank_conflicts import strided_wavefronts
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.measurement import CellKey
from app.domain.vocabulary import BackendName, CellStatus, ProblemKind
from app.kernels import registry
from app.kernels.problem import Problem
from app.kernels.stage import Stage
from app.kernels.trap import Trap
from app.services.device_choice import DeviceChoice, choose_device
from app.storage.store import Store

SLOWER_FACTOR = 1.2  # a slow variant is found from here on; below it lies in the noise of two cells


class TrapVerdict(StrEnum):
    """What became of a trap on a device."""

    CAUGHT = "caught"
    NOT_CAUGHT = "not_caught"
    NOT_RUN = "not_run"


@dataclass(frozen=True)
class TrapRow:
    """One trap. `said` is what the product said of it, "" where it said nothing or was not run."""

    problem: Problem
    stage: Stage
    fools: str
    expected: str
    verdict: TrapVerdict
    said: str = ""
    run_id: int | None = None


@dataclass(frozen=True)
class TrapsView:
    """Every trap of the chosen device's backend, or of the GPU's where nothing was measured yet."""

    choice: DeviceChoice
    rows: tuple[TrapRow, ...]

    @property
    def counts(self) -> Mapping[TrapVerdict, int]:
        """Rows by verdict."""
        return {verdict: sum(row.verdict is verdict for row in self.rows) for verdict in TrapVerdict}


def traps_view(store: Store, device_uuid: str | None) -> TrapsView:
    """Each trap's fate on a device. Raises InvalidInputError for a device without measurements."""
    choice = choose_device(store, device_uuid)
    rows = [
        _row(problem, stage, stage.trap, choice.evidence)
        for problem in registry.problems().values()
        if problem.kind is ProblemKind.TRAP
        for stage in _traps(problem, choice.evidence)
        if stage.trap is not None
    ]
    return TrapsView(choice, tuple(rows))


def _traps(problem: Problem, evidence: DeviceEvidence | None) -> tuple[Stage, ...]:
    """The device's own variant of each trap; the GPU's where the device has none."""
    backend = evidence.device.backend if evidence else BackendName.CUDA
    own = registry.stages(problem.name, backend)
    names = {stage.name for stage in own}
    others = (s for s in registry.stages(problem.name, BackendName.CUDA) if s.name not in names)
    return (*own, *others)


def _row(problem: Problem, stage: Stage, trap: Trap, evidence: DeviceEvidence | None) -> TrapRow:
    expected = trap.says
    unknown = TrapRow(problem, stage, trap.fools, expected, TrapVerdict.NOT_RUN)
    if evidence is None:
        return unknown
    if stage.backend is not evidence.device.backend:
        return TrapRow(problem, stage, trap.fools, expected, TrapVerdict.NOT_RUN, "needs an NVIDIA GPU")
    key = next((key for key in _keys(problem, stage) if key in evidence.fates), None)
    if key is None:
        return unknown
    fate = evidence.fates[key]
    status = fate.outcome.status
    said = _finding(key, trap, evidence) if status is CellStatus.MEASURED else fate.outcome.reason
    if status in (CellStatus.UNSUPPORTED, CellStatus.SKIPPED):
        verdict = TrapVerdict.NOT_RUN
    else:
        caught = status is trap.status and trap.says in said
        verdict = TrapVerdict.CAUGHT if caught else TrapVerdict.NOT_CAUGHT
    return TrapRow(problem, stage, trap.fools, expected, verdict, said, fate.run_id)


def _keys(problem: Problem, stage: Stage) -> list[CellKey]:
    return [
        CellKey(problem.name, stage.name, size, dtype)
        for size in problem.suite_sizes
        for dtype in stage.dtypes
    ]


def _finding(key: CellKey, trap: Trap, evidence: DeviceEvidence) -> str:
    """What the product says of a trap that was timed: why it is quarantined, or why it is slow."""
    cell = _timed(key, evidence)
    if cell is None:
        return ""
    if trap.control is None or trap.row_words is None:
        return "; ".join(cell.measurement.health_reasons)
    control = _timed(CellKey(key.problem, trap.control, key.size, key.dtype), evidence)
    wavefronts = strided_wavefronts(trap.row_words)
    if control is None or wavefronts == 1:
        return ""
    factor = cell.measurement.median_s / control.measurement.median_s
    if factor < SLOWER_FACTOR:
        return ""
    return (
        f"a column of rows of {trap.row_words} words takes {wavefronts} wavefronts where 1 would do, and the "
        f"kernel {factor:.1f} times the padded one's time: pad each row by one word"
    )


def _timed(key: CellKey, evidence: DeviceEvidence) -> MeasuredCell | None:
    return next((cell for (known, _), cell in evidence.cells.items() if known == key), None)
