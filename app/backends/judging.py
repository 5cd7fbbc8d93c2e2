"""Which roof a measurement is judged by, and how much of it was reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.roofline import is_memory_bound, roof_at_clock
from app.domain.ceiling_names import BANDWIDTH_CEILINGS, COMPUTE_CEILINGS
from app.domain.device import Device
from app.domain.measurement import Ceiling, Roof
from app.domain.vocabulary import Arithmetic, Provenance
from app.kernels.stage import Cost, Stage

_SOURCES = (Provenance.DATASHEET, Provenance.MEASURED)


@dataclass(frozen=True)
class Verdict:
    """The roof and the fractions of it; None where the device states no roof or no clock."""

    roof: Roof | None = None
    fraction_boost: float | None = None
    fraction_held: float | None = None


def judge(
    stage: Stage,
    cost: Cost,
    ceilings: Sequence[Ceiling],
    device: Device,
    duration_s: float,
    sm_clock_hz: float | None,
) -> Verdict:
    """Judge by the lower of the compute roof and bandwidth x intensity, data sheet before measured.

    Intensity is over the least DRAM bytes. A compute roof scales with the clock: `fraction_held` is the
    rate over the roof at `sm_clock_hz`, `fraction_boost` over the roof as stated. Bandwidth does not.
    """
    compute = _first(ceilings, COMPUTE_CEILINGS.get(stage.arithmetic, ()))
    bandwidth = _first(ceilings, BANDWIDTH_CEILINGS)
    if bandwidth is not None and _is_memory_bound(stage, cost, bandwidth, compute):
        fraction = cost.least_dram_bytes / duration_s / bandwidth.value
        roof = Roof("dram", bandwidth.value, bandwidth.source, "bytes_per_s")
        return Verdict(roof, fraction, fraction)
    if compute is None:
        return Verdict()
    rate = cost.flop / duration_s
    roof = Roof(stage.arithmetic.value, compute.value, compute.source)
    stated_at_hz = compute.sm_clock_hz if compute.source is Provenance.MEASURED else device.boost_clock_hz
    held = roof_at_clock(compute.value, stated_at_hz, sm_clock_hz) if stated_at_hz and sm_clock_hz else None
    return Verdict(roof, rate / compute.value, rate / held if held else None)


def _is_memory_bound(stage: Stage, cost: Cost, bandwidth: Ceiling, compute: Ceiling | None) -> bool:
    if stage.arithmetic is Arithmetic.NONE:
        return True
    return compute is not None and is_memory_bound(
        cost.flop, cost.least_dram_bytes, bandwidth.value, compute.value
    )


def _first(ceilings: Sequence[Ceiling], names: Sequence[str]) -> Ceiling | None:
    for name in names:
        for source in _SOURCES:
            for ceiling in ceilings:
                if ceiling.name == name and ceiling.source is source:
                    return ceiling
    return None
