"""The roofs of a run in the order in which charts and pages ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.analysis.roofline import roof_at_clock
from app.domain.measurement import Ceiling
from app.domain.vocabulary import Provenance

_DRAM = ("dram_copy", "stream_triad")  # not dram_read: what a stage writes counts too
HELD_CLOCK_DIFFERS = 0.02  # below this the roof at the held clock is the same line


@dataclass(frozen=True)
class Roofs:
    """Bandwidth in bytes/s and compute in FLOP/s; None where it was not measured or is not stated."""

    compute: Ceiling | None = None
    compute_datasheet: Ceiling | None = None
    bandwidth: Ceiling | None = None
    bandwidth_datasheet: Ceiling | None = None
    l2: Ceiling | None = None  # measured
    shared: Ceiling | None = None  # measured
    library: Ceiling | None = None  # the rate of the vendor's library, the CPU's practical roof

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


def roofs_of(ceilings: Sequence[Ceiling]) -> Roofs:
    """Sort a run's ceilings by kind and source; among equals the highest counts."""

    def highest(kind: str, *names: str, stated: bool = False) -> Ceiling | None:
        found = [
            c
            for c in ceilings
            if c.kind == kind
            and (c.source is Provenance.DATASHEET) is stated
            and not c.name.startswith("blas")
            and (not names or c.name in names)
        ]
        return max(found, key=lambda c: c.value, default=None)

    return Roofs(
        compute=highest("compute"),
        compute_datasheet=highest("compute", stated=True),
        bandwidth=highest("bandwidth", *_DRAM),
        bandwidth_datasheet=highest("bandwidth", *_DRAM, stated=True),
        l2=highest("bandwidth", "l2_read"),
        shared=highest("bandwidth", "shared_read"),
        library=next((c for c in ceilings if c.name.startswith("blas")), None),
    )
