"""Two instruments on one kernel: event against profiler time, algorithmic against counted FLOP and bytes."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.finding import EvidenceValue
from app.domain.kernel_evidence import CountedValue, Counter, KernelEvidence
from app.domain.vocabulary import Arithmetic, CacheState, Provenance

# Events and profiler agree to a tenth of a per cent on kernels of milliseconds; clocks move by a few per cent
# between two runs. Counts repeat, so a hundredth is already another number.
TIME_TOLERANCE, COUNT_TOLERANCE = 0.05, 0.01
BYTE_TOLERANCE = 0.1  # what L2 held before or holds back at the end
SHORT_S = 20e-6  # below, start and stop of the two clocks lie further apart than the tolerance


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """Two values of one quantity. ratio: second over first. explanation: of the disagreement, or of none."""

    quantity: str
    first: EvidenceValue
    second: EvidenceValue
    ratio: float
    agrees: bool
    explanation: str


def cross_checks(evidence: KernelEvidence) -> tuple[CrossCheck, ...]:
    """What both instruments know of: cold time, FLOP, DRAM bytes; empty where either is missing."""
    found = (_time(evidence), _flop(evidence), _bytes(evidence))
    return tuple(check for check in found if check is not None)


def counted_flop(evidence: KernelEvidence) -> CountedValue | None:
    """Operations that were counted: tensor pipe and floating-point units of float32 and float64.

    Half-precision units count only for stages that declare their arithmetic as such: compilers also use their
    multiply-add to move constants.
    """
    values = evidence.counters.values
    kinds = [Counter.FP32_FLOP, Counter.FP64_FLOP, Counter.TENSOR_FLOP]
    if evidence.arithmetic is Arithmetic.FP16:
        kinds.append(Counter.FP16_FLOP)
    parts = [values[kind] for kind in kinds if kind in values]
    if not parts:
        return None
    metrics = tuple(dict.fromkeys(name for part in parts if part.value for name in part.metrics))
    return CountedValue(sum(part.value for part in parts), "flop", metrics, " + ".join(kinds))


def _time(evidence: KernelEvidence) -> CrossCheck | None:
    # The profiler flushes caches before each pass, so its time is to be held against the cold one.
    cold, warm = evidence.timing(CacheState.COLD), evidence.timing(CacheState.WARM)
    measured, counted = cold or warm, evidence.counters.values.get(Counter.DURATION_S)
    if measured is None or counted is None:
        return None
    of_one_s = measured.median_s / evidence.launches
    ratio = counted.value / of_one_s
    agrees = abs(ratio - 1) <= TIME_TOLERANCE
    first = EvidenceValue("event time", of_one_s, "s", measured.provenance, str(measured.cache))
    return CrossCheck(
        "time",
        first,
        _counted("profiler time", counted),
        ratio,
        agrees,
        _why_time(agrees, measured.median_s, cold is not None, ratio, _clock_ratio(evidence)),
    )


def _why_time(agrees: bool, seconds: float, cold: bool, ratio: float, clock_ratio: float | None) -> str:
    if agrees:
        return "Both clocks say the same."
    if seconds < SHORT_S:
        return "The kernel is short: the profiler starts and stops closer to it than events do."
    if not cold:
        return "The event time is warm, the profiler's cold: it flushes caches before each pass."
    if clock_ratio is not None and abs(clock_ratio * ratio - 1) <= TIME_TOLERANCE:
        return "The SM clock differed by as much: the profiler locked it, or heat lowered one of them."
    return "Neither length, caches nor clock explain it: look at replay passes and other work."


def _clock_ratio(evidence: KernelEvidence) -> float | None:
    """SM clock under the profiler over that under events."""
    counted = evidence.counters.get(Counter.SM_CLOCK_HZ)
    held = next((timing.sm_clock_hz for timing in evidence.timings if timing.sm_clock_hz), None)
    return counted / held if counted and held else None


def _flop(evidence: KernelEvidence) -> CrossCheck | None:
    model, counted = evidence.model, counted_flop(evidence)
    if model is None or counted is None or not model.flop:
        return None
    flop = model.flop / evidence.launches
    ratio = counted.value / flop
    agrees = abs(ratio - 1) <= COUNT_TOLERANCE
    first = EvidenceValue("algorithmic FLOP", flop, "flop", model.provenance)
    if agrees:
        why = "Every counted operation is one of the algorithm."
    elif ratio > 1:
        why = "More is done than the algorithm asks for: tiles over the edge, or values computed again."
    else:
        why = "Part of the work runs where no counter looks: other instructions, or another launch."
    return CrossCheck("FLOP", first, _counted("counted FLOP", counted), ratio, agrees, why)


def _bytes(evidence: KernelEvidence) -> CrossCheck | None:
    model, counted = evidence.model, evidence.counters.values.get(Counter.DRAM_BYTES)
    if model is None or counted is None or not model.least_dram_bytes:
        return None
    least = model.least_dram_bytes / evidence.launches
    ratio = counted.value / least
    agrees = abs(ratio - 1) <= BYTE_TOLERANCE
    first = EvidenceValue("least DRAM bytes", least, "byte", model.provenance)
    if agrees:
        why = "Each value passes DRAM once."
    elif ratio > 1:
        why = "Values are fetched more than once: their next use comes after L2 forgot them."
    else:
        why = "L2 held inputs from before, or keeps results that it has not written back yet."
    return CrossCheck("DRAM bytes", first, _counted("counted DRAM bytes", counted), ratio, agrees, why)


def _counted(name: str, value: CountedValue) -> EvidenceValue:
    source = value.formula or ", ".join(value.metrics)
    return EvidenceValue(name, value.value, value.unit, Provenance.COUNTED, source)
