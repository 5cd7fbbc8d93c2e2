"""Claims of the lab of L2.3: naive against padded tile at N = 1024, and the sweep of tile edges."""

from __future__ import annotations

from functools import partial

from app.analysis.occupancy import occupancy, sm_limits
from app.claims.arithmetic import EXACT
from app.claims.cells import lab
from app.claims.looking import Reported, faster
from app.claims.published import PublishedClaim, Quantity, Section, published
from app.claims.rules import AtMost, Between, Computed, Ordering, WithinFraction
from app.domain.device import Device
from app.domain.measurement import CompilerReport

_claim = partial(published, section=Section.MATMUL, said_of="T4")


def _tile_occupancy(device: Device, report: CompilerReport) -> float:
    major, _, minor = (device.compute_capability or "0.0").partition(".")
    limits = sm_limits((int(major), int(minor or 0)))
    if limits is None:
        return 0.0
    return occupancy(limits, 1024, report.registers, report.static_shared_bytes).fraction


def _shared_bytes(edge: int, stage: str, row: int) -> PublishedClaim:
    claimed = 2 * edge * row * 4
    return _claim(
        f"{stage.replace('_', '-')}-shared-bytes",
        f"Two tiles [{edge}][{row}] take {claimed} bytes of shared memory a block.",
        "L2.3 lab",
        float(claimed),
        Quantity.BYTES,
        Computed(claimed, EXACT),
        Reported((lab("padded_tile", stage),), lambda r: r.static_shared_bytes, "compiler report"),
        "static shared memory of the compiled kernel",
        said_of="T4",
    )


CLAIMS = (
    _claim(
        "lab-padded-tile",
        "The padded tile is 5.38 times as fast as the naive kernel at N = 1024.",
        "L2.3 lab",
        5.38,
        Quantity.FACTOR,
        WithinFraction(5.38),
        faster(lab("padded_tile", "naive"), lab("padded_tile", "padded_16"), "naive ÷ padded tile"),
        "ratio of the medians at 1024³",
        section=Section.MATMUL,
        said_of="T4",
    ),
    _claim(
        "lab-padded-tile-usual",
        "A tile usually brings 4 to 10 times.",
        "L2.3 lab",
        "4–10×",
        Quantity.FACTOR,
        Between(4, 10),
        faster(lab("padded_tile", "naive"), lab("padded_tile", "padded_16"), "naive ÷ padded tile"),
        "ratio of the medians at 1024³",
        section=Section.MATMUL,
        said_of="T4",
    ),
    _claim(
        "lab-bigger-tile",
        "A bigger tile is better: 32 beats 16.",
        "L2.3 lab",
        "faster",
        Quantity.FACTOR,
        Ordering(),
        faster(lab("padded_tile", "padded_16"), lab("padded_tile", "padded_32"), "tile 16 ÷ tile 32"),
        "time with tile 16 over time with tile 32",
        section=Section.QUESTIONS,
        said_of="T4",
    ),
    _claim(
        "lab-unpadded-slow",
        "Without the word of padding the lab's tile of 16 is slower.",
        "L2.3 lab",
        "slower",
        Quantity.FACTOR,
        Ordering(0.02),
        faster(lab("padded_tile", "unpadded_16"), lab("padded_tile", "padded_16"), "unpadded ÷ padded"),
        "time without padding over time with",
        section=Section.MATMUL,
        said_of="T4",
    ),
    _claim(
        "lab-tile-32-occupancy",
        "TILE 32 loses occupancy.",
        "L2.3 lab",
        "below 100 %",
        Quantity.FRACTION,
        AtMost(0.99),
        Reported(
            (lab("padded_tile", "padded_32"),),
            _tile_occupancy,
            "model, from the compiled kernel's needs",
            with_device=True,
        ),
        "occupancy that its registers and shared memory allow here",
        section=Section.STATEMENTS,
        said_of="T4",
    ),
    *(_shared_bytes(edge, f"padded_{edge}", edge + 1) for edge in (8, 16, 32)),
    _shared_bytes(16, "unpadded_16", 16),
)
