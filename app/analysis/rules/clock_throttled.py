"""The SM clock was below what the device can hold."""

from __future__ import annotations

from app.analysis.gain import SM, busiest
from app.analysis.rule import Judgement, Rule, clear, found, not_applicable, seen
from app.domain.finding import ExpectedGain, GainScope
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.vocabulary import Health

# Free clocks stay within 3 to 4 % of the highest in runs that nothing holds back.
LEAST_FRACTION = 0.95


def _judge(evidence: KernelEvidence) -> Judgement:
    reasons = sorted(
        {reason for t in evidence.timings if t.health is Health.THROTTLED for reason in t.health_reasons}
    )
    device = evidence.device
    boost = (device.boost_clock_hz if device else None) or evidence.counters.get(Counter.BOOST_CLOCK_HZ)
    held = evidence.counters.need(Counter.SM_CLOCK_HZ)
    if boost is None:
        return not_applicable("The highest clock of the device is not known.")
    fraction = held / boost
    shown = seen(evidence, Counter.SM_CLOCK_HZ, Counter.BOOST_CLOCK_HZ)
    if fraction >= LEAST_FRACTION and not reasons:
        return clear(f"The SM clock was {fraction:.1%} of the highest.", shown)
    why = f" Reasons while it was timed: {', '.join(reasons)}." if reasons else ""
    # Only units on the SM clock gain; DRAM has its own.
    bound = 1 / max(busiest(evidence, (SM,)), fraction)
    gain = ExpectedGain(max(min(1 / fraction, bound), 1.0), GainScope.UNIT, "highest clock over held clock")
    return found(
        f"The SM clock was {held / 1e9:.2f} GHz, {fraction:.0%} of the highest: limited by power or heat, "
        f"or locked by the profiler.{why}",
        shown,
        gain,
    )


RULE = Rule(
    "clock_throttled",
    "Clock below the highest",
    "Profile with --clock-control none, look at power and heat, and compare times at the same clock only.",
    _judge,
)
