"""Published figures of the lectures' matmul table: 4096 cubed on an A100, roofs 19.5 (FP32) TFLOP/s."""

from __future__ import annotations

from app.domain.claim import Claim
from app.domain.vocabulary import Metric

DEVICE = "A100"
SIZE_KEY = "m=4096,n=4096,k=4096"
FP32_ROOF_FLOP_PER_S = 19.5e12


def table_row(
    source: str, flop_per_s: float, roof_fraction: float, intensity: float, bottleneck: str
) -> tuple[Claim, ...]:
    """The four figures the table gives for a stage. Rates in FLOP/s, intensity in FLOP per byte."""
    return (
        Claim(Metric.FLOP_PER_S, flop_per_s, source, DEVICE, SIZE_KEY),
        Claim(Metric.ROOF_FRACTION, roof_fraction, source, DEVICE, SIZE_KEY, FP32_ROOF_FLOP_PER_S),
        Claim(Metric.INTENSITY, intensity, source, DEVICE),
        Claim(Metric.BOTTLENECK, bottleneck, source, DEVICE),
    )
