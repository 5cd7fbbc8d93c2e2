"""Split against plain over the length of the sum, and over the number of slices."""

from __future__ import annotations

from app.analysis.quantisation import waves
from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype
from app.kernels.experiment import Experiment, Unit, median_time
from app.kernels.split_break_even.problem import (
    CHOSEN_SLICES,
    EDGE,
    LONG_K,
    OVER_SLICES,
    OVER_TERMS,
    PROBLEM,
    sliced,
    tiles_of_size,
)
from app.kernels.stage import Stage


def free_addition(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The plain time at the same k shared out over the slices, by whole waves, as if adding cost nothing."""
    sms = evidence.device.multiprocessor_count
    anchor = sliced(size["k"], CHOSEN_SLICES)
    plain = evidence.sound(PROBLEM.name, "plain", anchor, CacheState.WARM, Dtype.FLOAT32)
    if stage.name == "plain" or plain is None or not sms:
        return None
    rounds = waves(tiles_of_size(size) * size["slices"], sms)
    return plain.measurement.median_s * rounds / size["slices"]


EXPERIMENTS = (
    Experiment(
        name="split_break_even",
        title="Split-K: from which K on",
        question="From which length of a sum on does cutting it pay?",
        lesson=f"{EDGE}×{EDGE} results. A slice shortens the sum and adds a price that does not depend "
        "on its length: writing the parts, meeting at a counter, reading them again. Short sums only "
        "pay it. The lines cross where the time saved equals it; beyond, the gain grows towards the number "
        "of slices.",
        problem=PROBLEM.name,
        axis="k",
        axis_title=f"Terms of each sum, {CHOSEN_SLICES} slices",
        value_title="Time",
        unit=Unit.SECONDS,
        value=median_time,
        theory=free_addition,
        theory_title="if adding up cost nothing",
        source="L24 §0.3",
        cache=CacheState.WARM,
        sizes=OVER_TERMS,
        logarithmic=True,
        order=210,
    ),
    Experiment(
        name="split_slices",
        title="Split-K: how many slices",
        question="How many slices are best?",
        lesson="Slices help while they fill idle multiprocessors and hurt when they no longer do: the last "
        "block reads one part a slice, and beyond one wave blocks wait their turn. The best number is about "
        "SMs ÷ tiles, here 16 of them.",
        problem=PROBLEM.name,
        axis="slices",
        axis_title=f"Slices of k, {EDGE}×{EDGE}×{LONG_K}",
        value_title="Time",
        unit=Unit.SECONDS,
        value=median_time,
        theory=free_addition,
        theory_title="if adding up cost nothing",
        source="L24 §0.3",
        cache=CacheState.WARM,
        sizes=OVER_SLICES,
        stages=("sliced",),
        logarithmic=True,
        order=211,
    ),
)
