"""GET /incidents: faults from production, replayed on a device."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from app.claims.incidents.incident import ModelledCounter
from app.claims.published import Cell
from app.domain.evidence import MeasuredCell
from app.services.incidents_view import IncidentView, incident_view, incidents_view
from app.web.api.claims import ClaimOut, DeviceUuid
from app.web.api.paging import Page
from app.web.api.problems import problems
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/incidents", tags=["incidents"])


class SideOut(BaseModel):
    """Before or after: the cell that replays it, what was published and what was measured here."""

    title: str
    problem: str
    stage: str
    size: str = Field(examples=["rows=3072,columns=3072"])
    published_s: float
    here_s: float | None = Field(description="Median on this device, null where it is not measured.")
    run_id: int | None
    imported: bool

    @classmethod
    def of(cls, title: str, cell: Cell, published_s: float, found: MeasuredCell | None) -> SideOut:
        """One side as the interface gives it."""
        return cls(
            title=title,
            problem=cell.problem,
            stage=cell.stage,
            size=cell.size.key,
            published_s=published_s,
            here_s=found.measurement.median_s if found else None,
            run_id=found.run_id if found else None,
            imported=found.imported if found else False,
        )


class IncidentOut(BaseModel):
    """One incident on the device. `factor` is null where nothing was ever measured."""

    name: str = Field(examples=["transpose"])
    title: str
    source: str
    device: str | None
    happened: str
    context: str = Field(description="Figures of the story that no benchmark replays.")
    before: SideOut
    after: SideOut
    factor: ClaimOut | None
    figures: list[ClaimOut]
    counters: list[ModelledCounter] = Field(description="Modelled for one request; not counted by hardware.")
    caveat: str
    lesson: str

    @classmethod
    def of(cls, view: IncidentView) -> IncidentOut:
        """The incident as the interface gives it."""
        one = view.incident
        return cls(
            name=one.name,
            title=one.title,
            source=one.source,
            device=view.choice.uuid,
            happened=one.happened,
            context=one.context,
            before=SideOut.of(one.before_title, one.before, one.published_before_s, view.before),
            after=SideOut.of(one.after_title, one.after, one.published_after_s, view.after),
            factor=ClaimOut.of(view.factor) if view.factor else None,
            figures=[ClaimOut.of(judged) for judged in view.figures],
            counters=list(one.counters),
            caveat=one.caveat,
            lesson=one.lesson,
        )


@router.get("")
def incidents(store: StoreDep, device: DeviceUuid = None) -> Page[IncidentOut]:
    """Every incident, replayed on the device."""
    view = incidents_view(store, device)
    return Page(items=[IncidentOut.of(one) for one in view.items], next=None)


@router.get("/{name}", responses=problems(404))
def incident(
    store: StoreDep,
    name: Annotated[str, Path(max_length=80, description="The incident's name.")],
    device: DeviceUuid = None,
) -> IncidentOut:
    """One incident."""
    return IncidentOut.of(incident_view(store, name, device))
