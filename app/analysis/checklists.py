"""The lectures' two checklists, run on the evidence of any kernel: pass, fail or not applicable."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.analysis.diagnosis import diagnose, rules
from app.analysis.gain import BANDWIDTH_ROOFS, stall_share
from app.analysis.rule import seen
from app.analysis.sectors import LOADS, STORES, sector_use
from app.domain.ceiling_names import COMPUTE_CEILINGS
from app.domain.checklist import ChecklistResult, CheckResult, CheckVerdict
from app.domain.errors import NotCollectedError
from app.domain.finding import EvidenceValue, FindingVerdict
from app.domain.kernel_evidence import Counter, KernelEvidence
from app.domain.vocabulary import Dtype

C = Counter
Outcome = tuple[CheckVerdict, str, tuple[EvidenceValue, ...]]
USUAL_BLOCKS, SMALLEST_BLOCK, WARP = (128, 256), 64, 32
WHOLE_SECTOR_BYTES = 31.0  # of 32: a ragged edge costs less than one
WIDE_REQUEST_BYTES = 400.0  # a whole warp's 16-byte loads are 512; a mix with few scalar ones stays above
FEW_MULTIPLY_ADDS = 2.0  # for each word from shared memory: 1×1 results a thread have 0.5, 8×8 have 4
WAITING = 0.2  # a fifth of a warp's time: what is left to hide is less than a tile's arithmetic
MANY_REGISTERS, TENSOR_MULTIPLE = 128, 16
_OF_FINDING = {
    FindingVerdict.FOUND: CheckVerdict.FAIL,
    FindingVerdict.CLEAR: CheckVerdict.PASS,
    FindingVerdict.NOT_APPLICABLE: CheckVerdict.NOT_APPLICABLE,
    FindingVerdict.ERROR: CheckVerdict.NOT_APPLICABLE,
}


@dataclass(frozen=True)
class _Item:
    name: str
    text: str
    check: Callable[[KernelEvidence], Outcome]


def run_checklists(evidence: KernelEvidence) -> tuple[ChecklistResult, ...]:
    """Both checklists; an item whose counters were not collected is not applicable and names them."""
    return tuple(
        ChecklistResult(source, title, tuple(_result(item, evidence) for item in items))
        for source, title, items in CHECKLISTS
    )


def _result(item: _Item, evidence: KernelEvidence) -> CheckResult:
    try:
        verdict, message, shown = item.check(evidence)
    except NotCollectedError as missing:
        verdict, message, shown = CheckVerdict.NOT_APPLICABLE, missing.message, ()
    return CheckResult(item.name, item.text, verdict, message, shown)


def _by_rules(evidence: KernelEvidence, *names: str) -> Outcome:
    """Fails where one of the rules finds its fault, passes where one is clear and none finds any."""
    findings = diagnose(evidence, tuple(rule for rule in rules() if rule.name in names))
    decided = findings[0]  # faults stand first, what does not apply last
    return _OF_FINDING[decided.verdict], decided.message, decided.evidence


def _pass_if(passed: bool, message: str, shown: tuple[EvidenceValue, ...] = ()) -> Outcome:
    return CheckVerdict.PASS if passed else CheckVerdict.FAIL, message, shown


def _does_not_apply(message: str) -> Outcome:
    return CheckVerdict.NOT_APPLICABLE, message, ()


def _bytes_per_sector(evidence: KernelEvidence) -> Outcome:
    used = [(kind, use) for kind in (LOADS, STORES) if (use := sector_use(evidence, kind)) is not None]
    if not used:
        return _does_not_apply("The kernel has no global accesses.")
    shown = seen(evidence, *(kind.useful for kind, _ in used), *(kind.per_request for kind, _ in used))
    worst = min(evidence.counters.need(kind.useful) for kind, _ in used)
    if worst < WHOLE_SECTOR_BYTES and not any(use.is_scattered or use.is_misaligned for _, use in used):
        return _pass_if(True, f"{worst:.1f} of 32 bytes a sector, since lanes share words.", shown)
    return _pass_if(worst >= WHOLE_SECTOR_BYTES, f"{worst:.1f} of 32 bytes a sector are used.", shown)


def _block_size(evidence: KernelEvidence) -> Outcome:
    threads = evidence.block_threads
    if threads is None:
        evidence.counters.need(C.BLOCK_THREADS)
        return _does_not_apply("The size of a block is not known.")
    shown = seen(evidence, C.BLOCK_THREADS)
    if threads in USUAL_BLOCKS:
        return _pass_if(True, f"{threads:.0f} threads a block.", shown)
    whole = threads >= SMALLEST_BLOCK and threads % WARP == 0
    return _pass_if(whole, f"{threads:.0f} threads a block, neither 128 nor 256.", shown)


def _roofline(evidence: KernelEvidence) -> Outcome:
    if evidence.model is None:
        return _does_not_apply("Work and least traffic are not known: the kernel belongs to no stage.")
    names = (*BANDWIDTH_ROOFS, *COMPUTE_CEILINGS.get(evidence.arithmetic, ())) if evidence.arithmetic else ()
    roofs = [evidence.roofs[name] for name in names if name in evidence.roofs]
    rates = {
        "byte": next((roof for roof in roofs if roof.name in BANDWIDTH_ROOFS), None),
        "flop": next((roof for roof in roofs if roof.name not in BANDWIDTH_ROOFS), None),
    }
    if rates["byte"] is None or rates["flop"] is None:
        return _does_not_apply("The roofs of this device have not been measured.")
    ridge = rates["flop"].value / rates["byte"].value
    intensity = evidence.model.flop / evidence.model.least_dram_bytes
    bound = "arithmetic" if intensity >= ridge else "DRAM"
    message = f"{intensity:.1f} FLOP a byte, balance at {ridge:.1f}: {bound} is the roof."
    shown = tuple(
        EvidenceValue(roof.name, roof.value, f"{unit}/s", roof.source) for unit, roof in rates.items() if roof
    )
    return _pass_if(True, message, shown)


def _three_levels(evidence: KernelEvidence) -> Outcome:
    counters = evidence.counters
    if counters.get(C.TENSOR_FLOP):
        return _pass_if(True, "Fragments in registers feed the tensor pipe.", seen(evidence, C.TENSOR_FLOP))
    multiply_adds, loads = counters.need(C.FFMA_THREADS), counters.need(C.SHARED_LOAD_WAVEFRONTS)
    shown = seen(evidence, C.FFMA_THREADS, C.SHARED_LOAD_WAVEFRONTS)
    if not multiply_adds:
        return _does_not_apply("The kernel does no multiply-adds.")
    if not loads:
        return _pass_if(False, "Nothing is kept in shared memory: there is no block tile.", shown)
    per_word = multiply_adds / (loads * WARP)
    message = f"{per_word:.1f} multiply-adds for each word's place in a wavefront from shared memory."
    return _pass_if(per_word >= FEW_MULTIPLY_ADDS, message, shown)


def _wide_loads(evidence: KernelEvidence) -> Outcome:
    counters = evidence.counters
    if counters.get(C.BULK_COPY_INSTRUCTIONS):
        return _pass_if(True, "The copy engine moves tiles.", seen(evidence, C.BULK_COPY_INSTRUCTIONS))
    use = sector_use(evidence, LOADS)
    if use is None:
        return _does_not_apply("The kernel has no global loads.")
    request = use.per_request * counters.need(C.GLOBAL_LOAD_BYTES_PER_SECTOR)
    shown = seen(evidence, C.GLOBAL_LOAD_SECTORS_PER_REQUEST, C.GLOBAL_LOAD_BYTES_PER_SECTOR)
    return _pass_if(
        request >= WIDE_REQUEST_BYTES, f"{request:.0f} bytes a request; 512 are 128 bits a lane.", shown
    )


def _double_buffer(evidence: KernelEvidence) -> Outcome:
    if not evidence.counters.need(C.SHARED_STORE_REQUESTS) and not _copies_to_shared(evidence):
        return _does_not_apply("The kernel fills no tile in shared memory.")
    waiting = stall_share(evidence, C.STALL_LONG_SCOREBOARD) + stall_share(evidence, C.STALL_BARRIER)
    shown = seen(evidence, C.STALL_LONG_SCOREBOARD, C.STALL_BARRIER, C.ASYNC_COPY_INSTRUCTIONS)
    message = f"{waiting:.0%} of a warp's time goes to waiting for loads and at barriers."
    return _pass_if(waiting <= WAITING, message, shown)


def _copies_to_shared(evidence: KernelEvidence) -> bool:
    copies = (C.ASYNC_COPY_INSTRUCTIONS, C.BULK_COPY_INSTRUCTIONS)
    return any(evidence.counters.get(counter) for counter in copies)


def _registers(evidence: KernelEvidence) -> Outcome:
    report = evidence.compiler
    registers = report.registers if report else evidence.counters.need(C.REGISTERS_PER_THREAD)
    spills, message, shown = _by_rules(evidence, "register_spills")
    few = registers <= MANY_REGISTERS
    return _pass_if(
        few and spills is not CheckVerdict.FAIL,
        f"{registers:.0f} registers a thread. {message}",
        seen(evidence, C.REGISTERS_PER_THREAD) + shown,
    )


def _multiples_of_16(evidence: KernelEvidence) -> Outcome:
    if evidence.dtype not in (Dtype.FLOAT16, Dtype.BFLOAT16) or evidence.size is None:
        return _does_not_apply("The kernel is not known to work on half-precision matrices of a known size.")
    odd = [f"{name} = {value}" for name, value in evidence.size.values if value % TENSOR_MULTIPLE]
    if odd:
        return _pass_if(False, f"No multiple of 16: {', '.join(odd)}.")
    return _by_rules(evidence, "tensor_pipe_idle")


def _rule(*names: str) -> Callable[[KernelEvidence], Outcome]:
    return lambda evidence: _by_rules(evidence, *names)


CHECKLISTS: tuple[tuple[str, str, tuple[_Item, ...]], ...] = (
    (
        "L22 §8",
        "Memory access",
        (
            _Item("aligned", "Pointers aligned to 256 B, slices to 16 or 32 B", _rule("misaligned_access")),
            _Item(
                "innermost",
                "Lanes along the innermost dimension",
                _rule("uncoalesced_loads", "uncoalesced_stores"),
            ),
            _Item("vectors", "Vector loads where the work is elementwise", _rule("scalar_loads")),
            _Item("soa", "Structures of arrays", _rule("uncoalesced_loads")),
            _Item("shared_columns", "Shared-memory columns padded or swizzled", _rule("shared_wavefronts")),
            _Item("bytes_per_sector", "About 32 bytes used of each sector", _bytes_per_sector),
            _Item("conflicts", "Bank conflicts about 0", _rule("shared_wavefronts")),
            _Item("spills", "Spill stores and loads exactly 0", _rule("register_spills")),
            _Item("block_size", "128 or 256 threads a block, never below 64", _block_size),
        ),
    ),
    (
        "L24 §8",
        "Matrix products",
        (
            _Item("roofline", "Roofline before work", _roofline),
            _Item("three_levels", "Tiles of block, warp and thread", _three_levels),
            _Item("wide_loads", "Loads of 128 bits", _wide_loads),
            _Item("conflict_free", "Shared memory free of conflicts", _rule("shared_wavefronts")),
            _Item("double_buffer", "Double buffer, loads issued early", _double_buffer),
            _Item("registers", "At most 128 registers and no spills", _registers),
            _Item("multiples_of_16", "Half precision, dimensions that are multiples of 16", _multiples_of_16),
        ),
    ),
)
