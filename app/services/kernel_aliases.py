"""What kernels of the textbooks and of libraries are called, and which stage here does the same.

An alias names the words that must all occur in a kernel's function name; the first that fits counts. The
kernels of a library say in their whole name, template arguments included, what they multiply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Alias:
    """Words that a function's name must hold, with `|` between alternatives, and the stage they stand for."""

    words: tuple[str, ...]
    problem: str
    stage: str

    def fits(self, words: frozenset[str]) -> bool:
        """Whether every word, or one of its alternatives, is there."""
        return all(words & set(word.split("|")) for word in self.words)


@dataclass(frozen=True)
class LibraryName:
    """A form of the names that a library gives to its kernels."""

    form: re.Pattern[str]
    problem: str
    stage: str


_OF_LIBRARY = r"(?:cutlass|xmma|cublas|gemmk1|ampere|volta|maxwell|turing)"

LIBRARY_NAMES = (
    LibraryName(re.compile(rf"{_OF_LIBRARY}.*bf16"), "tensor_matmul", "cublas_bf16"),
    LibraryName(
        re.compile(rf"{_OF_LIBRARY}.*(?:f16|h16816|h1688|hgemm|half)"), "tensor_matmul", "cublas_fp16"
    ),
    LibraryName(re.compile(rf"{_OF_LIBRARY}.*sgemm"), "matmul", "cublas"),
)

_MATMUL = "gemm|sgemm|matmul|mm|multiply|matrixmul"

ALIASES = (
    Alias((_MATMUL, "wmma", "shared|smem"), "tensor_matmul", "wmma_shared_fp16"),
    Alias((_MATMUL, "wmma"), "tensor_matmul", "wmma_global_fp16"),
    Alias((_MATMUL, "wgmma"), "tensor_matmul", "wgmma_fp16"),
    Alias((_MATMUL, "mma", "sync"), "tensor_matmul", "mma_sync_fp16"),
    Alias((_MATMUL, "double", "buffer|buffering|buffered"), "matmul", "double_buffer"),
    Alias((_MATMUL, "2d|thread", "register|tiling|tile|tiled|blocktiling"), "matmul", "register_tile"),
    Alias((_MATMUL, "register", "tiling|tile|tiled"), "matmul", "register_tile"),
    Alias((_MATMUL, "1d", "register|tiling|tile|tiled|blocktiling"), "matmul", "register_tile_1d"),
    Alias((_MATMUL, "warp", "tiling|tile|tiled|warptiling"), "matmul", "warp_tile"),
    Alias((_MATMUL, "coalesced|coalesce|coalescing"), "matmul", "coalesced"),
    Alias((_MATMUL, "split|splitk"), "matmul", "split_k"),
    Alias((_MATMUL, "tiled|tiling|shared|smem|block"), "matmul", "block_tile"),
    Alias((_MATMUL, "naive|simple|basic"), "matmul", "naive"),
    Alias(("transpose", "padded|padding|pad"), "transpose", "tile33"),
    Alias(("transpose", "conflict|conflicts|shared|tiled"), "transpose", "tile32"),
    Alias(("transpose", "swizzle|swizzled"), "transpose", "swizzle"),
    Alias(("transpose", "naive"), "transpose", "naive_read"),
    Alias(("strided|stride", "read|access|load|copy"), "strided_access", "strided"),
    Alias(("offset|misaligned", "read|access|load|copy"), "offset_access", "shifted"),
    Alias(("vectorized|vectorised|float4|vector", "copy|load"), "copy", "float4"),
    Alias(("scalar", "copy|load"), "copy", "scalar"),
    Alias(("forced|capped|limited", "occupancy|spill|registers"), "occupancy_spill", "lecture_forced"),
    Alias(("normal|free", "registers|occupancy"), "occupancy_spill", "lecture_free"),
    Alias(("bank", "conflict|conflicts"), "bank_conflict", "warp_read"),
)


def alias_of(words: frozenset[str]) -> Alias | None:
    """The first alias that fits."""
    return next((alias for alias in ALIASES if alias.fits(words)), None)


def library_of(kernel: str) -> LibraryName | None:
    """The form of a library's name that a kernel's whole name has."""
    lower = kernel.lower()
    return next((one for one in LIBRARY_NAMES if one.form.search(lower)), None)
