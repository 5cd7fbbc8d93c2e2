"""Figures of shared-memory banks (L22 §4, L24 §2): wavefronts that one request needs."""

from __future__ import annotations

from app.analysis.bank_conflicts import strided_wavefronts, wavefronts
from app.claims.arithmetic import EXACT, WARP, by_arithmetic
from app.claims.published import Quantity, Section
from app.claims.rules import Computed


def _column_read_of_16x16_tile() -> int:
    """A 16 x 16 block reads A[row][k]: the warp's two rows name two words, 16 words apart."""
    return wavefronts([4 * 16 * (lane // 16) for lane in range(WARP)])


def _multicast() -> int:
    return wavefronts([0 if lane < 16 else 4 * WARP for lane in range(WARP)])


CLAIMS = (
    by_arithmetic(
        "banks-stride-32",
        "A stride of 32 words is a 32-way conflict.",
        "L22 §4",
        32.0,
        Quantity.COUNT,
        Computed(32, EXACT),
        lambda: strided_wavefronts(32),
        "gcd(32, 32) wavefronts",
        said_of="any GPU",
    ),
    by_arithmetic(
        "banks-stride-8",
        "A stride of 8 words degenerates to a 32-way conflict.",
        "L22 §4",
        32.0,
        Quantity.COUNT,
        Computed(32, EXACT),
        lambda: strided_wavefronts(8),
        "gcd(8, 32) wavefronts",
        section=Section.STATEMENTS,
        said_of="any GPU",
    ),
    by_arithmetic(
        "banks-bm-plus-4",
        "As[BK][BM+4] clears all conflicts of the transposed store.",
        "L24 §2",
        1.0,
        Quantity.COUNT,
        Computed(1, EXACT),
        lambda: strided_wavefronts(128 + 4),
        "gcd(132, 32) wavefronts down a column",
        section=Section.STATEMENTS,
        said_of="any GPU",
    ),
    by_arithmetic(
        "banks-column-read",
        "Reading A down a column always gives a 32-way conflict.",
        "L24 §2",
        32.0,
        Quantity.COUNT,
        Computed(32, EXACT),
        _column_read_of_16x16_tile,
        "wavefronts of the printed 16×16 tile: its lanes broadcast",
        section=Section.STATEMENTS,
        said_of="any GPU",
    ),
    by_arithmetic(
        "banks-multicast",
        "Two words of one bank for 16 lanes each take 2 wavefronts.",
        "L22 §4",
        2.0,
        Quantity.COUNT,
        Computed(2, EXACT),
        _multicast,
        "wavefronts of the request",
        said_of="any GPU",
    ),
    by_arithmetic(
        "banks-same-word",
        "Lanes that read the same word cost one wavefront.",
        "L22 §4",
        1.0,
        Quantity.COUNT,
        Computed(1, EXACT),
        lambda: wavefronts([0] * WARP),
        "wavefronts of the request",
        said_of="any GPU",
    ),
    by_arithmetic(
        "banks-odd-strides",
        "Odd strides never conflict.",
        "L22 §4",
        1.0,
        Quantity.COUNT,
        Computed(1, EXACT),
        lambda: max(strided_wavefronts(stride) for stride in range(1, 34, 2)),
        "most wavefronts of strides 1, 3 … 33",
        section=Section.STATEMENTS,
        said_of="any GPU",
    ),
)
