"""GET /traps: what fools a benchmark, and what the product said of it on a device."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.services.traps import TrapRow, TrapVerdict, traps_view
from app.web.api.paging import Page
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/traps", tags=["traps"])
DeviceUuid = Annotated[
    str | None,
    Query(max_length=200, description="UUID of a device with measurements; the first one if left out."),
]


class TrapOut(BaseModel):
    """One failing variant."""

    problem: str = Field(examples=["trap_copy"])
    stage: str = Field(examples=["no_synchronisation"])
    title: str
    fools: str = Field(description="How it misleads.")
    expected: str = Field(description="Part of what the product must say.")
    verdict: TrapVerdict
    said: str | None = Field(description="What the product said on this device; null where it said nothing.")
    run_id: int | None = Field(description="The run that tried it.")

    @classmethod
    def of(cls, row: TrapRow) -> TrapOut:
        """The trap as the interface gives it."""
        return cls(
            problem=row.problem.name,
            stage=row.stage.name,
            title=row.stage.title,
            fools=row.fools,
            expected=row.expected,
            verdict=row.verdict,
            said=row.said or None,
            run_id=row.run_id,
        )


class TrapsOut(Page[TrapOut]):
    """Every trap with its fate on the device."""

    device: str | None = Field(description="UUID of the device, null where nothing was ever measured.")
    counts: dict[TrapVerdict, int]


@router.get("")
def traps(store: StoreDep, device: DeviceUuid = None) -> TrapsOut:
    """Each trap: caught, not caught, or not run on this device."""
    view = traps_view(store, device)
    return TrapsOut(
        items=[TrapOut.of(row) for row in view.rows],
        next=None,
        device=view.choice.uuid,
        counts=dict(view.counts),
    )
