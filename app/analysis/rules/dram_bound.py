"""DRAM delivers what it can."""

from __future__ import annotations

from app.analysis.gain import BANDWIDTH_ROOFS, dram_fraction
from app.analysis.rule import Judgement, Rule, clear, found, seen
from app.domain.finding import EvidenceValue, Severity, StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

# Of the measured copy roof a kernel at the roof reaches nine tenths. Of the pins' peak no kernel reaches all:
# refresh and turning from reads to writes take 10 to 15 %, so eight tenths of it are the same place.
OF_MEASURED, OF_PEAK = 0.9, 0.8


def _judge(evidence: KernelEvidence) -> Judgement:
    roof = next((evidence.roofs[name] for name in BANDWIDTH_ROOFS if name in evidence.roofs), None)
    fraction = dram_fraction(evidence)
    if fraction is None:
        fraction = evidence.counters.need(Counter.DRAM_THROUGHPUT_FRACTION)
    shown = seen(
        evidence, Counter.DRAM_BYTES_PER_S, Counter.DRAM_THROUGHPUT_FRACTION, Counter.DRAM_PEAK_BYTES_PER_S
    )
    if roof is not None:
        shown += (EvidenceValue("dram_roof", roof.value, "byte/s", roof.source, roof.name),)
    of = "the measured roof" if roof is not None else "the peak"
    if fraction < (OF_MEASURED if roof is not None else OF_PEAK):
        return clear(f"DRAM delivers {fraction:.0%} of {of}.", shown)
    return found(
        f"DRAM delivers {fraction:.0%} of {of}: the kernel is bound by it.",
        shown,
        severity=Severity.INFORMATION,
    )


RULE = Rule(
    "dram_bound",
    "Bound by DRAM, at its roof",
    "Only fewer bytes help: fuse kernels, use narrower types, keep data in registers or shared memory.",
    _judge,
    StageLink("copy", "float4"),
)
