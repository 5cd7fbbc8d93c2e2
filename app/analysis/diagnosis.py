"""Runs every rule on the evidence of one kernel."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import app.analysis.rules
from app.analysis.rule import Judgement, Rule, not_applicable
from app.domain.errors import NotCollectedError
from app.domain.finding import Finding, FindingVerdict, GainScope
from app.domain.kernel_evidence import KernelEvidence

_ORDER = (
    FindingVerdict.FOUND,
    FindingVerdict.ERROR,
    FindingVerdict.CLEAR,
    FindingVerdict.NOT_APPLICABLE,
)


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule of the folder, in name order. Raises ValueError where two bear one name."""
    found: list[Rule] = []
    for module in pkgutil.iter_modules(app.analysis.rules.__path__):
        declared = importlib.import_module(f"{app.analysis.rules.__name__}.{module.name}")
        alone = getattr(declared, "RULE", None)
        found.extend([alone] if isinstance(alone, Rule) else declared.RULES)
    if len({rule.name for rule in found}) < len(found):
        raise ValueError(f"Two rules bear one name: {sorted(rule.name for rule in found)}.")
    return tuple(sorted(found, key=lambda rule: rule.name))


def diagnose(evidence: KernelEvidence, among: tuple[Rule, ...] | None = None) -> tuple[Finding, ...]:
    """One finding a rule: faults first, the largest expected gain of the kernel before that of a unit.

    A counter that was not collected makes a rule not applicable; a rule that fails is a finding of its own.
    """
    findings = [_finding(rule, _judge(rule, evidence)) for rule in (rules() if among is None else among)]
    return tuple(sorted(findings, key=_rank))


def _judge(rule: Rule, evidence: KernelEvidence) -> Judgement:
    try:
        return rule.judge(evidence)
    except NotCollectedError as missing:
        return not_applicable(missing.message)
    except Exception as fault:  # a rule that fails says so and the others go on
        return Judgement(FindingVerdict.ERROR, f"The rule failed: {type(fault).__name__}: {fault}.")


def _finding(rule: Rule, judged: Judgement) -> Finding:
    is_fault = judged.verdict is FindingVerdict.FOUND
    return Finding(
        rule.name,
        rule.title,
        judged.verdict,
        judged.message,
        rule.advice if is_fault else "",
        judged.severity,
        judged.evidence,
        judged.gain,
        rule.cure if is_fault else None,
    )


def _rank(finding: Finding) -> tuple[int, bool, float, str]:
    gain = finding.gain
    of_unit = gain is None or gain.scope is GainScope.UNIT
    return (_ORDER.index(finding.verdict), of_unit, -(gain.speed_up if gain else 1.0), finding.rule)
