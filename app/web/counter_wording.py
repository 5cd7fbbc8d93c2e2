"""Counters in plain words: what warps wait for, how a launch came to its stage."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from app.domain.kept_report import MatchHow, ReportOrigin, StageMatch
from app.domain.kernel_evidence import Counter
from app.domain.report import ReportFormat, RuleType
from app.kernels import registry
from app.kernels.experiment import experiments
from app.kernels.pair import pairs
from app.services.launch_view import HotLine, LaunchView, Stall
from app.web import formatting
from app.web.wording import LEVEL, Badge

STALL_MEANING: Mapping[Counter, str] = {
    Counter.STALL_LONG_SCOREBOARD: "waits for L1, L2, DRAM",
    Counter.STALL_SHORT_SCOREBOARD: "waits for shared memory",
    Counter.STALL_MIO_THROTTLE: "shared-memory queue full",
    Counter.STALL_LG_THROTTLE: "global-memory queue full",
    Counter.STALL_TEX_THROTTLE: "texture queue full",
    Counter.STALL_MATH_PIPE_THROTTLE: "arithmetic pipe busy",
    Counter.STALL_BARRIER: "waits at __syncthreads",
    Counter.STALL_MEMBAR: "waits for a memory fence",
    Counter.STALL_WAIT: "fixed latency",
    Counter.STALL_BRANCH_RESOLVING: "waits for a branch",
    Counter.STALL_DISPATCH: "dispatcher held back",
    Counter.STALL_DRAIN: "stores drain at the end",
    Counter.STALL_IMC_MISS: "constant cache missed",
    Counter.STALL_NO_INSTRUCTION: "instruction cache missed",
    Counter.STALL_SLEEPING: "sleeps",
    Counter.STALL_GMMA: "waits for a warpgroup product",
    Counter.STALL_WARPGROUP_ARRIVE: "waits for its warpgroup",
    Counter.STALL_MISC: "other",
    Counter.STALL_NOT_SELECTED: "ready, another warp went",
    Counter.STALL_SELECTED: "issued: the useful cycle",
}
MATCH_BADGE: Mapping[MatchHow, tuple[str, str]] = {
    MatchHow.EXACT: ("good", "check"),
    MatchHow.AUTOMATIC: ("", "fx"),
    MatchHow.CORRECTED: ("run", "check"),
}
RULE_BADGE: Mapping[RuleType, Badge] = {
    RuleType.OPTIMISATION: Badge("run", "up", "optimisation"),
    RuleType.INFORMATION: Badge("", "info", "information"),
    RuleType.WARNING: Badge("warn", "warn", "warning"),
    RuleType.ERROR: Badge("bad", "cross", "error"),
    RuleType.OK: Badge("good", "check", "ok"),
}
FORMAT_TITLE: Mapping[ReportFormat, str] = {
    ReportFormat.DETAILS: "CSV, page details",
    ReportFormat.RAW: "CSV, page raw",
    ReportFormat.SUMMARY: "CSV, summary over launches",
    ReportFormat.SOURCE: "CSV, page source",
    ReportFormat.SESSION: "CSV, page session",
    ReportFormat.REP: "report file (.ncu-rep)",
    ReportFormat.NONE: "not readable",
}
ORIGIN_TITLE: Mapping[ReportOrigin, str] = {
    ReportOrigin.UPLOAD: "imported",
    ReportOrigin.FOLDER: "found at start",
    ReportOrigin.CAPTURE: "captured here",
}


BUSY = 0.6
MORE_THAN_LEAST = 1.05
_NO_STALLS = (Counter.STALL_SELECTED, Counter.STALL_NOT_SELECTED)
_UNITS: Mapping[Counter, str] = {
    Counter.DRAM_THROUGHPUT_FRACTION: "DRAM",
    Counter.L2_THROUGHPUT_FRACTION: "the L2 cache",
    Counter.L1_THROUGHPUT_FRACTION: "the L1 and shared memory unit",
    Counter.SM_THROUGHPUT_FRACTION: "the multiprocessor",
}


def stall_title(stall: Stall) -> str:
    """ "long scoreboard", or "other" for the small ones together."""
    if stall.counter is None:
        return "other"
    words = stall.counter.value.removeprefix("stall_").replace("_", " ")
    return words.replace("mio", "MIO").replace("lg ", "LG ").replace("imc", "IMC")


def stall_meaning(stall: Stall) -> str:
    """What the warp waits for."""
    if stall.counter is None:
        return f"{stall.reasons} reason{'s' if stall.reasons > 1 else ''} under 1 %"
    return STALL_MEANING[stall.counter]


def match_badge(match: StageMatch) -> Badge:
    """The confidence of a match, and who is sure."""
    if match.stage is None:
        corrected = match.how is MatchHow.CORRECTED
        return Badge("open", "ring", "no stage, by hand" if corrected else "no stage")
    tone, icon = MATCH_BADGE[match.how]
    words = {
        MatchHow.EXACT: "captured here",
        MatchHow.AUTOMATIC: f"{formatting.percent_whole(match.confidence)} sure",
        MatchHow.CORRECTED: "by hand",
    }
    return Badge(tone, icon, words[match.how])


def match_reasons(match: StageMatch) -> str:
    """What speaks for it, in one line."""
    return " ".join(match.reasons)


def rule_badge(kind: RuleType) -> Badge:
    """How the tool grades a rule."""
    return RULE_BADGE[kind]


def format_title(kind: ReportFormat) -> str:
    """Which of the tool's outputs a file is."""
    return FORMAT_TITLE[kind]


def origin_title(origin: ReportOrigin) -> str:
    """Which way a report came in."""
    return ORIGIN_TITLE[origin]


def launch_sentence(view: LaunchView) -> str:
    """What was busiest and what warps waited for, as far as it was counted."""
    get = view.counters.get
    busy = [(value, title) for counter, title in _UNITS.items() if (value := get(counter)) is not None]
    parts = []
    if busy:
        value, title = max(busy)
        verdict = "busiest" if value >= BUSY else "busiest, and none is near its limit"
        parts.append(
            f"Of the units that were counted, {title} is {verdict}: {formatting.percent(value)} of its peak."
        )
    waits = [s for s in view.stalls if s.counter not in _NO_STALLS and s.counter is not None]
    if waits:
        parts.append(
            f"Warps mostly wait on {stall_title(waits[0])}, {formatting.significant(waits[0].cycles)} cycles "
            f"per issued instruction: {stall_meaning(waits[0])}."
        )
    if view.traffic.over_least and view.traffic.over_least > MORE_THAN_LEAST:
        parts.append(f"DRAM moves {formatting.factor(view.traffic.over_least)} of the least possible.")
    return " ".join(parts) or "This file has too few counters to say what limits the kernel."


def stalls_sentence(view: LaunchView) -> str:
    """The longest stalls, for people who do not see the chart."""
    said = ", ".join(f"{stall_title(s)} {formatting.significant(s.cycles)}" for s in view.stalls[:4])
    return f"Warp cycles per issued instruction: {said}"


def memory_sentence(view: LaunchView) -> str:
    """Bytes on each link, for people who do not see the chart."""
    said = [
        f"{flow.title} at {level.name} {formatting.bytes_moved(flow.bytes_moved)}"
        for level in view.traffic.levels
        for flow in level.flows
        if flow.bytes_moved is not None
    ]
    return "Memory chart: " + "; ".join(said)


def launch_roofline_sentence(view: LaunchView) -> str:
    """Rate and intensities, for people who do not see the chart."""
    if view.roofline is None:
        return "No roofline."
    said = ", ".join(
        f"{LEVEL[p.level]} {formatting.significant(p.intensity)} FLOP/B" for p in view.roofline.points
    )
    return f"Roofline: {formatting.rate(view.roofline.flop_per_s)} at {said}"


def problem_place(problem: str) -> str:
    """Address of the page that shows a problem's stages."""
    known = registry.problems().get(problem)
    shown_in = next((e.name for e in experiments().values() if e.problem == problem), None)
    if known is None or known.is_ladder:
        return f"/ladders/{quote(problem, safe='')}"
    if shown_in is not None:
        return f"/lab/{quote(shown_in, safe='')}"
    return f"/pairs#{quote(problem, safe='')}" if problem in pairs() else "/ceilings"


def worst_stall(hot: HotLine) -> str:
    """The reason with most samples on a line."""
    reasons = {
        name.removeprefix("stall_").replace("_", " "): value
        for name, value in hot.line.values.items()
        if name.startswith("stall_") and not name.endswith("not_issued") and value
    }
    return max(reasons, key=lambda name: reasons[name]) if reasons else "–"


COUNTER_WORDS = (
    launch_sentence,
    stalls_sentence,
    memory_sentence,
    launch_roofline_sentence,
    problem_place,
    worst_stall,
    stall_title,
    stall_meaning,
    match_badge,
    match_reasons,
    rule_badge,
    format_title,
    origin_title,
)
