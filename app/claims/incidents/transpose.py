"""The transpose of an embedding that wrote its tile back down columns (L22)."""

from __future__ import annotations

from functools import partial

from app.analysis.bank_conflicts import strided_wavefronts
from app.analysis.coalescing import strided_sectors
from app.claims.arithmetic import WARP, by_arithmetic
from app.claims.cells import lab
from app.claims.incidents.incident import Incident, ModelledCounter
from app.claims.looking import faster
from app.claims.published import Quantity, Section, published
from app.claims.rules import Computed, WithinFraction

EDGE = 3072
LINE_WORDS = 32  # a 128-byte line of float32
BEFORE_S, AFTER_S = 1.42e-3, 0.048e-3
BEFORE = lab("transpose", "strided_store", rows=EDGE, columns=EDGE)
AFTER = lab("transpose", "tile33", rows=EDGE, columns=EDGE)
_claim = partial(published, section=Section.INCIDENTS, said_of="A100")
_computed = partial(by_arithmetic, section=Section.INCIDENTS)


def _lines_of_a_store(stride_words: int) -> int:
    return len({lane * stride_words // LINE_WORDS for lane in range(WARP)})


INCIDENT = Incident(
    name="transpose",
    title="Transpose of an embedding",
    source="L22, incident",
    happened=(
        "A service transposed a 3072×3072 float32 embedding through a tile [32][32] and wrote it back "
        "down columns. Lanes of a warp met in one bank of shared memory, and each of their stores went "
        "to a row of its own. The cure was one word of padding a row, and an index remap that lets "
        "lanes run along the output's rows."
    ),
    context="P99 latency of the service rose from 45 to 380 ms.",
    before=BEFORE,
    before_title="Tile [32][32], stores down columns",
    after=AFTER,
    after_title="Tile [32][33], stores along rows",
    published_before_s=BEFORE_S,
    published_after_s=AFTER_S,
    factor=_claim(
        "incident-transpose-factor",
        "Padding and an index remap make the 3072² transpose 29.5 times as fast (1.42 → 0.048 ms).",
        "L22, incident",
        29.5,
        Quantity.FACTOR,
        WithinFraction(29.5),
        faster(BEFORE, AFTER, "strided stores ÷ padded tile"),
        "ratio of the medians at 3072²",
    ),
    figures=(
        _computed(
            "incident-transpose-bandwidth",
            "0.048 ms for 3072×3072 float32 is 1.6 TB/s.",
            "L22, incident",
            1.6e12,
            Quantity.BYTES_PER_S,
            Computed(1.6e12, 0.02),
            lambda: 2 * 4 * EDGE**2 / AFTER_S,
            "(read + written) ÷ 0.048 ms",
        ),
        _computed(
            "incident-transpose-transactions",
            "Strided stores take 32 times the transactions.",
            "L22, incident",
            32.0,
            Quantity.FACTOR,
            Computed(32),
            lambda: _lines_of_a_store(EDGE) / _lines_of_a_store(1),
            "128-byte lines of one store, a row apart ÷ along a row; in 32-byte sectors it is 8 times",
        ),
    ),
    counters=(
        ModelledCounter(
            "Sectors a global store",
            strided_sectors(EDGE),
            strided_sectors(1),
            "32 lanes, a row of 3072 words apart, against neighbours",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
        ),
        ModelledCounter(
            "Wavefronts a shared-memory load",
            strided_wavefronts(32),
            strided_wavefronts(33),
            "32 lanes down a column of 32 words, against 33",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        ),
    ),
    caveat="",
    lesson=(
        "Look at both sides of a tile: the tile that coalesces the loads does nothing for the stores "
        "until its indices are exchanged, and then its columns need padding or a swizzle. Two faults "
        "multiply."
    ),
)
