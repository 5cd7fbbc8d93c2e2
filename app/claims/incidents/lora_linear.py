"""A LoRA linear layer written by hand in place of cuBLAS (L24)."""

from __future__ import annotations

from functools import partial

from app.analysis.bank_conflicts import strided_wavefronts
from app.analysis.coalescing import strided_sectors
from app.analysis.tiling import matmul_flop
from app.claims import a100
from app.claims.arithmetic import by_arithmetic
from app.claims.incidents.incident import Incident, ModelledCounter
from app.claims.looking import Measured, faster
from app.claims.matmul_ladder import cell
from app.claims.published import Quantity, Section, published
from app.claims.rules import AtMost, BelowLimit, Computed, WithinFraction

EDGE = 4096
FLOP = matmul_flop(EDGE, EDGE, EDGE)
BEFORE_S, AFTER_S = 0.540, 0.88e-3
BEFORE, AFTER = cell("naive"), cell("cublas")
_claim = partial(published, section=Section.INCIDENTS, said_of="A100")
_computed = partial(by_arithmetic, section=Section.INCIDENTS)

INCIDENT = Incident(
    name="lora-linear",
    title="Hand-written LoRA linear",
    source="L24, incident",
    happened=(
        "A hand-written kernel replaced cuBLAS in the linear layers of a LoRA fine-tuning. It kept one "
        "result a thread, walked columns so that its reads conflicted 32 ways, and did not use Tensor "
        "Cores. Going back to the library was the cure."
    ),
    context="GPU utilisation fell from 92 to 8 %, a training step took 11 times as long.",
    before=BEFORE,
    before_title="Naive FP32, no tile",
    after=AFTER,
    after_title="cuBLAS SGEMM, FP32",
    published_before_s=BEFORE_S,
    published_after_s=AFTER_S,
    factor=_claim(
        "incident-lora-factor",
        "Going back to the library made the 4096³ linear layer 613 times as fast (540 → 0.88 ms).",
        "L24, incident",
        613.0,
        Quantity.FACTOR,
        WithinFraction(613),
        faster(BEFORE, AFTER, "naive ÷ cuBLAS SGEMM"),
        "ratio of the medians at 4096³; both in FP32 here, the story's library used Tensor Cores",
    ),
    figures=(
        _computed(
            "incident-lora-before-rate",
            "540 ms at 4096³ is 0.25 TFLOP/s.",
            "L24, incident",
            0.25e12,
            Quantity.FLOP_PER_S,
            Computed(0.25e12, 0.02),
            lambda: FLOP / BEFORE_S,
            "2·4096³ ÷ 540 ms",
        ),
        _computed(
            "incident-lora-after-possible",
            "0.88 ms at 4096³ (156 TFLOP/s) is within reach of an A100's Tensor Cores.",
            "L24, incident",
            FLOP / AFTER_S,
            Quantity.FLOP_PER_S,
            BelowLimit(FLOP / AFTER_S),
            lambda: a100.TENSOR_FLOP_PER_S,
            "Tensor peak of an A100; its FP32 peak of 19.5 TFLOP/s would not do",
        ),
        _claim(
            "incident-lora-after-tensor",
            "On Tensor Cores the 4096³ linear layer takes no more than 0.88 ms.",
            "L24, incident",
            AFTER_S,
            Quantity.SECONDS,
            AtMost(AFTER_S),
            Measured((), lambda roof: FLOP / roof, "2·4096³ ÷ measured FP16 Tensor roof", ("tensor_fp16",)),
            "the least time that the measured Tensor roof allows",
        ),
    ),
    counters=(
        ModelledCounter(
            "Sectors a load of A",
            strided_sectors(EDGE),
            1,
            "32 lanes a row of 4096 words apart, against one word for all",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        ),
        ModelledCounter(
            "Wavefronts a shared-memory load",
            strided_wavefronts(32),
            1,
            "the story's kernel: 32 lanes down a column of 32 words, against no conflict",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        ),
    ),
    caveat=(
        "The story's library ran on Tensor Cores. This version has no Tensor Core rung yet, so the "
        "after is the library's FP32 line; what the measured Tensor roof would allow stands among the "
        "figures. The before is the naive rung: it too keeps one result a thread and reads A a row "
        "apart, but has no shared tile to conflict in."
    ),
    lesson=(
        "Compare a kernel of your own with the library line before it ships. Each missing level of "
        "reuse costs a factor, and the factors multiply."
    ),
)
