"""The contract of a diagnosis rule. A module in `app/analysis/rules` defines `RULE` or `RULES`.

A rule asks for counters with `Counters.need`: where one was not collected, the rule is not applicable and
says which metric to ask for. Nothing else is to be handled by a rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.domain.finding import (
    EvidenceValue,
    ExpectedGain,
    FindingVerdict,
    Severity,
    StageLink,
)
from app.domain.kernel_evidence import Counter, KernelEvidence

HIGH_GAIN, MEDIUM_GAIN = 1.5, 1.2


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a rule found in one kernel."""

    verdict: FindingVerdict
    message: str
    severity: Severity | None = None
    evidence: tuple[EvidenceValue, ...] = ()
    gain: ExpectedGain | None = None


@dataclass(frozen=True)
class Rule:
    """One kind of fault. name: a slug; title: what the fault is called; advice: what to change."""

    name: str
    title: str
    advice: str
    judge: Callable[[KernelEvidence], Judgement]
    cure: StageLink | None = None


def found(
    message: str,
    evidence: tuple[EvidenceValue, ...],
    gain: ExpectedGain | None = None,
    severity: Severity | None = None,
) -> Judgement:
    """A fault. Without a stated severity it is as severe as its gain is large."""
    return Judgement(
        FindingVerdict.FOUND, message, severity or severity_of(gain), evidence=evidence, gain=gain
    )


def clear(message: str, evidence: tuple[EvidenceValue, ...] = ()) -> Judgement:
    """The kernel could have this fault and has not."""
    return Judgement(FindingVerdict.CLEAR, message, evidence=evidence)


def not_applicable(message: str) -> Judgement:
    """The kernel does nothing that the rule judges, or what decides is not known."""
    return Judgement(FindingVerdict.NOT_APPLICABLE, message)


def severity_of(gain: ExpectedGain | None) -> Severity:
    """By the largest speed-up that a cure may bring: half as fast again, a fifth, less."""
    if gain is None or gain.speed_up < MEDIUM_GAIN:
        return Severity.LOW
    return Severity.HIGH if gain.speed_up >= HIGH_GAIN else Severity.MEDIUM


def seen(evidence: KernelEvidence, *counters: Counter) -> tuple[EvidenceValue, ...]:
    """The counters that a judgement rests on, those that were collected."""
    shown = []
    for counter in counters:
        value = evidence.counters.values.get(counter)
        if value is not None:
            source = value.formula or ", ".join(value.metrics)
            shown.append(EvidenceValue(counter, value.value, value.unit, value.provenance, source))
    return tuple(shown)
