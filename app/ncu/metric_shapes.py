"""How the table of metric names is written: shapes that names of one kind share.

Base units of a report are ns, byte, byte/s, hz and %.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import mul, truediv

from app.domain.kernel_evidence import Counter
from app.ncu.metric_source import Derived, MetricSource, Named

SECTOR_BYTES = 32
NS, PERCENT = 1e-9, 0.01
SPEED_OF_LIGHT = "GPU Speed Of Light Throughput"
SPEED_OF_LIGHT_2019 = "GPU Speed Of Light"  # nv-nsight-cu-cli


@dataclass(frozen=True)
class Concept:
    """A counter's unit and where it comes from."""

    unit: str
    sources: tuple[MetricSource, ...]


def concept(unit: str, *sources: MetricSource | str) -> Concept:
    """A counter with its sources; a bare name is that metric in base units."""
    return Concept(unit, tuple(Named((s,)) if isinstance(s, str) else s for s in sources))


def percent(*names: str | Named) -> Concept:
    """Fractions 0 to 1 of what the tool prints in %."""
    sources = tuple(Named((name,), PERCENT) if isinstance(name, str) else name for name in names)
    return Concept("fraction", sources)


def label(name: str, section: str, scale: float = 1.0) -> Named:
    """A label of the details page that means something else in other sections."""
    return Named((name,), scale, section=section)


def sectors(*names: str) -> Named:
    """Bytes of sectors, summed over these metrics."""
    formula = " + ".join(names) + f", × {SECTOR_BYTES} B"
    return Named(names, SECTOR_BYTES, lambda *parts: sum(parts), formula)


def total(*names: str, since: tuple[int, int] = (0, 0)) -> Named:
    """The sum of these metrics."""
    return Named(names, 1.0, lambda *parts: sum(parts), " + ".join(names), since=since)


def sum_of(*of: Counter) -> Derived:
    """The sum of these counters."""
    return Derived(of, lambda *parts: sum(parts), " + ".join(of))


def throughput(unit: str, *labels: str) -> Concept:
    """Share of a peak: raw metric, label of the details page, label of the tool of 2019."""
    raw = f"{unit}.avg.pct_of_peak_sustained_elapsed"
    in_sections = [Named((raw,), PERCENT), label(labels[0], SPEED_OF_LIGHT, PERCENT)]
    in_sections += [label(name, SPEED_OF_LIGHT_2019, PERCENT) for name in labels[1:]]
    return percent(*in_sections)


def thread_instructions(op: str) -> Concept:
    """Thread instructions with the predicate on. smsp and sm count the same: never add both."""
    name = f"thread_inst_executed_op_{op}_pred_on.sum"
    rate, cycles = f"smsp__sass_{name}.per_cycle_elapsed", "smsp__cycles_elapsed.avg"
    label = f"Predicated-On {op.upper()} Thread Instructions Executed Per Cycle"
    return concept(
        "inst",
        f"smsp__sass_{name}",
        f"sm__sass_{name}",
        Named((rate, cycles), 1.0, mul, f"{rate} × {cycles}"),
        Named((label, "Elapsed Cycles"), 1.0, mul, f"{label} × Elapsed Cycles"),
    )


def pipe(pipe: str, *others: str) -> Concept:
    """Share of cycles in which a pipe was busy; what counts instructions instead comes last."""
    suffix = "avg.pct_of_peak_sustained_active"
    names = [f"sm__pipe_{pipe}_cycles_active.{suffix}", *others]
    return percent(*names, f"sm__inst_executed_pipe_{pipe}.{suffix}")


def stall(reason: str, sampled: str | None = None) -> Concept:
    """Warps in that state an issue; cycles an instruction are the same number.

    The sampler sees each warp in one state, and one warp is `selected` in each cycle with an issue: so
    samples of a state over samples of `selected` are warps an issue, too.
    """
    state = f"smsp__pcsamp_warps_issue_stalled_{sampled or reason}"
    selected = "smsp__pcsamp_warps_issue_stalled_selected"
    share = f"smsp__warp_issue_stalled_{reason}_per_warp_active.pct"
    return concept(
        "warp/issue",
        f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio",
        f"smsp__average_warp_latency_issue_stalled_{reason}.ratio",
        Named((state, selected), 1.0, truediv, f"{state} / {selected}"),
        of_latency(share, "smsp__average_warp_latency_per_inst_issued.ratio"),
        of_latency(share, "Warp Cycles Per Issued Instruction"),
    )


def of_latency(share: str, latency: str) -> Named:
    """Warps an issue from a share of all warps and the warps that are active an issue."""
    return Named((share, latency), PERCENT, mul, f"{share} × {latency}")


def instructions(kind: str, *others: str) -> Concept:
    """Warp instructions of one kind, by either spelling."""
    return concept(
        "inst", f"smsp__sass_inst_executed_op_{kind}.sum", f"smsp__inst_executed_op_{kind}.sum", *others
    )


def flop(fma: Counter, adds: Counter, muls: Counter, packed: int = 1) -> Concept:
    """A fused multiply-add is two operations; a half-precision instruction works on two halves."""
    formula = f"{packed} × (2 × {fma} + {adds} + {muls})"
    return concept("flop", Derived((fma, adds, muls), lambda f, a, m: packed * (2 * f + a + m), formula))
