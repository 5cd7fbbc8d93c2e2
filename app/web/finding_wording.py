"""Findings, bottlenecks, promises and checklists in words and badges."""

from __future__ import annotations

from collections.abc import Mapping

from app.analysis.attribution import Outcome, PromiseOutcome
from app.analysis.bottleneck import Bottleneck, agrees
from app.domain.checklist import CheckVerdict
from app.domain.finding import EvidenceValue, ExpectedGain, Finding, FindingVerdict, GainScope, Severity
from app.services.ladder_rows import LadderRow
from app.services.launch_view import LaunchView, Stall
from app.web import formatting
from app.web.counter_wording import stall_title
from app.web.wording import Badge

SEVERITY_LOOK: Mapping[Severity, Badge] = {
    Severity.HIGH: Badge("bad", "warn", "high"),
    Severity.MEDIUM: Badge("warn", "warn", "medium"),
    Severity.LOW: Badge("", "info", "low"),
    Severity.INFORMATION: Badge("", "info", "for information"),
}
CHECK_BADGE: Mapping[CheckVerdict, Badge] = {
    CheckVerdict.PASS: Badge("good", "check", "pass"),
    CheckVerdict.FAIL: Badge("bad", "cross", "fail"),
    CheckVerdict.NOT_APPLICABLE: Badge("", "ring", "not applicable"),
}
OUTCOME_BADGE: Mapping[Outcome, Badge] = {
    Outcome.KEPT: Badge("good", "check", "as promised"),
    Outcome.OTHER_FACTOR: Badge("warn", "same", "by another factor"),
    Outcome.BROKEN: Badge("bad", "cross", "not so"),
    Outcome.NOT_COLLECTED: Badge("open", "ring", "not collected"),
}
GAIN_SCOPE: Mapping[GainScope, str] = {GainScope.KERNEL: "of the kernel", GainScope.UNIT: "of this unit"}


def severity_look(severity: Severity | None) -> Badge:
    """How a finding looks by how much it matters."""
    return SEVERITY_LOOK[severity or Severity.INFORMATION]


def gain_words(gain: ExpectedGain) -> str:
    """ "at most 1.94× of the kernel"."""
    return f"at most {formatting.times(gain.speed_up)} {GAIN_SCOPE[gain.scope]}"


def bottleneck_words(found: Bottleneck) -> str:
    """ "shared memory, 91 %", or what warps wait for."""
    share = formatting.percent_whole(found.fraction)
    if found.stall is None:
        return f"{found.resource.value}, {share}"
    return f"{found.resource.value}: {stall_title(Stall(found.stall, 0.0))}"


def bottleneck_verdict(claimed: str, found: Bottleneck) -> Badge:
    """Whether a claimed bottleneck is the one that was counted."""
    same = agrees(claimed, found)
    if same is None:
        return Badge("open", "question", "names no unit")
    return Badge("good", "check", "holds") if same else Badge("bad", "cross", bottleneck_words(found))


def claim_agreement(row: LadderRow, found: Bottleneck) -> str:
    """In a word, beside what was counted."""
    claimed = row.claimed_bottleneck
    same = agrees(str(claimed.value), found) if claimed else None
    return {True: "as claimed", False: "claimed otherwise", None: "claim names no unit"}[same]


def check_badge(verdict: CheckVerdict) -> Badge:
    """How an item of a checklist ended."""
    return CHECK_BADGE[verdict]


def outcome_badge(outcome: PromiseOutcome) -> Badge:
    """What became of a promise."""
    return OUTCOME_BADGE[outcome.outcome]


def outcome_words(outcome: PromiseOutcome) -> str:
    """Before and after, or why there is nothing to compare."""
    if outcome.outcome is Outcome.NOT_COLLECTED:
        return outcome.reason
    change = f", {formatting.factor(outcome.factor)}" if outcome.factor is not None else ""
    return f"{formatting.count(outcome.before)} → {formatting.count(outcome.after)}{change}"


def evidence_name(value: EvidenceValue) -> str:
    """The counter in words."""
    words = str(value.name).replace("_", " ").removesuffix(" fraction").removesuffix(" hz").removesuffix(" s")
    for short in ("dram", "sm ", "fma", "mio", "lsu", "l1", "l2", "fp32", "fp16", "tf32"):
        words = words.replace(short, short.upper())
    return words


def lead_finding(view: LaunchView) -> Finding | None:
    """The fault to begin with, None where no rule found any."""
    found = view.ended(FindingVerdict.FOUND)
    return next((one for one in found if one.severity is not Severity.INFORMATION), next(iter(found), None))


FINDING_WORDS = (
    severity_look,
    gain_words,
    bottleneck_words,
    bottleneck_verdict,
    claim_agreement,
    check_badge,
    outcome_badge,
    outcome_words,
    evidence_name,
    lead_finding,
)
