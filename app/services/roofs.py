"""The roofs of a run in the order in which charts and pages ask for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.analysis.roofline import roof_at_clock
from app.domain.ceiling_names import BANDWIDTH_CEILINGS, COMPUTE_CEILINGS
from app.domain.measurement import Ceiling
from app.domain.vocabulary import Arithmetic, Provenance

HELD_CLOCK_DIFFERS = 0.02  # below this the roof at the held clock is the same line


class _Highest(Protocol):
    def __call__(self, names: Sequence[str], *, stated: bool = False) -> Ceiling | None: ...


@dataclass(frozen=True)
class ComputeRoof:
    """The roof of one arithmetic, measured and stated."""

    arithmetic: Arithmetic
    measured: Ceiling | None
    stated: Ceiling | None

    @property
    def best(self) -> Ceiling | None:
        """The measured one, else the stated one."""
        return self.measured or self.stated


@dataclass(frozen=True)
class Roofs:
    """Bandwidth in bytes/s and compute in FLOP/s; None where it was not measured or is not stated.

    The compute roof is that of `arithmetic`; `others` holds those of what else a ladder computes in.
    """

    arithmetic: Arithmetic = Arithmetic.FP32
    compute: Ceiling | None = None
    compute_datasheet: Ceiling | None = None
    bandwidth: Ceiling | None = None
    bandwidth_datasheet: Ceiling | None = None
    l2: Ceiling | None = None  # measured
    shared: Ceiling | None = None  # measured
    library: Ceiling | None = None  # the rate of the vendor's library, the CPU's practical roof
    others: tuple[ComputeRoof, ...] = ()

    @property
    def held_clock_hz(self) -> float | None:
        """The clock that the compute roof was measured at."""
        return self.compute.sm_clock_hz if self.compute else None

    @property
    def compute_at_held_clock(self) -> float | None:
        """The stated compute roof scaled to the held clock, when that differs by more than 2 %."""
        stated, held = self.compute_datasheet, self.held_clock_hz
        if stated is None or held is None or not stated.boost_clock_hz:
            return None
        scaled = roof_at_clock(stated.value, stated.boost_clock_hz, held)
        return scaled if abs(1 - scaled / stated.value) > HELD_CLOCK_DIFFERS else None

    @property
    def best_compute(self) -> Ceiling | None:
        """The measured compute roof, else the stated one."""
        return self.compute or self.compute_datasheet

    @property
    def best_bandwidth(self) -> Ceiling | None:
        """The measured bandwidth roof, else the stated one."""
        return self.bandwidth or self.bandwidth_datasheet

    @property
    def highest_compute(self) -> float | None:
        """The larger of the measured and the stated compute roof, in FLOP/s."""
        values = [c.value for c in (self.compute, self.compute_datasheet) if c]
        return max(values, default=None)

    @property
    def every(self) -> tuple[Ceiling, ...]:
        """All that bound the ladder: bandwidths, arithmetic, the library; measured before stated."""
        bandwidths = (self.bandwidth, self.bandwidth_datasheet, self.l2, self.shared)
        library = (self.library,) if self.library else ()
        return (*(c for c in bandwidths if c), *self.every_compute, *library)

    @property
    def every_compute(self) -> tuple[Ceiling, ...]:
        """All compute roofs, the main arithmetic's first."""
        further = [c for other in self.others for c in (other.measured, other.stated)]
        return tuple(c for c in (self.compute, self.compute_datasheet, *further) if c)


def roofs_of(ceilings: Sequence[Ceiling], arithmetics: Sequence[Arithmetic] = (Arithmetic.FP32,)) -> Roofs:
    """Sort a run's ceilings by kind and source; among equals the highest counts.

    `arithmetics`: what the stages beside these roofs compute in, the main one first.
    """

    def highest(names: Sequence[str], *, stated: bool = False) -> Ceiling | None:
        found = [c for c in ceilings if c.name in names and (c.source is Provenance.DATASHEET) is stated]
        return max(found, key=lambda c: c.value, default=None)

    main, *others = [_compute_roof(arithmetic, highest) for arithmetic in arithmetics]
    return Roofs(
        arithmetic=main.arithmetic,
        compute=main.measured,
        compute_datasheet=main.stated,
        bandwidth=highest(BANDWIDTH_CEILINGS),
        bandwidth_datasheet=highest(BANDWIDTH_CEILINGS, stated=True),
        l2=highest(("l2_read",)),
        shared=highest(("shared_read",)),
        library=next((c for c in ceilings if c.name.startswith("blas")), None),
        others=tuple(other for other in others if other.best),
    )


def main_arithmetics(arithmetics: Sequence[Arithmetic]) -> tuple[Arithmetic, ...]:
    """Each arithmetic of a ladder once, that of most stages first; FP32 where none is known."""
    counted = Counter(a for a in arithmetics if a is not Arithmetic.NONE)
    return tuple(arithmetic for arithmetic, _ in counted.most_common()) or (Arithmetic.FP32,)


def _compute_roof(arithmetic: Arithmetic, highest: _Highest) -> ComputeRoof:
    names = [n for n in COMPUTE_CEILINGS.get(arithmetic, ()) if not n.startswith("blas")]
    return ComputeRoof(arithmetic, highest(names), highest(names, stated=True))
