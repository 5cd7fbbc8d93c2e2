"""Claims of the memory experiments (L22 §7): strides, offsets, vector loads, walks, layouts, transpose."""

from __future__ import annotations

from functools import partial

from app.analysis.coalescing import strided_sectors
from app.claims.arithmetic import EXACT, by_arithmetic
from app.claims.cells import lab
from app.claims.looking import Measured, faster
from app.claims.published import Cell, PublishedClaim, Quantity, Section, published
from app.claims.rules import Between, Computed, Ordering, Same, WithinFraction
from app.domain.measurement import Measurement

SECTORS = {1: 4, 2: 8, 4: 16, 8: 32, 16: 32, 32: 32}  # of one warp, as printed
STRIDED, SHIFTED = "strided", "shifted"


_claim = partial(published, section=Section.MEMORY, said_of="A100")


def _useful_share(shown: Measurement, whole: Measurement) -> float:
    return shown.bytes_per_s / whole.bytes_per_s


def _change(before: Measurement, after: Measurement) -> float:
    return after.bytes_per_s / before.bytes_per_s - 1


def _stride_share(stride: int) -> Measured:
    cells = (lab("strided_access", STRIDED, stride=stride), lab("strided_access", STRIDED, stride=1))
    return Measured(cells, _useful_share, f"useful bandwidth at stride {stride} ÷ at stride 1")


def _sectors(stride: int) -> PublishedClaim:
    return by_arithmetic(
        f"stride-{stride}-sectors",
        f"At stride {stride} a warp's request touches {SECTORS[stride]} sectors.",
        "L22 §7.1",
        float(SECTORS[stride]),
        Quantity.COUNT,
        Computed(SECTORS[stride], EXACT),
        lambda: strided_sectors(stride),
        "distinct sectors of 32 lanes",
        section=Section.MEMORY,
        said_of="any GPU",
    )


def _efficiency(stride: int) -> PublishedClaim:
    fraction = SECTORS[1] / SECTORS[stride]
    return _claim(
        f"stride-{stride}-share",
        f"Stride {stride} leaves the share of the bandwidth that its sectors allow.",
        "L22 §7.1",
        fraction,
        Quantity.FRACTION,
        WithinFraction(fraction),
        _stride_share(stride),
        "useful bandwidth against stride 1 on the same device",
        section=Section.STATEMENTS if stride == 32 else Section.MEMORY,
    )


def _copy(stage: str) -> Measured:
    return Measured(
        (lab("copy", "scalar", n=2**28), lab("copy", stage, n=2**28)), _change, f"{stage} ÷ scalar − 1"
    )


def _offset() -> Measured:
    cells = (lab("offset_access", SHIFTED, offset=0), lab("offset_access", SHIFTED, offset=1))
    return Measured(cells, _change, "bandwidth at offset 1 ÷ at offset 0 − 1")


def _transpose(stage: str) -> Cell:
    return lab("transpose", stage, rows=8192, columns=8192)


CLAIMS = (
    *(_sectors(stride) for stride in SECTORS),
    *(_efficiency(stride) for stride in SECTORS if stride > 1),
    _claim(
        "stride-32-one-in-32",
        "Stride 32 leaves 1/32 of the bandwidth (1680 → 52.5 GB/s, −97 %).",
        "L22 §7.1",
        1 / 32,
        Quantity.FRACTION,
        WithinFraction(1 / 32),
        _stride_share(32),
        "useful bandwidth against stride 1 on the same device; the theory beside it says 12.5 %",
        section=Section.STATEMENTS,
    ),
    by_arithmetic(
        "offset-1-sectors",
        "A request that begins 4 bytes late touches 5 sectors instead of 4.",
        "L22 §3, §7.1",
        5.0,
        Quantity.COUNT,
        Computed(5, EXACT),
        lambda: strided_sectors(1, offset_words=1),
        "distinct sectors of 32 lanes",
        section=Section.MEMORY,
        said_of="any GPU",
    ),
    _claim(
        "offset-1-bandwidth",
        "An offset of one word costs 20 % of the bandwidth.",
        "L22 §3",
        -0.20,
        Quantity.CHANGE,
        Between(-0.25, -0.15),
        _offset(),
        "bandwidth against no offset; neighbours share the fifth sector in cache",
        section=Section.STATEMENTS,
    ),
    _claim(
        "offset-1-latency",
        "An offset of one word adds 25 % latency.",
        "L22 §3",
        0.25,
        Quantity.CHANGE,
        Between(0.20, 0.30),
        Measured(
            _offset().cells, lambda a, b: b.median_s / a.median_s - 1, "time at offset 1 ÷ at offset 0 − 1"
        ),
        "time of the shifted copy",
        section=Section.STATEMENTS,
    ),
    _claim(
        "copy-float4-gain",
        "float4 loads make a copy 15 to 30 % faster.",
        "L22 §7.2",
        "+15–30 %",
        Quantity.CHANGE,
        Between(0.15, 0.30),
        _copy("float4"),
        "gain over the scalar copy of 1 GiB",
        section=Section.STATEMENTS,
    ),
    _claim(
        "copy-vector-tail",
        "A vector body with a scalar tail keeps the speed of a copy whose size is a multiple of 4.",
        "L22 §7.2, exercise",
        1.0,
        Quantity.FACTOR,
        Same(),
        faster(
            lab("copy", "vector_tail", n=2**28),
            lab("copy", "float4", n=2**28),
            "vector body with tail ÷ float4",
        ),
        "time against the pure float4 copy of 1 GiB",
        section=Section.QUESTIONS,
        said_of="any GPU",
    ),
    _claim(
        "walk-row-over-column",
        "Walking along rows is faster than walking down columns.",
        "L22 §3",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        faster(lab("matrix_walk", "column_walk"), lab("matrix_walk", "row_walk"), "column walk ÷ row walk"),
        "time of the column walk over that of the row walk",
    ),
    _claim(
        "layout-soa-over-aos",
        "A structure of arrays is faster than an array of 28-byte structures.",
        "L22 §3",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        faster(lab("particle_layout", "aos"), lab("particle_layout", "soa"), "AoS ÷ SoA"),
        "time with structures over time with arrays",
    ),
    _claim(
        "element-16-over-4",
        "16-byte elements move faster than 4-byte elements.",
        "L22 §3, §7.2",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        faster(lab("element_size", "bytes_4"), lab("element_size", "bytes_16"), "4 bytes ÷ 16 bytes"),
        "time for the same bytes",
    ),
    _claim(
        "element-1-under-4",
        "1-byte elements move slower than 4-byte elements.",
        "L22 §3",
        "slower",
        Quantity.FACTOR,
        Ordering(),
        faster(lab("element_size", "bytes_1"), lab("element_size", "bytes_4"), "1 byte ÷ 4 bytes"),
        "time for the same bytes",
    ),
    _claim(
        "transpose-padding",
        "Padding the tile to [32][33] speeds up the transpose.",
        "L22 §7.3",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        faster(_transpose("tile32"), _transpose("tile33"), "[32][32] ÷ [32][33]"),
        "time with conflicts over time without, 8192²",
    ),
    _claim(
        "transpose-swizzle",
        "An XOR swizzle does what padding does, without its memory.",
        "L22 §4, §7.3",
        1.0,
        Quantity.FACTOR,
        Same(),
        faster(_transpose("swizzle"), _transpose("tile33"), "swizzle ÷ [32][33]"),
        "time of the swizzled tile over that of the padded one, 8192²",
    ),
    _claim(
        "transpose-tile-over-naive",
        "A padded tile beats a transpose whose stores are strided.",
        "L22 §7.3",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        faster(_transpose("naive_read"), _transpose("tile33"), "naive ÷ [32][33]"),
        "time of the naive transpose over that of the padded tile, 8192²",
    ),
    _claim(
        "gemv-float4",
        "float4 loads speed up the decode GEMV.",
        "L22 §7.6",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        faster(lab("gemv", "scalar"), lab("gemv", "float4"), "scalar ÷ float4"),
        "time of the scalar kernel over that of the vectorised one, 1×4096×16384",
    ),
)
