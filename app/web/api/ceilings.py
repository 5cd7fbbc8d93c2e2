"""GET /ceilings: the roofs of a device, measured and as the data sheet has them."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from app.domain.vocabulary import Provenance
from app.services.ceilings_view import CeilingRow, KnownCeiling, ceiling_group, ceilings_view
from app.web.api.paging import Page
from app.web.api.problems import problems
from app.web.charts.ceilings import figure
from app.web.charts.palette import BY_NAME
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/ceilings", tags=["ceilings"])
DeviceUuid = Annotated[
    str | None,
    Query(max_length=200, description="UUID of a device with measurements; the first one if left out."),
]
Kind = Literal["bandwidth", "compute"]


class KnownCeilingOut(BaseModel):
    """A roof from one source."""

    value: float = Field(description="In the ceiling's unit.")
    provenance: Provenance
    detail: str = Field(description="How it was measured, or the formula of the data sheet's value.")
    clock_hz: float | None = Field(description="SM clock that the value holds at; null where not readable.")
    run_id: int
    measured_at: datetime | None = Field(description="Start of that run; null where it kept no measurement.")
    imported: bool

    @classmethod
    def of(cls, known: KnownCeiling) -> KnownCeilingOut:
        """The roof as the interface gives it."""
        return cls(
            value=known.ceiling.value,
            provenance=known.ceiling.source,
            detail=known.ceiling.detail,
            clock_hz=known.clock_hz,
            run_id=known.run_id,
            measured_at=known.measured_at,
            imported=known.imported,
        )


class DeviceCeilingOut(BaseModel):
    """One roof with its data-sheet twin."""

    name: str = Field(examples=["dram_copy"])
    title: str
    kind: Kind
    unit: Literal["bytes_per_s", "flop_per_s"]
    measured: KnownCeilingOut | None
    datasheet: KnownCeilingOut | None
    reached_fraction: float | None = Field(
        description="Measured over data sheet; null where either is missing."
    )

    @classmethod
    def of(cls, row: CeilingRow) -> DeviceCeilingOut:
        """The roof as the interface gives it."""
        return cls.model_validate(
            {
                "name": row.name,
                "title": row.title,
                "kind": row.kind,
                "unit": row.known[0].ceiling.unit,
                "measured": KnownCeilingOut.of(row.measured) if row.measured else None,
                "datasheet": KnownCeilingOut.of(row.stated) if row.stated else None,
                "reached_fraction": row.reached_fraction,
            }
        )


class CeilingsOut(Page[DeviceCeilingOut]):
    """Every roof of a device, bandwidth before arithmetic, highest first."""

    device: str | None = Field(description="UUID of the device, null where nothing was ever measured.")
    device_name: str | None


@router.get("")
def ceilings(store: StoreDep, device: DeviceUuid = None) -> CeilingsOut:
    """The newest value of each roof over the device's runs; every benchmark job measures them."""
    view = ceilings_view(store, device)
    evidence = view.choice.evidence
    return CeilingsOut(
        items=[DeviceCeilingOut.of(row) for row in view.rows],
        next=None,
        device=view.choice.uuid,
        device_name=evidence.device.name if evidence else None,
    )


@router.get("/{kind}/figure", summary="The roofs of one kind as a Plotly figure", responses=problems(404))
def get_figure(
    store: StoreDep,
    kind: Annotated[Kind, Path(description="Which roofs")],
    device: DeviceUuid = None,
    theme: Annotated[Literal["light", "dark"], Query(description="Colours")] = "light",
    width: Annotated[int, Query(description="Width of the drawing in px", ge=240, le=2400)] = 720,
) -> Response:
    """`data` and `layout` for Plotly, and in `meta` the points that the keyboard walks and export texts."""
    name, group = ceiling_group(store, kind, device)
    drawn = figure(group, BY_NAME[theme], width, name)
    meta = {"walk": drawn.walk, "file_name": drawn.file_name, "caption": drawn.caption}
    text = json.dumps({**drawn.as_json(), "meta": meta}, ensure_ascii=False, allow_nan=False)
    return Response(text, media_type="application/json")
