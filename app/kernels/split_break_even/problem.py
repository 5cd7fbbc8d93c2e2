"""128 x 128 results in 16 tiles of 32 x 32: an eighth of an H200 without slices of k."""

from __future__ import annotations

from app.analysis.quantisation import matmul_tiles
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, ProblemKind
from app.kernels.matmul.problem import PROBLEM as MATMUL
from app.kernels.problem import Problem, SizeParameter

EDGE, TILE, LONG_K, CHOSEN_SLICES = 128, 32, 16_384, 8
SLICES = (1, 2, 4, 8, 16, 32, 64)
TERMS = (64, 128, 256, 512, 1024, 2048, 4096, 8192, LONG_K)


def sliced(k: int, slices: int) -> Size:
    """A size of the sweep."""
    return Size.of(m=EDGE, n=EDGE, k=k, slices=slices)


def tiles_of_size(size: Size) -> int:
    """Tiles of the result."""
    return matmul_tiles(size["m"], size["n"], TILE, TILE)


OVER_SLICES = tuple(sliced(LONG_K, slices) for slices in SLICES)
OVER_TERMS = tuple(sliced(k, CHOSEN_SLICES) for k in TERMS)

PROBLEM = Problem(
    name="split_break_even",
    title="Split-K break-even",
    question="From which length of a sum on does cutting it pay?",
    size_parameters=(
        *(SizeParameter(p.name, p.title, p.minimum, 4096, EDGE) for p in MATMUL.size_parameters[:2]),
        SizeParameter("k", "Terms of each sum", 1, 65_536, LONG_K),
        SizeParameter("slices", "Slices of k", 1, 256, CHOSEN_SLICES),
    ),
    dtypes=(Dtype.FLOAT32,),
    tensors=MATMUL.tensors,
    scalars=MATMUL.scalars,
    reference=MATMUL.reference,
    tolerance=MATMUL.tolerance,
    size_title=lambda size: f"{size['m']}×{size['n']}×{size['k']}, {size['slices']} slices",
    reference_description=MATMUL.reference_description,
    kind=ProblemKind.QUANTISATION,
    suite_sizes=tuple(dict.fromkeys((*OVER_SLICES, *OVER_TERMS))),
    check_sizes=tuple(
        Size.of(m=m, n=n, k=k, slices=slices)
        for m, n, k, slices in ((1, 1, 1, 3), (33, 65, 100, 7), (128, 128, 64, 64), (64, 31, 515, 2))
    ),
    caches=(CacheState.WARM,),
)
