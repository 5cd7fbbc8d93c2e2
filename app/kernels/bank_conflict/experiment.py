"""Charts of shared-memory patterns: time over the stride, and over the lanes that share a word."""

from __future__ import annotations

from app.domain.evidence import DeviceEvidence
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype
from app.kernels.bank_conflict.problem import LARGEST_STRIDE, request_wavefronts
from app.kernels.experiment import Experiment, Unit, median_time
from app.kernels.stage import Stage

PROBLEM_NAME = "bank_conflict"
CONFLICT_FREE = Size.of(stride=1, sharers=1)


def wavefronts_times_free(stage: Stage, size: Size, evidence: DeviceEvidence) -> float | None:
    """The time of the conflict-free pattern, once for each wavefront."""
    free = evidence.sound(PROBLEM_NAME, stage.name, CONFLICT_FREE, CacheState.WARM, Dtype.INT32)
    return free.measurement.median_s * request_wavefronts(size) if free else None


EXPERIMENTS = (
    Experiment(
        name="bank_conflict_stride",
        title="Bank conflicts by stride",
        question="How much does a stride between lanes slow shared memory?",
        lesson="Lanes a stride apart meet gcd(stride, 32) at a time in one bank, and each meeting is one "
        "more pass. Odd strides are free, powers of two are not: 8 costs eight passes, only 32 costs "
        "32. A column of a 32-word row is stride 32; one word of padding makes it 33.",
        problem=PROBLEM_NAME,
        axis="stride",
        axis_title="Stride between lanes (words)",
        value_title="Time",
        unit=Unit.SECONDS,
        value=median_time,
        theory=wavefronts_times_free,
        theory_title="gcd(stride, 32) × time at stride 1",
        source="L22 §7.4",
        cache=CacheState.WARM,
        dtype=Dtype.INT32,
        sizes=tuple(Size.of(stride=stride, sharers=1) for stride in range(1, LARGEST_STRIDE + 1)),
        order=40,
    ),
    Experiment(
        name="bank_conflict_sharing",
        title="Broadcast and multicast",
        question="Do lanes of one bank still wait when they read the same word?",
        lesson="Only different words of one bank wait for each other. All 32 lanes on one word are a single "
        "pass; 16 on one word and 16 on another word of the same bank are two, not 32.",
        problem=PROBLEM_NAME,
        axis="sharers",
        axis_title="Lanes that read the same word, all words in one bank",
        value_title="Time",
        unit=Unit.SECONDS,
        value=median_time,
        theory=wavefronts_times_free,
        theory_title="Distinct words of the bank × time without conflict",
        source="L22 §7.4",
        cache=CacheState.WARM,
        dtype=Dtype.INT32,
        sizes=tuple(Size.of(stride=32, sharers=sharers) for sharers in (1, 2, 4, 8, 16, 32)),
        logarithmic=True,
        order=41,
    ),
)
