"""One launch of a report: what it did, what it waited for, which bytes it moved, what the tool says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.checklists import run_checklists
from app.analysis.cross_check import CrossCheck, cross_checks
from app.analysis.diagnosis import diagnose
from app.domain.checklist import ChecklistResult
from app.domain.finding import Finding, FindingVerdict
from app.domain.kept_report import KeptLaunch, KeptReport
from app.domain.kernel_evidence import STALLS, Counter, Counters, KernelEvidence
from app.domain.report import LaunchProfile, Metric, RuleType, SourceLine, ToolRule
from app.domain.vocabulary import BackendName, CacheState
from app.kernels import registry
from app.kernels.stage import Stage
from app.services.launch_counters import launch_counters
from app.services.launch_evidence import launch_evidence
from app.services.launch_roofline import LaunchRoofline, launch_roofline
from app.services.launch_traffic import Traffic, traffic_of
from app.storage.store import Store

METRICS_SHOWN = 200
HOT_LINES = 60
RULES_SHOWN = 5
OTHERS_SHOWN = 100
SMALL_STALL = 0.01
_SAMPLES = ("# Samples", "Warp Stall Sampling (All Samples)", "Samples")


@dataclass(frozen=True)
class Stall:
    """Warp cycles per issued instruction spent in one state. reasons: how many are folded into it."""

    counter: Counter | None  # None: the small ones together
    cycles: float
    reasons: int = 1


@dataclass(frozen=True)
class HotLine:
    """A line of the source page with its share of all samples."""

    line: SourceLine
    samples: float
    share: float


@dataclass(frozen=True)
class StageChoice:
    """CUDA stages of one problem, by name."""

    problem: str
    stages: tuple[str, ...]


@dataclass(frozen=True)
class LaunchView:
    """A launch as its page shows it. metrics: those that hold the searched text, at most 200."""

    report: KeptReport
    launch: KeptLaunch
    profile: LaunchProfile
    evidence: KernelEvidence
    findings: tuple[Finding, ...]  # one a rule, faults first
    stage: Stage | None
    run_id: int | None  # the newest run that timed the same cell
    stalls: tuple[Stall, ...]
    traffic: Traffic
    roofline: LaunchRoofline | None
    hot_lines: tuple[HotLine, ...]
    metrics: tuple[Metric, ...]
    found_count: int
    text: str
    choices: tuple[StageChoice, ...]  # to correct the match
    others: tuple[KeptLaunch, ...]  # to compare with

    @property
    def counters(self) -> Counters:
        """By concept."""
        return self.evidence.counters

    def ended(self, verdict: FindingVerdict) -> tuple[Finding, ...]:
        """Findings of one verdict, in order."""
        return tuple(finding for finding in self.findings if finding.verdict == verdict)

    def checklists(self) -> tuple[ChecklistResult, ...]:
        """The lectures' checklists on this launch."""
        return run_checklists(self.evidence)

    def checks(self) -> tuple[CrossCheck, ...]:
        """What two instruments say of one quantity."""
        return cross_checks(self.evidence)

    @property
    def top_rules(self) -> tuple[ToolRule, ...]:
        """Rules that ask for something, those with the largest estimated gain first."""
        asking = [rule for rule in self.profile.rules if rule.type not in (RuleType.OK, RuleType.INFORMATION)]
        ranked = sorted(asking or self.profile.rules, key=lambda rule: -(rule.speedup_percent or 0.0))
        return tuple(ranked[:RULES_SHOWN])

    @property
    def previous(self) -> int | None:
        """Place of the launch before."""
        return self.launch.ordinal - 1 or None

    @property
    def following(self) -> int | None:
        """Place of the launch behind."""
        return self.launch.ordinal + 1 if self.launch.ordinal < self.report.launch_count else None

    @property
    def timed_s(self) -> float | None:
        """Our own median of the same cell, cold caches before warm ones."""
        cold, warm = (self.evidence.timing(state) for state in (CacheState.COLD, CacheState.WARM))
        found = cold or warm
        return found.median_s if found else None


def launch_view(store: Store, report_id: int, ordinal: int, text: str = "") -> LaunchView:
    """Read one launch. Raises NotFoundError."""
    kept = store.launch_profile(report_id, ordinal)
    known = launch_evidence(store, kept)
    evidence = known.evidence
    duration_s = kept.launch.duration_s or evidence.counters.get(Counter.DURATION_S)
    found = _matching(kept.profile, text)
    return LaunchView(
        report=kept.report,
        launch=kept.launch,
        profile=kept.profile,
        evidence=evidence,
        findings=diagnose(evidence),
        stage=known.stage,
        run_id=max(known.run_ids, default=None),
        stalls=stalls_of(evidence.counters),
        traffic=traffic_of(evidence.counters, evidence.model),
        roofline=launch_roofline(evidence.counters, duration_s, evidence.model, known.roofs),
        hot_lines=_hot_lines(kept.profile),
        metrics=tuple(found[:METRICS_SHOWN]),
        found_count=len(found),
        text=text,
        choices=stage_choices(),
        others=_others(store, kept.launch),
    )


def stage_choices() -> tuple[StageChoice, ...]:
    """Every stage that a launch can be one of, ladders first."""
    found = (
        StageChoice(problem, tuple(stage.name for stage in registry.stages(problem, BackendName.CUDA)))
        for problem in registry.problems()
    )
    return tuple(choice for choice in found if choice.stages)


def stalls_of(counters: Counters) -> tuple[Stall, ...]:
    """Longest first; those under 1 % of all are one entry at the end."""
    values = [(counter, counters.get(counter)) for counter in STALLS]
    known = sorted(((v, c) for c, v in values if v), reverse=True)
    total = sum(value for value, _ in known)
    large = [Stall(counter, value) for value, counter in known if value >= SMALL_STALL * total]
    small = [value for value, _ in known if value < SMALL_STALL * total]
    return (*large, *([Stall(None, sum(small), len(small))] if small else []))


def stalls_of_launch(store: Store, launch_id: int) -> tuple[Stall, ...]:
    """Stalls of a launch by its id. Raises NotFoundError."""
    launch = store.launch(launch_id)
    kept = store.launch_profile(launch.report_id, launch.ordinal)
    return stalls_of(launch_counters(store, launch_id, kept.profile))


def _others(store: Store, launch: KeptLaunch) -> tuple[KeptLaunch, ...]:
    """Launches of the same problem, then those of the same report."""
    match = launch.match
    same = store.stage_launches(match.problem, limit=OTHERS_SHOWN) if match.problem else []
    near = store.launches(launch.report_id, limit=OTHERS_SHOWN)
    found = {one.id: one for one in (*same, *near) if one.id != launch.id}
    return tuple(found.values())[:OTHERS_SHOWN]


def _matching(profile: LaunchProfile, text: str) -> Sequence[Metric]:
    wanted = text.strip().lower()
    return [
        metric
        for metric in profile.metrics
        if wanted in f"{metric.name} {metric.section or ''} {metric.label or ''}".lower()
    ]


def _hot_lines(profile: LaunchProfile) -> tuple[HotLine, ...]:
    """Lines with most samples first; without samples, in the order of the source page."""
    source = profile.source
    if source is None:
        return ()
    total = source.total_samples or 1
    lines = [HotLine(line, samples, samples / total) for line in source.lines if (samples := _samples(line))]
    return tuple(sorted(lines, key=lambda one: -one.samples)[:HOT_LINES])


def _samples(line: SourceLine) -> float:
    return next((line.values[name] for name in _SAMPLES if name in line.values), 0.0)
