"""Everything that is known of one device, gathered over its runs: what claims, theories and pages look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.device import Device
from app.domain.measurement import Ceiling, CellKey, CellOutcome, Measurement
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, Health, Provenance


@dataclass(frozen=True)
class MeasuredCell:
    """A measurement and the run it comes from."""

    run_id: int
    measured_at: datetime
    imported: bool
    measurement: Measurement


@dataclass(frozen=True)
class CellFate:
    """What became of a cell and in which run."""

    run_id: int
    outcome: CellOutcome


@dataclass(frozen=True)
class DeviceCoverage:
    """How much is measured of a device: series by problem, and whether every run of it was imported."""

    device: Device
    imported: bool
    series_counts: Mapping[str, int]


@dataclass(frozen=True)
class DeviceEvidence:
    """The newest measurement of each cell and cache state, and the newest ceilings, of one device.

    `ceilings` by name and source (measured or data sheet). Quarantined and wrong measurements are kept:
    `sound` is what to ask for numbers. `traps` names the problems whose stages are wrong on purpose.
    """

    device: Device
    cells: Mapping[tuple[CellKey, CacheState], MeasuredCell]
    fates: Mapping[CellKey, CellFate]
    ceilings: Mapping[tuple[str, Provenance], tuple[int, Ceiling]]
    traps: frozenset[str] = field(default_factory=frozenset)

    def sound(
        self, problem: str, stage: str, size: Size, cache: CacheState, dtype: Dtype = Dtype.FLOAT32
    ) -> MeasuredCell | None:
        """The newest measurement of that cell, or None where it was wrong, quarantined or is a trap's."""
        if problem in self.traps:
            return None
        found = self.cells.get((CellKey(problem, stage, size, dtype), cache))
        if found is None or not found.measurement.correctness.passed:
            return None
        return None if found.measurement.health is Health.QUARANTINED else found

    def roof(self, name: str, source: Provenance = Provenance.MEASURED) -> float | None:
        """Value of a ceiling in bytes/s or FLOP/s, or None where it is not known."""
        found = self.ceilings.get((name, source))
        return found[1].value if found else None
