"""Open questions of the lectures (L24 §7) that a later rung answers; each says what it waits for."""

from __future__ import annotations

from functools import partial

from app.claims.looking import Measured, NotHere
from app.claims.matmul_ladder import cell
from app.claims.published import Quantity, Section, published
from app.claims.rules import AtMost, Ordering
from app.domain.size import Size

_claim = partial(published, section=Section.QUESTIONS, said_of="any GPU")
_FULL, _ONE_MORE = Size.of(m=4096, n=4096, k=4096), Size.of(m=4097, n=4096, k=4096)

CLAIMS = (
    _claim(
        "question-one-row-more",
        "One row more (M = 4097) costs at most the row of tiles that it opens, 1/32.",
        "L24 §7",
        "at most 1.04×",
        Quantity.FACTOR,
        AtMost(1.04),
        Measured(
            (cell("double_buffer", _FULL), cell("double_buffer", _ONE_MORE)),
            lambda full, more: more.median_s / full.median_s,
            "time at M = 4097 ÷ at 4096",
        ),
        "time of the double-buffered rung, N = K = 4096; waves may cost more",
    ),
    _claim(
        "question-split-k",
        "Splitting K pays where M and N are small and K is large.",
        "L24 §7",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        NotHere(
            "Split-K is not measured: there is no such rung yet.",
            "Needs a split-K rung of the matmul ladder.",
        ),
        "time without splitting over time with it",
    ),
    _claim(
        "question-tma-swizzle",
        "The swizzle of TMA ends padding by hand.",
        "L24 §7",
        "no slower",
        Quantity.FACTOR,
        Ordering(),
        NotHere(
            "TMA is not measured: there is no such rung yet.",
            "Needs a TMA rung of the matmul ladder on Hopper.",
        ),
        "time of the padded tile over that of the swizzled one",
    ),
)
