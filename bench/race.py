"""What `bench.gemm_variants` compares: variants of one problem against its library's line."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.kernels.stage import Stage


@dataclass(frozen=True)
class Race:
    """`checked`: awkward sizes, correctness only. `timed`: checked and timed. `block_s`: of one side."""

    problem: str
    dtype: Dtype
    library: Stage
    variants: tuple[Stage, ...]
    checked: tuple[Size, ...]
    timed: tuple[Size, ...]
    block_s: float = 0.08
    rounds: int = 5
    searched: tuple[Stage, ...] = ()  # timed at the first size only, in one process; wrong ones too
