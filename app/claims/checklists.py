"""Claims of the checklists (L22 §8, L24 §8), and statements that only hardware counters decide."""

from __future__ import annotations

from functools import partial

from app.analysis.coalescing import strided_sectors
from app.analysis.mma_fragment import K
from app.claims.arithmetic import EXACT, WARP, by_arithmetic
from app.claims.cells import lab
from app.claims.looking import NotHere, Reported, faster
from app.claims.matmul_ladder import cell
from app.claims.published import Quantity, Section, published
from app.claims.rules import AtLeast, AtMost, Between, Computed, Ordering

_claim = partial(published, section=Section.CHECKLISTS, said_of="any GPU")

CLAIMS = (
    _claim(
        "checklist-aligned-slice",
        "A slice that does not begin at a multiple of 16 bytes is copied slower.",
        "L22 §8",
        "slower",
        Quantity.FACTOR,
        Ordering(0.02),
        faster(lab("alignment", "misaligned"), lab("alignment", "aligned"), "misaligned ÷ aligned"),
        "time of the misaligned slice over that of the aligned one",
    ),
    _claim(
        "checklist-halves-on-tensor-pipe",
        "Half-precision products belong on the Tensor pipe.",
        "L24 §8",
        "faster",
        Quantity.FACTOR,
        Ordering(0.02),
        faster(lab("tensor_pipe", "fma_pipe"), lab("tensor_pipe", "mma_pipe"), "FMA pipe ÷ Tensor pipe"),
        "time without the Tensor pipe over time on it, same product",
    ),
    _claim(
        "checklist-capped-registers",
        "Capping registers below what a kernel holds makes it slower.",
        "L22 §8, L24 §8",
        "slower",
        Quantity.FACTOR,
        Ordering(0.02),
        faster(lab("register_cap", "capped"), lab("register_cap", "free"), "capped ÷ free"),
        "time of the capped kernel over the free one",
    ),
    _claim(
        "statement-local-array",
        "A run-time index puts an array of 10 floats in local memory.",
        "L22 §6",
        40.0,
        Quantity.BYTES,
        AtLeast(40),
        Reported((lab("local_array", "indexed"),), lambda r: r.stack_bytes, "compiler report"),
        "bytes of stack a thread of the indexed kernel",
        section=Section.STATEMENTS,
    ),
    by_arithmetic(
        "checklist-bytes-per-sector",
        "A coalesced load uses 32 bytes of each sector.",
        "L22 §8",
        32.0,
        Quantity.BYTES,
        Computed(32, EXACT),
        lambda: WARP * 4 / strided_sectors(1),
        "32 lanes × 4 B ÷ distinct sectors",
        section=Section.CHECKLISTS,
        said_of="any GPU",
    ),
    by_arithmetic(
        "checklist-multiples-of-16",
        "Half-precision operands need dimensions that are multiples of 16.",
        "L24 §8",
        16.0,
        Quantity.COUNT,
        Computed(16, EXACT),
        lambda: K,
        "depth of m16n8k16, the Tensor Core step of halves",
        section=Section.CHECKLISTS,
        said_of="any GPU",
    ),
    _claim(
        "checklist-no-spills",
        "A good kernel spills exactly 0 bytes.",
        "L22 §8, L24 §8",
        0.0,
        Quantity.BYTES,
        AtMost(0),
        Reported(
            tuple(cell(name) for name in ("block_tile", "register_tile", "double_buffer")),
            lambda *reports: sum(r.spill_bytes for r in reports),
            "compiler reports",
        ),
        "bytes that the tiled matmul rungs spill together",
        section=Section.CHECKLISTS,
    ),
    _claim(
        "checklist-128-registers",
        "A register tile stays at 128 registers or fewer.",
        "L24 §8",
        128.0,
        Quantity.COUNT,
        AtMost(128),
        Reported(
            (cell("register_tile"), cell("double_buffer")),
            lambda *r: max(x.registers for x in r),
            "compiler reports",
        ),
        "registers a thread of the larger rung",
        section=Section.CHECKLISTS,
    ),
    _claim(
        "checklist-conflicts-zero",
        "The counter of bank conflicts must be exactly 0.",
        "L22 §8",
        0.0,
        Quantity.COUNT,
        AtMost(0),
        NotHere(
            "Hardware counters are not collected by this version.",
            "Nsight Compute counts l1tex__data_bank_conflicts_pipe_lsu_mem_shared; judge excess wavefronts.",
        ),
        "conflicts that the hardware counts",
        section=Section.CHECKLISTS,
    ),
    _claim(
        "statement-stall-wait",
        "Stall Wait means waiting for a barrier.",
        "L24 §6",
        "barrier",
        Quantity.FRACTION,
        AtLeast(0.5),
        NotHere(
            "Warp states are not collected by this version.",
            "Nsight Compute samples them; there Wait is a fixed-latency dependency, barrier its own.",
        ),
        "share of Stall Wait samples at a barrier",
        section=Section.STATEMENTS,
    ),
    _claim(
        "statement-naive-99",
        "A naive GEMM spends 99 % of its time waiting for memory.",
        "L24 stage 0",
        0.99,
        Quantity.FRACTION,
        AtLeast(0.99),
        NotHere(
            "Warp states are not collected by this version.", "Nsight Compute samples Stall Long Scoreboard."
        ),
        "share of samples in Stall Long Scoreboard",
        section=Section.STATEMENTS,
        said_of="A100",
    ),
    _claim(
        "statement-hbm-87",
        "The block tile cuts HBM traffic by 87 %.",
        "L24 stage 2",
        -0.87,
        Quantity.CHANGE,
        Between(-0.957, -0.783),
        NotHere(
            "Bytes at DRAM are not counted by this version.", "Nsight Compute counts dram__bytes_read.sum."
        ),
        "DRAM bytes of the block tile against the naive kernel",
        section=Section.STATEMENTS,
        said_of="A100",
    ),
    _claim(
        "statement-16x16-spills",
        "A 16×16 tile a thread spills.",
        "L24 §3",
        "more than 0",
        Quantity.BYTES,
        AtLeast(1),
        NotHere(
            "No kernel with 16×16 results a thread is compiled by this version.",
            "Needs a rung with that tile.",
        ),
        "bytes that the compiler spills",
        section=Section.STATEMENTS,
    ),
)
