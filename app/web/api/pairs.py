"""GET /pairs: what each classic fault costs on a device."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.domain.vocabulary import CacheState, Dtype
from app.services.pairs_view import PairRow, PairSide, pairs_view
from app.web.api.paging import Page
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/pairs", tags=["pairs"])
DeviceUuid = Annotated[
    str | None,
    Query(max_length=200, description="UUID of a device with measurements; the first one if left out."),
]


class PairSideOut(BaseModel):
    """One stage of a pair; everything measured is null where it has no sound measurement."""

    stage: str = Field(examples=["misaligned"])
    title: str
    mechanism: str
    median_s: float | None
    ci_low_s: float | None = Field(description="95 % interval of the median; null where n is too small.")
    ci_high_s: float | None
    run_id: int | None
    measured_at: datetime | None
    imported: bool
    registers: int | None = Field(description="Of a thread, from the compiler's report, as the next two.")
    spill_bytes: int | None
    stack_bytes: int | None
    reason: str | None = Field(description="Why there is no measurement.")

    @classmethod
    def of(cls, side: PairSide) -> PairSideOut:
        """The side as the interface gives it."""
        cell, report = side.cell, side.compiler
        return cls(
            stage=side.stage.name,
            title=side.stage.title,
            mechanism=side.stage.mechanism,
            median_s=cell.measurement.median_s if cell else None,
            ci_low_s=cell.measurement.ci_low_s if cell else None,
            ci_high_s=cell.measurement.ci_high_s if cell else None,
            run_id=cell.run_id if cell else None,
            measured_at=cell.measured_at if cell else None,
            imported=cell.imported if cell else False,
            registers=report.registers if report else None,
            spill_bytes=report.spill_bytes if report else None,
            stack_bytes=report.stack_bytes if report else None,
            reason=side.reason or None,
        )


class PairOut(BaseModel):
    """A fault and its cure at one size."""

    problem: str = Field(examples=["alignment"])
    title: str
    question: str
    fault: str
    sign: str = Field(description="The counter or compiler fact that shows the fault.")
    cure: str
    lesson: str
    source: str | None = Field(description="Where the lectures describe it.")
    size: dict[str, int]
    dtype: Dtype
    cache: CacheState
    faulty: PairSideOut
    cured: PairSideOut
    ratio: float | None = Field(description="Time of the faulty stage over that of the cured one.")
    ratio_low: float | None = Field(description="From the far ends of both 95 % intervals.")
    ratio_high: float | None

    @classmethod
    def of(cls, row: PairRow) -> PairOut:
        """The pair as the interface gives it."""
        pair, cost = row.pair, row.cost
        return cls(
            problem=pair.problem,
            title=row.problem.title,
            question=row.problem.question,
            fault=pair.fault,
            sign=pair.sign,
            cure=pair.cure,
            lesson=pair.lesson,
            source=pair.source,
            size=row.size.as_dict(),
            dtype=row.dtype,
            cache=row.cache,
            faulty=PairSideOut.of(row.faulty),
            cured=PairSideOut.of(row.cured),
            ratio=cost.ratio if cost else None,
            ratio_low=cost.low if cost else None,
            ratio_high=cost.high if cost else None,
        )


class PairsOut(Page[PairOut]):
    """Every pair at its suite sizes, in name order, all on one page."""

    device: str | None = Field(description="UUID of the device, null where nothing was ever measured.")
    device_name: str | None


@router.get("")
def pairs(store: StoreDep, device: DeviceUuid = None) -> PairsOut:
    """Each pair with both times, or why there is none; `roofladder run --suite diagnosis_pairs` measures."""
    view = pairs_view(store, device)
    evidence = view.choice.evidence
    return PairsOut(
        items=[PairOut.of(row) for row in view.rows],
        next=None,
        device=view.choice.uuid,
        device_name=evidence.device.name if evidence else None,
    )
