"""Claims about shared memory, registers and residency that measurements decide (L22 §4, §6, L2.3 lab)."""

from __future__ import annotations

from functools import partial

from app.claims.cells import lab
from app.claims.looking import Measured, Reported, faster
from app.claims.published import Cell, Quantity, Section, published
from app.claims.rules import AtLeast, Ordering, Same, WithinFraction
from app.domain.measurement import Measurement

CONFLICT_TOLERANCE = 0.25  # a read costs more than its wavefronts
ODD_STRIDES = tuple(range(1, 34, 2))


_claim = partial(published, section=Section.MEMORY, said_of="any GPU")


def _read(stride: int, sharers: int = 1) -> Cell:
    return lab("bank_conflict", "warp_read", stride=stride, sharers=sharers)


def _slowdown(stride: int, sharers: int = 1) -> Measured:
    return faster(_read(stride, sharers), _read(1), f"stride {stride}, {sharers} lanes a word ÷ stride 1")


def _slowest_over_first(first: Measurement, *others: Measurement) -> float:
    return max(one.median_s for one in others) / first.median_s


def _best_over_256(*blocks: Measurement) -> float:
    return min(one.median_s for one in blocks) / blocks[0].median_s


_BANKS = (
    _claim(
        "banks-measured-32",
        "A 32-way conflict takes 32 times as long.",
        "L22 §7.4",
        32.0,
        Quantity.FACTOR,
        WithinFraction(32, CONFLICT_TOLERANCE),
        _slowdown(32),
        "time of a read at stride 32 over stride 1",
    ),
    _claim(
        "banks-measured-8",
        "A stride of 8 words costs as much as a 32-way conflict.",
        "L22 §4",
        32.0,
        Quantity.FACTOR,
        WithinFraction(32, CONFLICT_TOLERANCE),
        _slowdown(8),
        "time of a read at stride 8 over stride 1",
        section=Section.STATEMENTS,
    ),
    _claim(
        "banks-measured-broadcast",
        "A word that all lanes share is free.",
        "L22 §7.4",
        1.0,
        Quantity.FACTOR,
        Same(),
        _slowdown(32, 32),
        "time of a broadcast over stride 1",
        section=Section.STATEMENTS,
    ),
    _claim(
        "banks-measured-multicast",
        "Two words of one bank, 16 lanes each, take twice as long.",
        "L22 §7.4",
        2.0,
        Quantity.FACTOR,
        WithinFraction(2, CONFLICT_TOLERANCE),
        _slowdown(32, 16),
        "time of the request over stride 1",
        section=Section.QUESTIONS,
    ),
    _claim(
        "banks-measured-odd",
        "Odd strides are free.",
        "L22 §4",
        1.0,
        Quantity.FACTOR,
        Same(),
        Measured(
            tuple(_read(stride) for stride in ODD_STRIDES),
            _slowest_over_first,
            "slowest odd stride ÷ stride 1",
        ),
        "slowest of the strides 3, 5 … 33 over stride 1",
        section=Section.STATEMENTS,
    ),
)
_SPILLING = (
    _claim(
        "spill-lecture-slower",
        "Forcing 8 blocks an SM makes the lecture's kernel several times slower.",
        "L22 §7.5",
        "at least 2×",
        Quantity.FACTOR,
        AtLeast(2),
        faster(
            lab("occupancy_spill", "lecture_forced"), lab("occupancy_spill", "lecture_free"), "forced ÷ free"
        ),
        "time of the forced kernel over the free one",
        said_of="A100",
    ),
    _claim(
        "spill-lecture-bytes",
        "Forcing 8 blocks an SM spills 40 variables of the lecture's kernel.",
        "L22 §7.5",
        160.0,
        Quantity.BYTES,
        AtLeast(160),
        Reported((lab("occupancy_spill", "lecture_forced"),), lambda r: r.spill_bytes, "compiler report"),
        "bytes spilled a thread, stores and loads",
        section=Section.STATEMENTS,
        said_of="A100",
    ),
    _claim(
        "spill-real-slower",
        "A kernel that truly spills is several times slower.",
        "L22 §7.5",
        "at least 2×",
        Quantity.FACTOR,
        AtLeast(2),
        faster(lab("occupancy_spill", "capped"), lab("occupancy_spill", "free"), "capped ÷ free"),
        "time of the capped kernel over the free one, 64 live values",
        said_of="A100",
    ),
    _claim(
        "occupancy-ratio",
        "128 registers at 25 % occupancy are 3.6 times as fast as 32 registers at 100 %.",
        "L22 §6",
        3.6,
        Quantity.FACTOR,
        WithinFraction(3.6, 0.25),
        faster(lab("occupancy", "full"), lab("occupancy", "quarter"), "100 % ÷ 25 %"),
        "ratio of the two rates; the printed rates are above an A100's peak",
        section=Section.STATEMENTS,
        said_of="A100",
    ),
    _claim(
        "occupancy-loses",
        "100 % occupancy loses to 30 %.",
        "L22 §6",
        "slower",
        Quantity.FACTOR,
        Ordering(),
        faster(lab("occupancy", "full"), lab("occupancy", "quarter"), "100 % ÷ 25 %"),
        "time at full occupancy over time at a quarter",
        section=Section.STATEMENTS,
        said_of="A100",
    ),
    _claim(
        "block-256-best",
        "Blocks of 128 or 256 threads are the right choice.",
        "L22 §8",
        "within 5 % of the best",
        Quantity.FRACTION,
        AtLeast(0.95),
        Measured(
            tuple(lab("block_size", f"threads_{n}") for n in (256, 32, 64, 128, 512, 1024)),
            _best_over_256,
            "best time ÷ time with 256 threads",
        ),
        "rate with 256 threads over the best",
        section=Section.CHECKLISTS,
    ),
    _claim(
        "block-32-slow",
        "Never launch fewer than 64 threads a block.",
        "L22 §8",
        "slower",
        Quantity.FACTOR,
        Ordering(0.05),
        faster(lab("block_size", "threads_32"), lab("block_size", "threads_256"), "32 ÷ 256 threads"),
        "time with 32 threads over time with 256",
        section=Section.CHECKLISTS,
    ),
)
CLAIMS = (*_BANKS, *_SPILLING)
