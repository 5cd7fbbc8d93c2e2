"""Where a claim's value comes from: measured cells, ceilings, compiler reports, device attributes, models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.claims.published import Cell, Found, Missing
from app.domain.device import Device
from app.domain.evidence import DeviceEvidence
from app.domain.measurement import CompilerReport, Measurement
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CacheState, CellStatus, Dtype, ProblemKind, Provenance
from app.kernels.registry import problem

_SUITES = {
    ProblemKind.EXPERIMENT: "memory_lab",
    ProblemKind.HIERARCHY: "memory_lab",
    ProblemKind.QUANTISATION: "quantisation",
    ProblemKind.PAIR: "diagnosis_pairs",
    ProblemKind.TRAP: "traps",
}


@dataclass(frozen=True)
class Measured:
    """A value of sound measurements and measured ceilings, in the order they are named."""

    cells: tuple[Cell, ...]
    value: Callable[..., float | None]
    basis: str
    roofs: tuple[str, ...] = ()
    with_device: bool = False  # the device is the first argument

    def __call__(self, evidence: DeviceEvidence) -> Found | Missing:
        """Missing names the first cell or ceiling that the device lacks."""
        found = [(cell, evidence.sound(*_asked(cell))) for cell in self.cells]
        lacking = next((cell for cell, measured in found if measured is None), None)
        if lacking is not None:
            return _unmeasured(lacking, evidence)
        roofs = {name: evidence.ceilings.get((name, Provenance.MEASURED)) for name in self.roofs}
        unknown = next((name for name, roof in roofs.items() if roof is None), None)
        if unknown is not None:
            return Missing(
                f"The ceiling {unknown} is not measured on this device.",
                "Any job on a device that has it measures it.",
            )
        measured = [one for _, one in found if one is not None]
        held = [roof for roof in roofs.values() if roof is not None]
        asked = [*(one.measurement for one in measured), *(roof.value for _, roof in held)]
        value = self.value(evidence.device, *asked) if self.with_device else self.value(*asked)
        if value is None:
            return Missing(
                "The measurement lacks what the value is computed from.",
                "Measure it again with this version.",
            )
        run_ids = [*(one.run_id for one in measured), *(run_id for run_id, _ in held)]
        return _found(value, Provenance.MEASURED, self.basis, run_ids, evidence)


@dataclass(frozen=True)
class Reported:
    """A value of the compiler's reports on measured kernels."""

    cells: tuple[Cell, ...]
    value: Callable[..., float]
    basis: str
    with_device: bool = False

    def __call__(self, evidence: DeviceEvidence) -> Found | Missing:
        """A kernel that compiled but gave no number still has a report."""
        reports: list[CompilerReport] = []
        run_ids: list[int] = []
        for cell in self.cells:
            report, run_id = _report(cell, evidence)
            if report is None or run_id is None:
                return _unmeasured(cell, evidence)
            reports.append(report)
            run_ids.append(run_id)
        value = self.value(evidence.device, *reports) if self.with_device else self.value(*reports)
        return _found(value, Provenance.COMPILER, self.basis, run_ids, evidence)


@dataclass(frozen=True)
class Modelled:
    """A value that follows from arithmetic alone."""

    value: Callable[[], float]
    basis: str
    cells: tuple[Cell, ...] = ()

    def __call__(self, evidence: DeviceEvidence) -> Found | Missing:
        """The same on every device."""
        return Found(self.value(), Provenance.MODELLED, self.basis)


@dataclass(frozen=True)
class OfDevice:
    """A value of the device's attributes; None where the device does not state what is needed."""

    value: Callable[[Device], float | None]
    basis: str
    cells: tuple[Cell, ...] = ()

    def __call__(self, evidence: DeviceEvidence) -> Found | Missing:
        """GPUs only: a CPU has none of these attributes."""
        on_gpu = evidence.device.backend is BackendName.CUDA
        value = self.value(evidence.device) if on_gpu else None
        if value is None:
            return Missing("This device does not state the attributes.", "Choose an NVIDIA GPU.")
        return Found(value, Provenance.DATASHEET, self.basis)


@dataclass(frozen=True)
class NotHere:
    """A value that nothing in this version gives; says what would."""

    reason: str
    remedy: str
    cells: tuple[Cell, ...] = ()

    def __call__(self, evidence: DeviceEvidence) -> Found | Missing:
        """Always missing."""
        return Missing(self.reason, self.remedy)


def faster(slow: Cell, fast: Cell, basis: str) -> Measured:
    """How many times faster `fast` is than `slow`, by median time."""
    return Measured((slow, fast), times_faster, basis)


def times_faster(slow: Measurement, fast: Measurement) -> float:
    """Ratio of the medians."""
    return slow.median_s / fast.median_s


def _asked(cell: Cell) -> tuple[str, str, Size, CacheState, Dtype]:
    return cell.problem, cell.stage, cell.size, cell.cache, cell.dtype


def _found(
    value: float, provenance: Provenance, basis: str, run_ids: list[int], evidence: DeviceEvidence
) -> Found:
    imported = {cell.run_id for cell in evidence.cells.values() if cell.imported}
    return Found(value, provenance, basis, tuple(dict.fromkeys(run_ids)), not imported.isdisjoint(run_ids))


def _report(cell: Cell, evidence: DeviceEvidence) -> tuple[CompilerReport | None, int | None]:
    measured = evidence.cells.get((cell.key, cell.cache))
    if measured is not None and measured.measurement.compiler is not None:
        return measured.measurement.compiler, measured.run_id
    fate = evidence.fates.get(cell.key)
    return (fate.outcome.compiler, fate.run_id) if fate else (None, None)


def _unmeasured(cell: Cell, evidence: DeviceEvidence) -> Missing:
    named = problem(cell.problem)
    what = f"{named.title}, {cell.stage} at {named.size_title(cell.size)}"
    suite = _SUITES.get(named.kind)
    remedy = (
        f"Run the suite {suite}: roofladder run --suite {suite}."
        if suite
        else f"Run {named.name} at {cell.size.key}."
    )
    if (cell.key, cell.cache) in evidence.cells:
        return Missing(f"{what} was measured, but wrong or quarantined, so it decides nothing.", remedy)
    fate = evidence.fates.get(cell.key)
    if fate is not None and fate.outcome.status is not CellStatus.MEASURED and fate.outcome.reason:
        return Missing(f"{what}: {fate.outcome.reason}", remedy)
    return Missing(f"{what}, is not measured on this device.", remedy)
