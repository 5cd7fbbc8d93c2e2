"""What is known of a device over all its runs, for claims, incidents, the memory lab and the ceilings."""

from __future__ import annotations

from datetime import datetime

from app.domain.evidence import DeviceCoverage, DeviceEvidence, MeasuredCell
from app.domain.vocabulary import BackendName, ProblemKind, Regime
from app.kernels.registry import problems
from app.storage.store import Store


def evidence_devices(store: Store) -> tuple[DeviceCoverage, ...]:
    """Devices with measurements, for a switch: those with lab measurements first, the workers' own ahead.

    Then by how much of the lab was measured, GPUs before CPUs.
    """
    own = {snapshot.device.uuid for snapshot in store.workers()}

    def rank(coverage: DeviceCoverage) -> tuple[bool, bool, int, bool]:
        lab = _lab_series(coverage)
        is_gpu = coverage.device.backend is BackendName.CUDA
        return lab == 0, coverage.device.uuid not in own, -lab, not is_gpu

    return tuple(sorted(store.measured_devices(), key=rank))


def device_evidence(store: Store, device_uuid: str | None) -> DeviceEvidence | None:
    """All that is known of the device; None asks for the first of `evidence_devices`.

    None where nothing was ever measured on it.
    """
    devices = evidence_devices(store)
    chosen = next((c.device for c in devices if device_uuid in (None, c.device.uuid)), None)
    if chosen is None:
        return None
    cells = sorted(store.newest_cells(chosen.uuid), key=_age)
    return DeviceEvidence(
        device=chosen,
        cells={(cell.measurement.key, cell.measurement.cache): cell for cell in cells},
        fates={fate.outcome.key: fate for fate in store.newest_fates(chosen.uuid)},
        ceilings={
            (ceiling.name, ceiling.source): (run_id, ceiling)
            for run_id, ceiling in store.newest_ceilings(chosen.uuid)
        },
        traps=frozenset(p.name for p in problems().values() if p.kind is ProblemKind.TRAP),
    )


def _age(cell: MeasuredCell) -> tuple[datetime, int, bool]:
    """Oldest first; of one run, a sustained series gives way to single launches or bursts."""
    return cell.measured_at, cell.run_id, cell.measurement.regime is not Regime.SUSTAINED


def _lab_series(coverage: DeviceCoverage) -> int:
    lab = {p.name for p in problems().values() if p.kind not in (ProblemKind.LADDER, ProblemKind.CEILING)}
    return sum(count for problem, count in coverage.series_counts.items() if problem in lab)
