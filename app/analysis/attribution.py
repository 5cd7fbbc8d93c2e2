"""Why a rung is faster than its parent: promised changes that happened, and what they explain of it.

The model: what binds the parent (its busiest unit, else waiting) takes a time t = busy fraction · duration.
A rung that is S times as fast and whose t is smaller by the factor f owes ln f / ln S of its speed-up to
that, at most all of it: where f > S, something else binds now.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import log

from app.analysis.bottleneck import Bottleneck, bottleneck, resource_time_s
from app.domain.errors import NotCollectedError
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.promise import Counted, Direction, Promise

# A change counts from 2 % on, twice what counters repeat to; a promised factor holds to a quarter.
NOTICED = 0.02
FACTOR_TOLERANCE = 0.25
SAME_SPEED = 0.02


class Outcome(StrEnum):
    """What became of a promise."""

    KEPT = "kept"
    OTHER_FACTOR = "other_factor"  # the right way, but not by the promised factor
    BROKEN = "broken"
    NOT_COLLECTED = "not_collected"


@dataclass(frozen=True, slots=True)
class PromiseOutcome:
    """A promise beside what was counted. factor: after over before. reason: why it was not collected."""

    promise: Promise
    outcome: Outcome
    before: float | None = None
    after: float | None = None
    reason: str = ""

    @property
    def factor(self) -> float | None:
        """Counted after over before; None where either is missing or nothing was there before."""
        return self.after / self.before if self.before and self.after is not None else None


@dataclass(frozen=True, slots=True)
class CountedAttribution:
    """A rung against its parent. share_explained: 0 to 1; None without a speed-up or without counters."""

    speed_up: float
    promises: tuple[PromiseOutcome, ...]
    bound_before: Bottleneck | None
    bound_after: Bottleneck | None
    share_explained: float | None
    sentence: str


def _waiting(stall: Counter) -> Callable[[KernelEvidence], float]:
    """Warp clocks spent waiting: warps an issue times issues, so that kernels of other length compare."""
    return lambda kernel: kernel.counters.need(stall) * kernel.counters.need(Counter.INSTRUCTIONS)


def _counter(counter: Counter) -> Callable[[KernelEvidence], float]:
    return lambda kernel: kernel.counters.need(counter)


def _conflicts(kernel: KernelEvidence) -> float:
    """Wavefronts over the ideal: the raw conflict counter holds arbitration."""
    counters = kernel.counters
    return counters.need(Counter.SHARED_WAVEFRONTS) - counters.need(Counter.SHARED_WAVEFRONTS_IDEAL)


_COUNTED: Mapping[Counted, Callable[[KernelEvidence], float]] = {
    Counted.DRAM_BYTES: _counter(Counter.DRAM_BYTES),
    Counted.L2_BYTES: _counter(Counter.L2_BYTES),
    Counted.GLOBAL_SECTORS: _counter(Counter.GLOBAL_LOAD_SECTORS_PER_REQUEST),
    Counted.GLOBAL_REQUESTS: _counter(Counter.GLOBAL_LOAD_REQUESTS),
    Counted.SHARED_WAVEFRONTS: _counter(Counter.SHARED_WAVEFRONTS),
    Counted.BANK_CONFLICTS: _conflicts,
    Counted.INSTRUCTIONS: _counter(Counter.INSTRUCTIONS),
    Counted.LOAD_STALLS: _waiting(Counter.STALL_LONG_SCOREBOARD),
    Counted.BARRIER_STALLS: _waiting(Counter.STALL_BARRIER),
    Counted.BUSY_MULTIPROCESSORS: _counter(Counter.BUSY_MULTIPROCESSOR_FRACTION),
    Counted.TENSOR_INSTRUCTIONS: _counter(Counter.TENSOR_INSTRUCTIONS),
    Counted.TENSOR_PIPE_USE: _counter(Counter.TENSOR_PIPE_FRACTION),
    Counted.FMA_PIPE_USE: _counter(Counter.FMA_PIPE_FRACTION),
}


def attribute(
    parent: KernelEvidence, rung: KernelEvidence, promises: tuple[Promise, ...]
) -> CountedAttribution:
    """The rung against its parent, both at the same size on the same device.

    Raises NotCollectedError where a duration is missing. Durations are those of the profiler.
    """
    speed_up = parent.counters.need(Counter.DURATION_S) / rung.counters.need(Counter.DURATION_S)
    outcomes = tuple(_outcome(promise, parent, rung) for promise in promises)
    before, after = bottleneck(parent), bottleneck(rung)
    share = _share_explained(parent, rung, before, speed_up)
    sentence = _sentence(parent, speed_up, outcomes, before, after, share)
    return CountedAttribution(speed_up, outcomes, before, after, share, sentence)


def _outcome(promise: Promise, parent: KernelEvidence, rung: KernelEvidence) -> PromiseOutcome:
    count = _COUNTED.get(promise.counted)
    if count is None:
        return PromiseOutcome(promise, Outcome.NOT_COLLECTED, reason="A report counts single launches.")
    try:
        before, after = count(parent), count(rung)
    except NotCollectedError as missing:
        return PromiseOutcome(promise, Outcome.NOT_COLLECTED, reason=missing.message)
    return PromiseOutcome(promise, _kept(promise, before, after), before, after)


def _kept(promise: Promise, before: float, after: float) -> Outcome:
    less = promise.direction is Direction.LESS
    wanted = after < before * (1 - NOTICED) if less else after > before * (1 + NOTICED)
    if not wanted:
        return Outcome.BROKEN
    if promise.factor is None or not before:
        return Outcome.KEPT
    off = abs(after / before / promise.factor - 1)
    return Outcome.KEPT if off <= FACTOR_TOLERANCE else Outcome.OTHER_FACTOR


def _share_explained(
    parent: KernelEvidence, rung: KernelEvidence, before: Bottleneck | None, speed_up: float
) -> float | None:
    if before is None or speed_up < 1 + SAME_SPEED:
        return None
    try:
        time_before = resource_time_s(parent, before.resource)
        time_after = resource_time_s(rung, before.resource)
    except NotCollectedError:
        return None
    if not time_before or not time_after:
        return None
    return min(max(log(time_before / time_after) / log(speed_up), 0.0), 1.0)


def _sentence(
    parent: KernelEvidence,
    speed_up: float,
    outcomes: tuple[PromiseOutcome, ...],
    before: Bottleneck | None,
    after: Bottleneck | None,
    share: float | None,
) -> str:
    name = parent.stage or parent.kernel.partition("(")[0]
    changes = " and ".join(words for outcome in outcomes if (words := _promise_words(outcome)))
    parts = [_speed_words(speed_up, name) + (f": {changes}" if changes else "")]
    if before is not None and share is not None:
        parts.append(f"relief of what bound {name}, {before.resource}, explains {_share_words(share)}")
    if after is not None:
        parts.append(_bound_words(after))
    return "; ".join(part.rstrip(",") for part in parts) + "."


def _speed_words(speed_up: float, parent: str) -> str:
    if abs(speed_up - 1) < SAME_SPEED:
        return f"It is as fast as {parent}"
    if speed_up < 1:
        return f"It takes {1 / speed_up:.2f} times as long as {parent}"
    return f"It is {speed_up:.2f} times as fast as {parent}"


def _share_words(share: float) -> str:
    if share >= 1 - NOTICED:
        return "all of the speed-up"
    return f"{share:.0%} of the speed-up" if share >= NOTICED else "none of the speed-up"


def _promise_words(outcome: PromiseOutcome) -> str:
    if outcome.outcome is Outcome.NOT_COLLECTED:
        return ""
    change = f"{outcome.promise.counted} {_change_words(outcome.factor)}"
    if outcome.outcome is Outcome.KEPT:
        return f"{change}, as promised,"
    if outcome.outcome is Outcome.OTHER_FACTOR:
        return f"{change} where {outcome.promise.factor:.3g} times were promised,"
    return f"{change}, against the promise,"


def _change_words(factor: float | None) -> str:
    if factor is None:
        return "came from nothing"
    if factor < NOTICED:
        return "all but vanished"
    if abs(factor - 1) <= NOTICED:
        return "stayed as they were"
    if factor < 1:
        return f"fell to {factor:.0%}"
    return f"rose {factor:.2f} times" if factor < 10 else f"rose {factor:,.0f} times"


def _bound_words(found: Bottleneck) -> str:
    if found.stall is not None:
        reason = found.stall.value.removeprefix("stall_").replace("_", " ")
        return f"its own warps wait for {found.fraction:.0%} of their time, most for {reason}"
    return f"now {found.resource} bounds it, at {found.fraction:.0%}"
