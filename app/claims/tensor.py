"""Claims about Tensor Cores (L24 experiments 5 and 6): rates, cycles, and who holds which element."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from app.analysis.mma_fragment import WARP, K, M, N, a_elements, b_elements, c_elements
from app.claims import a100
from app.claims.looking import Measured, Modelled, NotHere
from app.claims.matmul_ladder import cell
from app.claims.published import Quantity, Section, published
from app.claims.rules import AtLeast, AtMost, Between, Computed, WithinFraction

EXACT = 1e-6
_LADDER = "Needs the Tensor Core rungs of the matmul ladder, which this version does not have."


_claim = partial(published, section=Section.TENSOR, said_of="A100")


def _model(value: Callable[[], float], basis: str) -> Modelled:
    return Modelled(value, basis)


def _no_rung(what: str) -> NotHere:
    return NotHere(f"{what} is not measured: there is no such rung yet.", _LADDER)


def _rows_of_first_lanes() -> int:
    return len({row for lane in range(4) for row, _ in a_elements(lane)})


CLAIMS = (
    _claim(
        "tensor-peak",
        "An A100's Tensor Cores reach 312 TFLOP/s in FP16.",
        "L24 §0.3",
        312e12,
        Quantity.FLOP_PER_S,
        Computed(312e12),
        _model(lambda: a100.TENSOR_FLOP_PER_S, "108 × 4 × 256 FMA × 2 × 1.41 GHz"),
        "what the units and the clock give",
    ),
    _claim(
        "tensor-flop-per-cycle",
        "A Tensor Core does 256 FLOP a cycle.",
        "L24 §4",
        256.0,
        Quantity.COUNT,
        Computed(256, EXACT),
        _model(lambda: 2 * a100.TENSOR_MULTIPLY_ADDS_PER_CLOCK, "8 × 4 × 8 multiply-adds × 2"),
        "FLOP a cycle and Tensor Core of an A100",
        section=Section.STATEMENTS,
    ),
    _claim(
        "tensor-first-lanes-rows",
        "In m16n8k16 lanes 0 to 3 hold the first 4 rows of A.",
        "L24 §4",
        "4 rows",
        Quantity.COUNT,
        Computed(4, EXACT),
        _model(_rows_of_first_lanes, "rows that lanes 0–3 hold by the PTX map: 0 and 8"),
        "number of rows that lanes 0 to 3 hold",
        section=Section.STATEMENTS,
        said_of="any GPU",
    ),
    _claim(
        "tensor-b-shape",
        "In m16n8k16 the operand B is 16×16.",
        "L24 §4",
        "16 × 16 = 256",
        Quantity.COUNT,
        Computed(16 * 16, EXACT),
        _model(lambda: WARP * len(b_elements(0)), "32 lanes × 4 halves: 16 × 8"),
        "elements of B that a warp holds",
        section=Section.STATEMENTS,
        said_of="any GPU",
    ),
    _claim(
        "tensor-a-per-lane",
        "A lane holds 8 halves of A.",
        "L24 §4",
        8.0,
        Quantity.COUNT,
        Computed(M * K / WARP, EXACT),
        _model(lambda: len(a_elements(0)), "elements of the fragment map"),
        "halves of A a lane",
        said_of="any GPU",
    ),
    _claim(
        "tensor-b-per-lane",
        "A lane holds 4 halves of B.",
        "L24 §4",
        4.0,
        Quantity.COUNT,
        Computed(K * N / WARP, EXACT),
        _model(lambda: len(b_elements(0)), "elements of the fragment map"),
        "halves of B a lane",
        said_of="any GPU",
    ),
    _claim(
        "tensor-c-per-lane",
        "A lane holds 4 floats of C.",
        "L24 §4",
        4.0,
        Quantity.COUNT,
        Computed(M * N / WARP, EXACT),
        _model(lambda: len(c_elements(0)), "elements of the fragment map"),
        "floats of C a lane",
        said_of="any GPU",
    ),
    _claim(
        "tensor-single-thread",
        "A single thread can use a Tensor Core.",
        "L24 §4",
        "1 lane",
        Quantity.COUNT,
        Computed(1, EXACT),
        _model(lambda: M * K / len(a_elements(0)), "elements of A ÷ those one lane can hold"),
        "lanes that must take part for one mma.sync",
        section=Section.STATEMENTS,
        said_of="any GPU",
    ),
    _claim(
        "tensor-over-fp32",
        "Tensor Cores have 16 times the FP32 roof.",
        "L24 §0.3",
        312 / 19.5,
        Quantity.FACTOR,
        WithinFraction(312 / 19.5, 0.25),
        Measured(
            (),
            lambda tensor, fp32: tensor / fp32,
            "FP16 Tensor roof ÷ FP32 FMA roof",
            ("tensor_fp16", "fp32_fma"),
        ),
        "ratio of the two measured ceilings",
    ),
    _claim(
        "tensor-recompile",
        "Recompiling an FP32 kernel for sm_90 alone brings nothing.",
        "L24 §7",
        "at most 10 %",
        Quantity.FRACTION,
        AtMost(0.10),
        Measured(
            (cell("double_buffer"),),
            lambda m, roof: m.flop_per_s / roof,
            "rate ÷ FP16 Tensor roof",
            ("tensor_fp16",),
        ),
        "share of the Tensor roof that the recompiled FP32 rung reaches",
        section=Section.QUESTIONS,
        said_of="Hopper",
    ),
    _claim(
        "tensor-wmma-share",
        "WMMA reaches 46.5 % of the Tensor roof (145 TFLOP/s).",
        "L24 stage 5",
        0.465,
        Quantity.FRACTION,
        WithinFraction(0.465),
        _no_rung("WMMA"),
        "share of the measured Tensor roof",
    ),
    _claim(
        "tensor-wmma-100",
        "WMMA passes 100 TFLOPS.",
        "L24 §4",
        100e12,
        Quantity.FLOP_PER_S,
        AtLeast(100e12),
        _no_rung("WMMA"),
        "rate at 4096³",
        section=Section.STATEMENTS,
    ),
    _claim(
        "tensor-wmma-80",
        "A tuned WMMA kernel reaches 80 to 88 % of the roof.",
        "L24 §4",
        "80–88 %",
        Quantity.FRACTION,
        Between(0.80, 0.88),
        _no_rung("WMMA"),
        "share of the measured Tensor roof",
        section=Section.STATEMENTS,
    ),
    _claim(
        "tensor-mma-share",
        "mma.sync with asynchronous copies and a swizzle reaches 95.5 % (298 TFLOP/s).",
        "L24 stage 6",
        0.955,
        Quantity.FRACTION,
        WithinFraction(0.955),
        _no_rung("mma.sync"),
        "share of the measured Tensor roof",
    ),
)
