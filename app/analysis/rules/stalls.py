"""The plain stall reasons as a table: what a warp waits for, and what ends the waiting.

A reason counts where its cure may bring a tenth or more: the share of a warp's time that it takes, bounded
by free issue slots and by the units that stay as busy as they are. `selected` is no stall; `not_selected`
has a rule of its own, since a warp that could issue waits for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from app.analysis.gain import L1, SM, stall_share, without_stall
from app.analysis.rule import Judgement, Rule, clear, found, seen
from app.domain.finding import StageLink
from app.domain.kernel_evidence import Counter, KernelEvidence

LEAST_GAIN = 1.1
C = Counter


@dataclass(frozen=True)
class _Reason:
    """relieved: units whose queue the stall is, so that its cure takes work from them."""

    stall: Counter
    title: str
    waits_for: str
    advice: str
    cure: StageLink | None = None
    relieved: tuple[Counter, ...] = ()


_REASONS = (
    _Reason(
        C.STALL_LONG_SCOREBOARD,
        "Waiting for global or local memory",
        "data from L1, L2 or DRAM",
        "Load earlier and more at once (wider loads, unrolling, cp.async), or raise the number of warps.",
        StageLink("matmul", "double_buffer"),
    ),
    _Reason(
        C.STALL_SHORT_SCOREBOARD,
        "Waiting for shared memory or special functions",
        "results of shared memory, special functions or other variable-latency pipes",
        "Keep operands in registers, read shared memory earlier and wider, remove bank conflicts.",
        StageLink("matmul", "register_tile"),
        (L1, SM),
    ),
    _Reason(
        C.STALL_MIO_THROTTLE,
        "Queue of shared memory full",
        "a place in the queue of shared-memory and special-function instructions",
        "Use fewer, wider shared-memory accesses and more arithmetic for each: a register tile.",
        StageLink("matmul", "register_tile"),
        (L1, SM),
    ),
    _Reason(
        C.STALL_LG_THROTTLE,
        "Queue of global loads full",
        "a place in the queue of local and global memory instructions",
        "Use fewer, wider global accesses; keep what is used again in shared memory or registers.",
        StageLink("matmul", "block_tile"),
        (L1, SM),
    ),
    _Reason(
        C.STALL_TEX_THROTTLE,
        "Queue of the texture unit full",
        "a place in the queue of texture instructions",
        "Fetch less through textures and surfaces, or mix them with other work.",
        None,
        (L1, SM),
    ),
    _Reason(
        C.STALL_MATH_PIPE_THROTTLE,
        "Arithmetic pipe busy",
        "the arithmetic pipe that its next instruction needs",
        "Mix instructions of several pipes, or move the work to the tensor pipe.",
        StageLink("tensor_pipe", "mma_pipe"),
        (SM,),
    ),
    _Reason(
        C.STALL_BARRIER,
        "Waiting at barriers",
        "the other warps of its block at __syncthreads()",
        "Make blocks smaller, even out the work between barriers, or load the next tile while one is used.",
        StageLink("matmul", "double_buffer"),
    ),
    _Reason(
        C.STALL_MEMBAR,
        "Waiting at memory fences",
        "its writes to be visible, at __threadfence() or a system fence",
        "Use fewer fences and the narrowest scope that is right.",
    ),
    _Reason(
        C.STALL_WAIT,
        "Waiting for fixed-latency results",
        "the result of an arithmetic instruction of fixed latency; not a barrier",
        "Give each thread independent work between dependent instructions (unroll, several accumulators).",
        StageLink("matmul", "register_tile_1d"),
    ),
    _Reason(
        C.STALL_BRANCH_RESOLVING,
        "Waiting for branch targets",
        "the target of a branch to be computed",
        "Unroll short loops and replace short branches by predicated or selected values.",
        StageLink("local_array", "unrolled"),
    ),
    _Reason(
        C.STALL_DISPATCH,
        "Dispatch held back",
        "the dispatcher, which holds an instruction back for conflicts of register banks or pipes",
        "Look at register-bank conflicts and at runs of instructions for one pipe.",
        StageLink("matmul", "register_banks"),
    ),
    _Reason(
        C.STALL_DRAIN,
        "Waiting for stores at the end",
        "its last stores to be handed over before it can exit",
        "Store whole sectors in order, and let blocks write less often or live longer.",
        StageLink("transpose", "tile33"),
    ),
    _Reason(
        C.STALL_IMC_MISS,
        "Constant not in cache",
        "a constant that is not in the immediate constant cache",
        "Let all lanes and neighbouring warps read the same few constants; pass the rest through memory.",
    ),
    _Reason(
        C.STALL_NO_INSTRUCTION,
        "Waiting for instructions",
        "its next instruction to be fetched",
        "Shorten the code (less unrolling, fewer jumps), or do more in a launch: starting weighs less then.",
    ),
    _Reason(
        C.STALL_SLEEPING,
        "Sleeping",
        "the end of __nanosleep()",
        "Sleep for shorter times, or wait at a barrier in shared memory instead of polling.",
    ),
    _Reason(
        C.STALL_GMMA,
        "Waiting for warpgroup products",
        "warpgroup matrix products that are under way",
        "Keep one product in flight while the next tile arrives; let two consumer groups take turns.",
        StageLink("tensor_matmul", "wgmma_ring_bf16"),
        (SM,),
    ),
    _Reason(
        C.STALL_WARPGROUP_ARRIVE,
        "Waiting for the warpgroup",
        "the other warps of its warpgroup before a product",
        "Let the four warps of a group reach the product together: no divergent work before it.",
        StageLink("tensor_matmul", "wgmma_ring_bf16"),
    ),
    _Reason(
        C.STALL_MISC,
        "Other stalls",
        "reasons that the hardware does not name",
        "Look at the source view: which instructions the samples lie on.",
    ),
)


def _judge(evidence: KernelEvidence, reason: _Reason) -> Judgement:
    share = stall_share(evidence, reason.stall)
    gain = without_stall(evidence, reason.stall, reason.relieved)
    shown = seen(evidence, reason.stall, C.ISSUE_ACTIVE_FRACTION, C.ACTIVE_WARPS_PER_SCHEDULER)
    if gain.speed_up < LEAST_GAIN:
        why = "" if share < 1 - 1 / LEAST_GAIN else "; a unit or the issue slots are full all the same"
        return clear(f"{share:.1%} of a warp's time goes to waiting for {reason.waits_for}{why}.", shown)
    return found(f"A warp spends {share:.0%} of its time waiting for {reason.waits_for}.", shown, gain)


RULES = tuple(
    Rule(reason.stall.value, reason.title, reason.advice, partial(_judge, reason=reason), reason.cure)
    for reason in _REASONS
)
