"""Claims of the matmul table (MISSION's material L24 experiments 1 to 4): stage by stage at 4096 cubed.

The figures stand with the stages that they speak of; rates of an A100 are compared as shares and steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from app.claims.looking import Measured, Modelled
from app.claims.published import Cell, PublishedClaim, Quantity, Section
from app.claims.rules import AtLeast, AtMost, Between, Computed, Ordering, Rule, WithinFraction
from app.claims.stage_figures import rule_of
from app.domain.claim import Claim
from app.domain.measurement import Measurement
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Level, Metric
from app.kernels.registry import stage, stages
from app.kernels.stage import Stage

CUBE = Size.of(m=4096, n=4096, k=4096)
STEP_TOLERANCE = 0.25
RUNGS = ("naive", "coalesced", "block_tile", "register_tile", "double_buffer")


def cell(name: str, size: Size = CUBE) -> Cell:
    """A rung at 4096 cubed, cold."""
    return Cell("matmul", name, size)


def _share_of_roof(name: str) -> Measured:
    """As the ladder states it: of the data sheet's peak at boost clock, as the lectures do."""
    return Measured((cell(name),), lambda m: m.roof_fraction_boost, "rate ÷ FP32 peak at boost clock")


def _claim(rung: Stage, published: Claim) -> PublishedClaim | None:
    make = _BY_METRIC.get(published.metric)
    return make(rung, published) if make else None


def _share(rung: Stage, published: Claim) -> PublishedClaim:
    return PublishedClaim(
        id=f"matmul-{rung.name.replace('_', '-')}-share",
        section=Section.MATMUL,
        statement=f"{rung.title} reaches the claimed share of the FP32 roof at 4096³.",
        source=published.source,
        said_of=published.device,
        claimed=_number(published),
        quantity=Quantity.FRACTION,
        rule=_rule(published),
        look=_share_of_roof(rung.name),
        compared="share of this device's own FP32 peak",
    )


def _step(rung: Stage, published: Claim) -> PublishedClaim | None:
    parent = stage("matmul", BackendName.CUDA, rung.improves_on) if rung.improves_on else None
    before = _figure(parent, Metric.FLOP_PER_S) if parent else None
    if parent is None or before is None:
        return None
    factor = _number(published) / before
    return PublishedClaim(
        id=f"matmul-{rung.name.replace('_', '-')}-step",
        section=Section.MATMUL,
        statement=f"{rung.title} is as much faster than {parent.title.lower()} as claimed, at 4096³.",
        source=published.source,
        said_of=published.device,
        claimed=factor,
        quantity=Quantity.FACTOR,
        rule=WithinFraction(factor, STEP_TOLERANCE),
        look=Measured(
            (cell(parent.name), cell(rung.name)), lambda a, b: a.median_s / b.median_s, "ratio of the medians"
        ),
        compared="the step between the two rungs; the rates of another device do not compare",
    )


def _intensity(rung: Stage, published: Claim) -> PublishedClaim:
    return PublishedClaim(
        id=f"matmul-{rung.name.replace('_', '-')}-intensity",
        section=Section.MATMUL,
        statement=f"{rung.title} has the claimed arithmetic intensity.",
        source=published.source,
        said_of=published.device,
        claimed=_number(published),
        quantity=Quantity.FLOP_PER_BYTE,
        rule=_rule(published),
        look=Modelled(
            lambda: rung.cost(CUBE, Dtype.FLOAT32).intensity(Level.DRAM) or 0.0,
            "2·M·N·K ÷ operand bytes by the stage's own tiles",
        ),
        compared="FLOP per byte asked of DRAM by the tiles, as if no cache existed",
    )


_BY_METRIC: Mapping[Metric, Callable[[Stage, Claim], PublishedClaim | None]] = {
    Metric.ROOF_FRACTION: _share,
    Metric.FLOP_PER_S: _step,
    Metric.INTENSITY: _intensity,
}


def _figure(rung: Stage, metric: Metric) -> float | None:
    return next((_number(c) for c in rung.claims if c.metric is metric), None)


def _rule(published: Claim) -> Rule:
    rule = rule_of(published)
    assert rule is not None
    return rule


def _number(published: Claim) -> float:
    assert not isinstance(published.value, str)
    return published.value


def _smallest_step(*rungs: Measurement) -> float:
    return min(before.median_s / after.median_s for before, after in pairwise(rungs))


def _of_stages() -> tuple[PublishedClaim, ...]:
    made = (
        _claim(rung, published) for rung in stages("matmul", BackendName.CUDA) for published in rung.claims
    )
    return tuple(claim for claim in made if claim is not None)


CLAIMS = (
    *_of_stages(),
    PublishedClaim(
        "matmul-order",
        Section.MATMUL,
        "Every rung from naive to double buffer is faster than the one before.",
        "L24 §0.3",
        "A100",
        "each faster",
        Quantity.FACTOR,
        Ordering(),
        Measured(tuple(cell(name) for name in RUNGS), _smallest_step, "smallest of the four steps"),
        "the smallest step between neighbouring rungs",
    ),
    PublishedClaim(
        "matmul-naive-time",
        Section.MATMUL,
        "0.25 TFLOP/s means 548 ms at 4096³.",
        "L24 stage 0",
        "A100",
        0.548,
        Quantity.SECONDS,
        Computed(0.548),
        Modelled(lambda: 2 * 4096**3 / 0.25e12, "2·4096³ ÷ 0.25 TFLOP/s"),
        "the time that the rate implies",
    ),
    PublishedClaim(
        "matmul-block-tile-ten-times",
        Section.STATEMENTS,
        "A shared-memory tile is over 10 times as fast as the naive kernel as printed (lanes along N).",
        "L24 stage 2",
        "A100",
        10.0,
        Quantity.FACTOR,
        AtLeast(10),
        Measured(
            (cell("coalesced"), cell("block_tile")),
            lambda a, b: a.median_s / b.median_s,
            "coalesced ÷ block tile",
        ),
        "ratio of the medians at 4096³",
    ),
    PublishedClaim(
        "matmul-naive-walk",
        Section.STATEMENTS,
        "The naive kernel's rate is one figure, whichever way its warps walk.",
        "L24 stage 0 and its printed listing",
        "A100",
        1.0,
        Quantity.FACTOR,
        Between(0.9, 1.1),
        Measured(
            (cell("naive"), cell("coalesced")), lambda a, b: a.median_s / b.median_s, "column walk ÷ row walk"
        ),
        "time of the column walk over that of the walk along rows",
    ),
    PublishedClaim(
        "matmul-shared-roof-stops-block-tile",
        Section.MODELS,
        "The shared-memory roof stops the block tile at 20 to 25 % of the FP32 roof.",
        "L24 stage 2",
        "A100",
        "20–25 %",
        Quantity.FRACTION,
        Between(0.20, 0.25),
        _share_of_roof("block_tile"),
        "share of this device's own FP32 peak",
    ),
    PublishedClaim(
        "matmul-double-buffer-gain",
        Section.STATEMENTS,
        "Double buffering is worth about 15 %.",
        "L24 §2",
        "A100",
        0.15,
        Quantity.CHANGE,
        Between(0.10, 0.20),
        Measured(
            (cell("register_tile"), cell("double_buffer")),
            lambda a, b: a.median_s / b.median_s - 1,
            "register tile ÷ double buffer − 1",
        ),
        "gain over the register tile at 4096³",
    ),
    PublishedClaim(
        "matmul-own-cannot-beat-library",
        Section.STATEMENTS,
        "A kernel written by hand cannot beat cuBLAS.",
        "L24 §0",
        "any GPU",
        "at most 1×",
        Quantity.FACTOR,
        AtMost(1.0),
        Measured(
            (cell("cublas"), cell("double_buffer")),
            lambda library, own: library.median_s / own.median_s,
            "cuBLAS ÷ double buffer",
        ),
        "rate of the best own FP32 rung over cuBLAS SGEMM at 4096³",
    ),
    PublishedClaim(
        "matmul-tile-ends-the-story",
        Section.STATEMENTS,
        "With the shared-memory tile the story ends: what follows brings little.",
        "L2.3 lab",
        "T4",
        "at most 1.1×",
        Quantity.FACTOR,
        AtMost(1.1),
        Measured(
            (cell("block_tile"), cell("double_buffer")),
            lambda a, b: a.median_s / b.median_s,
            "block tile ÷ double buffer",
        ),
        "what the rungs after the block tile bring",
    ),
    PublishedClaim(
        "matmul-fp32-limit",
        Section.MATMUL,
        "What bounds the double-buffered rung is the FP32 roof itself.",
        "L24 stage 4",
        "A100",
        "at least 90 %",
        Quantity.FRACTION,
        AtLeast(0.9),
        _share_of_roof("double_buffer"),
        "share of this device's own FP32 peak",
    ),
)
