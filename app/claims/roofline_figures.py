"""Figures of the roofline model (L24 §1): balance points, peaks, the shared-memory roof."""

from __future__ import annotations

from app.analysis.roofline import ridge_point_flop_per_byte
from app.analysis.tiling import least_matmul_bytes, matmul_flop
from app.claims import a100
from app.claims.arithmetic import by_arithmetic
from app.claims.published import Quantity, Section
from app.claims.rules import BelowLimit, Computed

CLAIMS = (
    by_arithmetic(
        "model-balance-fp32",
        "An A100 balances at 9.56 FLOP per byte in FP32.",
        "L24 §1",
        9.56,
        Quantity.FLOP_PER_BYTE,
        Computed(9.56),
        lambda: ridge_point_flop_per_byte(a100.DRAM_BYTES_PER_S, a100.FP32_FLOP_PER_S),
        "FP32 peak ÷ DRAM bandwidth of the data sheet",
    ),
    by_arithmetic(
        "model-balance-fp16",
        "An A100 balances at 153 FLOP per byte on its Tensor Cores.",
        "L24 §1",
        153.0,
        Quantity.FLOP_PER_BYTE,
        Computed(153),
        lambda: ridge_point_flop_per_byte(a100.DRAM_BYTES_PER_S, a100.TENSOR_FLOP_PER_S),
        "Tensor peak ÷ DRAM bandwidth of the data sheet",
    ),
    by_arithmetic(
        "model-fp32-peak",
        "The FP32 peak of an A100 is 19.5 TFLOP/s.",
        "L24 §0.3",
        19.5e12,
        Quantity.FLOP_PER_S,
        Computed(19.5e12),
        lambda: a100.FP32_FLOP_PER_S,
        "108 SMs × 64 lanes × 2 × 1.41 GHz",
    ),
    by_arithmetic(
        "model-ideal-intensity",
        "The ideal intensity at 4096³ in FP32 is 4096/6 = 682.6 FLOP per byte.",
        "L24 §1",
        682.6,
        Quantity.FLOP_PER_BYTE,
        Computed(682.6),
        lambda: matmul_flop(4096, 4096, 4096) / least_matmul_bytes(4096, 4096, 4096, 4),
        "2·M·N·K ÷ (inputs read once, output written once)",
    ),
    by_arithmetic(
        "model-shared-roof-per-sm",
        "Shared memory gives 128 B a clock: about 180 GB/s an SM.",
        "L24 §1",
        180e9,
        Quantity.BYTES_PER_S,
        Computed(180e9),
        lambda: a100.SHARED_BYTES_PER_CLOCK * a100.BOOST_CLOCK_HZ,
        "128 B × 1.41 GHz",
    ),
    by_arithmetic(
        "model-shared-roof",
        "Shared memory gives about 19 TB/s in all.",
        "L24 §1, L22 §1",
        19e12,
        Quantity.BYTES_PER_S,
        Computed(19e12, 0.03),
        lambda: a100.SHARED_BYTES_PER_CLOCK * a100.BOOST_CLOCK_HZ * a100.MULTIPROCESSORS,
        "128 B × 1.41 GHz × 108 SMs",
    ),
    by_arithmetic(
        "model-one-by-one-per-sm",
        "At 0.25 FLOP per byte of shared memory an SM cannot pass 45 GFLOP/s.",
        "L24 §1",
        45e9,
        Quantity.FLOP_PER_S,
        Computed(45e9),
        lambda: 0.25 * a100.SHARED_BYTES_PER_CLOCK * a100.BOOST_CLOCK_HZ,
        "0.25 FLOP/B × 128 B × 1.41 GHz",
    ),
    by_arithmetic(
        "model-one-by-one",
        "A 1×1 thread tile cannot pass 4.8 TFLOP/s on an A100.",
        "L24 §1",
        4.8e12,
        Quantity.FLOP_PER_S,
        Computed(4.8e12, 0.02),
        lambda: 0.25 * a100.SHARED_BYTES_PER_CLOCK * a100.BOOST_CLOCK_HZ * a100.MULTIPROCESSORS,
        "0.25 FLOP/B × shared roof of 108 SMs",
    ),
    by_arithmetic(
        "model-2450-tflops",
        "128 registers at 25 % occupancy reach 2450 TFLOPS in FP32.",
        "L22 §6",
        2450e12,
        Quantity.FLOP_PER_S,
        BelowLimit(2450e12),
        lambda: a100.FP32_FLOP_PER_S,
        "FP32 peak of an A100",
        section=Section.STATEMENTS,
    ),
    by_arithmetic(
        "model-680-tflops",
        "32 registers at 100 % occupancy reach 680 TFLOPS in FP32.",
        "L22 §6",
        680e12,
        Quantity.FLOP_PER_S,
        BelowLimit(680e12),
        lambda: a100.FP32_FLOP_PER_S,
        "FP32 peak of an A100",
        section=Section.STATEMENTS,
    ),
)
