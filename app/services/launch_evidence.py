"""One launch joined with all that is known of its stage on the same model of device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.evidence import DeviceCoverage, MeasuredCell
from app.domain.kept_report import KeptProfile, StageMatch
from app.domain.kernel_evidence import KernelEvidence, ModelValues
from app.domain.measurement import Ceiling, CellKey, Roof
from app.domain.vocabulary import BackendName
from app.kernels import registry
from app.kernels.stage import Stage
from app.ncu.counters import counters_of
from app.services.roofs import Roofs, main_arithmetics, roofs_of
from app.storage.store import Store


@dataclass(frozen=True)
class LaunchEvidence:
    """The evidence, and what it came from: the stage's declaration and the roofs of the device."""

    evidence: KernelEvidence
    stage: Stage | None
    roofs: Roofs
    run_ids: tuple[int, ...] = ()


def launch_evidence(store: Store, kept: KeptProfile) -> LaunchEvidence:
    """Read timings and roofs of the device with the launch's device name; a constant number of queries."""
    match = kept.launch.match
    stage = matched_stage(match)
    name = kept.launch.device_name
    coverage = _coverage(store.measured_devices(), name) if name else None
    device = coverage.device if coverage else None
    ceilings = tuple(ceiling for _, ceiling in store.newest_ceilings(device.uuid)) if device else ()
    cells = _cells(store, device.uuid, match) if device else ()
    timings = tuple(cell.measurement for cell in cells)
    evidence = KernelEvidence(
        kernel=kept.profile.kernel,
        counters=counters_of(kept.profile),
        grid=kept.launch.grid,
        block=kept.launch.block,
        problem=match.problem,
        stage=match.stage,
        size=match.size,
        dtype=match.dtype,
        arithmetic=stage.arithmetic if stage else None,
        device=device,
        timings=timings,
        compiler=next((one.compiler for one in timings if one.compiler), None),
        model=_model(stage, match),
        roofs=_roofs_by_name(ceilings),
        launches=_launches(stage, match),
    )
    arithmetics = main_arithmetics([stage.arithmetic] if stage else [])
    return LaunchEvidence(evidence, stage, roofs_of(ceilings, arithmetics), tuple({c.run_id for c in cells}))


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


def _cells(store: Store, device_uuid: str, match: StageMatch) -> tuple[MeasuredCell, ...]:
    if match.problem is None or match.stage is None or match.size is None or match.dtype is None:
        return ()
    key = CellKey(match.problem, match.stage, match.size, match.dtype)
    return tuple(cell for cell in store.newest_cells(device_uuid) if cell.measurement.key == key)


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
