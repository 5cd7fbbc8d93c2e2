"""One launch joined with all that is known of its stage on the same model of device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.device import Device
from app.domain.evidence import DeviceCoverage, MeasuredCell
from app.domain.kept_report import KeptLaunch, KeptProfile, StageMatch
from app.domain.kernel_evidence import KernelEvidence, ModelValues
from app.domain.measurement import Ceiling, CellKey, Roof
from app.domain.report import LaunchProfile
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage
from app.services.launch_counters import launch_counters
from app.services.roofs import Roofs, main_arithmetics, roofs_of
from app.storage.store import Store


@dataclass(frozen=True)
class LaunchEvidence:
    """The evidence, and what it came from: the stage's declaration and the roofs of the device."""

    evidence: KernelEvidence
    stage: Stage | None
    roofs: Roofs
    run_ids: tuple[int, ...] = ()


class EvidenceReader:
    """Joins launches with what is known of their device, which is read once however many launches ask."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._devices: Sequence[DeviceCoverage] | None = None
        self._known: dict[str, _KnownDevice] = {}

    def of(self, launch: KeptLaunch, profile: LaunchProfile) -> LaunchEvidence:
        """The evidence of one launch."""
        match, known = launch.match, self._device(launch.device_name)
        stage = matched_stage(match)
        cells = _cells(known.cells, match)
        timings = tuple(cell.measurement for cell in cells)
        evidence = KernelEvidence(
            kernel=profile.kernel,
            counters=launch_counters(self._store, launch.id, profile),
            grid=launch.grid,
            block=launch.block,
            problem=match.problem,
            stage=match.stage,
            size=match.size,
            dtype=match.dtype,
            arithmetic=stage.arithmetic if stage else None,
            device=known.device,
            timings=timings,
            compiler=next((one.compiler for one in timings if one.compiler), None),
            model=_model(stage, match),
            roofs=_roofs_by_name(known.ceilings),
        )
        arithmetics = main_arithmetics([stage.arithmetic] if stage else [])
        run_ids = tuple({cell.run_id for cell in cells})
        return LaunchEvidence(evidence, stage, roofs_of(known.ceilings, arithmetics), run_ids)

    def _device(self, name: str | None) -> _KnownDevice:
        if name is None:
            return _UNKNOWN_DEVICE
        if name not in self._known:
            if self._devices is None:
                self._devices = self._store.measured_devices()
            self._known[name] = self._read(_coverage(self._devices, name))
        return self._known[name]

    def _read(self, coverage: DeviceCoverage | None) -> _KnownDevice:
        if coverage is None:
            return _UNKNOWN_DEVICE
        device = coverage.device
        ceilings = tuple(ceiling for _, ceiling in self._store.newest_ceilings(device.uuid))
        return _KnownDevice(device, ceilings, tuple(self._store.newest_cells(device.uuid)))


@dataclass(frozen=True)
class _KnownDevice:
    """What was measured on a device; nothing for one that is not known."""

    device: Device | None = None
    ceilings: tuple[Ceiling, ...] = ()
    cells: tuple[MeasuredCell, ...] = ()


_UNKNOWN_DEVICE = _KnownDevice()


def launch_evidence(store: Store, kept: KeptProfile) -> LaunchEvidence:
    """The evidence of one launch alone; a constant number of queries."""
    return EvidenceReader(store).of(kept.launch, kept.profile)


def matched_stage(match: StageMatch) -> Stage | None:
    """The declaration of the matched stage; None where there is none, or no longer."""
    if match.problem is None or match.problem not in registry.problems():
        return None
    ladder = registry.stages(match.problem, BackendName.CUDA)
    return next((stage for stage in ladder if stage.name == match.stage), None)


def _coverage(devices: Sequence[DeviceCoverage], name: str) -> DeviceCoverage | None:
    """This machine's own measurements before imported ones."""
    same = [one for one in devices if one.device.name == name]
    return min(same, key=lambda one: one.imported, default=None)


def _cells(cells: Sequence[MeasuredCell], match: StageMatch) -> tuple[MeasuredCell, ...]:
    if match.problem is None or match.stage is None or match.size is None or match.dtype is None:
        return ()
    key = CellKey(match.problem, match.stage, match.size, match.dtype)
    return tuple(cell for cell in cells if cell.measurement.key == key)


def _model(stage: Stage | None, match: StageMatch) -> ModelValues | None:
    if stage is None or match.size is None or match.dtype is None or match.dtype not in stage.dtypes:
        return None
    cost = stage.cost(match.size, match.dtype)
    return ModelValues(cost.flop, cost.least_dram_bytes, dict(cost.bytes_by_level))


def _launches(stage: Stage | None, match: StageMatch) -> int:
    """Launches of one call of the stage; 1 where it is not known."""
    return stage.launch(match.size).count if stage and stage.launch and match.size else 1


def _roofs_by_name(ceilings: Sequence[Ceiling]) -> Mapping[str, Roof]:
    """By name; what was measured counts before the data sheet."""
    ordered = sorted(ceilings, key=lambda one: one.source.value != "datasheet")
    return {one.name: Roof(one.name, one.value, one.source, one.unit) for one in ordered}
