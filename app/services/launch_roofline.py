"""One launch on the roofline: its counted rate at the intensity of each level of memory."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.kernel_evidence import Counter, Counters, ModelValues
from app.domain.vocabulary import Level, Provenance
from app.services.roofs import Roofs

_FLOP = (Counter.FP32_FLOP, Counter.FP64_FLOP, Counter.FP16_FLOP, Counter.TENSOR_FLOP)
_BYTES = {Level.DRAM: Counter.DRAM_BYTES, Level.L2: Counter.L2_BYTES, Level.L1: Counter.L1_BYTES}


@dataclass(frozen=True)
class LevelPoint:
    """Bytes counted at a level and the intensity that follows, in FLOP per byte.

    bytes_per_s: of this launch. roof_bytes_per_s: of the level, None where it is not known.
    """

    level: Level
    moved_bytes: float
    intensity: float
    bytes_per_s: float
    roof_bytes_per_s: float | None
    roof_source: Provenance | None


@dataclass(frozen=True)
class LaunchRoofline:
    """flop: counted by pipe, else by the stage's algebra. least_intensity: at the least DRAM traffic.

    compute_flop_per_s: the roof of the arithmetic that did most of the work.
    """

    flop: float
    flop_source: Provenance
    duration_s: float
    points: tuple[LevelPoint, ...]
    compute_flop_per_s: float | None
    compute_title: str
    compute_source: Provenance | None
    least_intensity: float | None

    @property
    def flop_per_s(self) -> float:
        """Counted FLOP over the tool's time."""
        return self.flop / self.duration_s

    def allowed(self, point: LevelPoint) -> float | None:
        """FLOP/s that the level's bandwidth allows at the point, capped by the compute roof."""
        if point.roof_bytes_per_s is None:
            return None
        bound = point.roof_bytes_per_s * point.intensity
        return min(bound, self.compute_flop_per_s) if self.compute_flop_per_s else bound


def launch_roofline(
    counters: Counters, duration_s: float | None, model: ModelValues | None, roofs: Roofs
) -> LaunchRoofline | None:
    """None where the launch has no arithmetic, no duration or no counted bytes."""
    counted = {counter: counters.get(counter) or 0.0 for counter in _FLOP}
    flop, source = sum(counted.values()), Provenance.COUNTED
    if not flop and model is not None:
        flop, source = float(model.flop), Provenance.MODELLED
    if not flop or not duration_s:
        return None
    points = tuple(_points(counters, flop, duration_s, roofs))
    if not points:
        return None
    compute, title, compute_source = _compute(counters, counted, roofs)
    return LaunchRoofline(
        flop=flop,
        flop_source=source,
        duration_s=duration_s,
        points=points,
        compute_flop_per_s=compute,
        compute_title=title,
        compute_source=compute_source,
        least_intensity=model.flop / model.least_dram_bytes if model and model.least_dram_bytes else None,
    )


def _points(counters: Counters, flop: float, duration_s: float, roofs: Roofs) -> list[LevelPoint]:
    points = []
    for level, counter in _BYTES.items():
        moved = counters.get(counter)
        if moved:
            roof, source = _bandwidth(counters, level, roofs)
            points.append(LevelPoint(level, moved, flop / moved, moved / duration_s, roof, source))
    return points


def _bandwidth(counters: Counters, level: Level, roofs: Roofs) -> tuple[float | None, Provenance | None]:
    """What was measured on this model of device counts before the tool's own peak."""
    measured = {Level.DRAM: roofs.bandwidth, Level.L2: roofs.l2, Level.L1: None}[level]
    if measured is not None:
        return measured.value, measured.source
    peak = counters.get(Counter.DRAM_PEAK_BYTES_PER_S) if level is Level.DRAM else None
    return peak, Provenance.COUNTED if peak else None


def _compute(
    counters: Counters, counted: dict[Counter, float], roofs: Roofs
) -> tuple[float | None, str, Provenance | None]:
    """The roof of the stage's arithmetic, else of FP32 where that is what was counted."""
    if roofs.compute is not None:
        return roofs.compute.value, roofs.arithmetic.value, roofs.compute.source
    peak = counters.get(Counter.FP32_PEAK_FLOP_PER_S)
    mostly_fp32 = counted[Counter.FP32_FLOP] >= max(counted.values())
    return (peak, "fp32", Provenance.COUNTED) if peak and mostly_fp32 else (None, "", None)
