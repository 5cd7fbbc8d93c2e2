"""Names of the roofs, as in `Ceiling.name`, by what they bound; the first that a device has counts."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.vocabulary import Arithmetic

# The copy, not the read: what a stage writes counts too.
BANDWIDTH_CEILINGS = ("dram_copy", "stream_triad")
# What only a library reaches is a roof where nothing else is known.
COMPUTE_CEILINGS: Mapping[Arithmetic, tuple[str, ...]] = {
    Arithmetic.FP32: ("fp32_fma", "blas_fp32"),
    Arithmetic.TF32: ("tensor_tf32",),
    Arithmetic.TENSOR_FP16_FP32ACC: ("tensor_fp16",),
    Arithmetic.TENSOR_BF16_FP32ACC: ("tensor_bf16",),
    Arithmetic.TENSOR_TF32_FP32ACC: ("tensor_tf32",),
    Arithmetic.TENSOR_FP8_FP32ACC: ("tensor_fp8",),
}
