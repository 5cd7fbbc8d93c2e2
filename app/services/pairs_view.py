"""Diagnosis pairs on one device: what each fault costs, and what the compiler said of it."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.measurement import CellKey, CompilerReport
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, Provenance
from app.kernels.pair import Pair, pairs
from app.kernels.problem import Problem
from app.kernels.registry import problem
from app.kernels.stage import Stage
from app.services.device_choice import DeviceChoice, choose_device
from app.storage.store import Store

NEVER = "not measured on this device"


@dataclass(frozen=True)
class PairSide:
    """One stage of a pair: its measurement, or why there is none."""

    stage: Stage
    cell: MeasuredCell | None
    reason: str  # "" where it was measured

    @property
    def compiler(self) -> CompilerReport | None:
        """What the compiler said, where it was measured from source."""
        return self.cell.measurement.compiler if self.cell else None


@dataclass(frozen=True)
class PairCost:
    """Time of the faulty stage over time of the cured one.

    low and high are the ratio of the far ends of both 95 % intervals, so they hold the ratio at least as
    often; None where a series was too short for an interval.
    """

    ratio: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class PairRow:
    """One pair at one size, in the cache state that its problem is measured in first."""

    pair: Pair
    problem: Problem
    size: Size
    dtype: Dtype
    cache: CacheState
    faulty: PairSide
    cured: PairSide

    @property
    def sides(self) -> tuple[PairSide, PairSide]:
        """The faulty and the cured stage."""
        return self.faulty, self.cured

    @property
    def size_title(self) -> str:
        """The size in the words of its problem."""
        return self.problem.size_title(self.size)

    @property
    def cost(self) -> PairCost | None:
        """None while one of the two has no sound measurement."""
        if self.faulty.cell is None or self.cured.cell is None:
            return None
        bad, good = self.faulty.cell.measurement, self.cured.cell.measurement
        return PairCost(
            ratio=bad.median_s / good.median_s,
            low=_quotient(bad.ci_low_s, good.ci_high_s),
            high=_quotient(bad.ci_high_s, good.ci_low_s),
        )

    @property
    def provenance(self) -> Provenance:
        """Imported where one of the numbers came from another machine."""
        imported = any(side.cell and side.cell.imported for side in self.sides)
        return Provenance.IMPORTED if imported else Provenance.MEASURED


@dataclass(frozen=True)
class PairsView:
    """Every pair at its suite sizes, in name order."""

    choice: DeviceChoice
    rows: tuple[PairRow, ...]

    @property
    def measured_count(self) -> int:
        """Pairs of which both stages were measured."""
        return sum(row.cost is not None for row in self.rows)


def pairs_view(store: Store, device_uuid: str | None) -> PairsView:
    """Every pair on the device. Raises InvalidInputError for a device without measurements."""
    choice = choose_device(store, device_uuid)
    rows = tuple(
        _row(pair, size, choice.evidence) for pair in pairs().values() for size in _problem(pair).suite_sizes
    )
    return PairsView(choice, rows)


def _problem(pair: Pair) -> Problem:
    return problem(pair.problem)


def _row(pair: Pair, size: Size, evidence: DeviceEvidence | None) -> PairRow:
    own = _problem(pair)
    cache, dtype = own.caches[0], own.dtypes[0]
    faulty, cured = (
        _side(stage, CellKey(own.name, stage.name, size, dtype), cache, evidence) for stage in pair.stages
    )
    return PairRow(pair, own, size, dtype, cache, faulty, cured)


def _side(stage: Stage, key: CellKey, cache: CacheState, evidence: DeviceEvidence | None) -> PairSide:
    if evidence is None:
        return PairSide(stage, None, NEVER)
    cell = evidence.sound(key.problem, key.stage, key.size, cache, key.dtype)
    if cell is not None:
        return PairSide(stage, cell, "")
    if (key, cache) in evidence.cells:
        return PairSide(stage, None, "measured, but wrong or quarantined: not used")
    fate = evidence.fates.get(key)
    return PairSide(stage, None, (fate.outcome.reason if fate else "") or NEVER)


def _quotient(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None
