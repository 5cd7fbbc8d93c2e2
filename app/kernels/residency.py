"""Theoretical occupancy of a stage: from what the compiler reported, and from its block alone."""

from __future__ import annotations

from math import prod

from app.analysis.occupancy import limits_of_architecture, occupancy, sm_limits
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.size import Size
from app.kernels.stage import Stage


def theoretical_occupancy(cell: MeasuredCell) -> float | None:
    """Fraction of an SM's warps, 0 to 1, by registers, shared memory and threads; None where unknown."""
    report, recipe = cell.measurement.compiler, cell.measurement.recipe
    if report is None or recipe.block is None:
        return None
    limits = limits_of_architecture(report.architecture)
    if limits is None:
        return None
    shared = report.static_shared_bytes + recipe.dynamic_shared_bytes
    return occupancy(limits, prod(recipe.block), report.registers, shared).fraction


def occupancy_by_threads(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """Fraction if registers and shared memory did not count; None for unknown devices and library lines."""
    capability = evidence.device.compute_capability
    if capability is None or stage.launch is None:
        return None
    major, _, minor = capability.partition(".")
    limits = sm_limits((int(major), int(minor)))
    return occupancy(limits, prod(stage.launch(size).block), 0).fraction if limits else None
