"""How many waves of blocks a launch takes: as counted, else from what the compiler and the launch say."""

from __future__ import annotations

from app.analysis.occupancy import limits_of_architecture, occupancy
from app.domain.kernel_evidence import Counter, KernelEvidence


def multiprocessors(evidence: KernelEvidence) -> float:
    """Multiprocessors of the device. Raises NotCollectedError where neither device nor counters say."""
    known = evidence.device.multiprocessor_count if evidence.device else None
    return known or evidence.counters.need(Counter.MULTIPROCESSORS)


def waves(evidence: KernelEvidence) -> float:
    """Blocks over the blocks that the device holds at once. Raises NotCollectedError where nothing says."""
    counted = evidence.counters.get(Counter.WAVES_PER_MULTIPROCESSOR)
    if counted is not None:
        return counted
    resident = _resident_blocks(evidence)
    if resident is None or evidence.blocks is None:
        return evidence.counters.need(Counter.WAVES_PER_MULTIPROCESSOR)
    return evidence.blocks / (multiprocessors(evidence) * resident)


def _resident_blocks(evidence: KernelEvidence) -> int | None:
    """Blocks that one SM holds by registers, shared memory and threads; None without a compiler report."""
    report, threads = evidence.compiler, evidence.block_threads
    limits = limits_of_architecture(report.architecture) if report else None
    if report is None or limits is None or threads is None:
        return None
    dynamic = max((timing.recipe.dynamic_shared_bytes for timing in evidence.timings), default=0)
    shared = report.static_shared_bytes + dynamic
    return occupancy(limits, int(threads), report.registers, shared).blocks or None
