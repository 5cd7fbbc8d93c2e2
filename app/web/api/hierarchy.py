"""GET /hierarchy: capacity, latency and bandwidth of each level of memory beside the lectures' table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.claims.a100 import PrintedLevel
from app.claims.published import Found, Missing
from app.domain.vocabulary import Provenance, Verdict
from app.services.hierarchy_view import DramDemand, LevelRow, hierarchy_view
from app.web.api.paging import Page
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/hierarchy", tags=["hierarchy"])
DeviceUuid = Annotated[
    str | None,
    Query(max_length=200, description="UUID of a device with measurements; the first one if left out."),
]


class FoundOut(BaseModel):
    """A figure on the device in the SI unit of its field, or why there is none."""

    value: float | None
    provenance: Provenance
    basis: str | None = Field(description="How the value came about.")
    run_ids: list[int] = Field(description="The runs that hold the numbers behind it.")
    imported: bool = Field(description="Whether one of them came from another machine.")
    reason: str | None = Field(description="Why there is no value.")

    @classmethod
    def of(cls, found: Found | Missing) -> FoundOut:
        """The figure as the interface gives it."""
        if isinstance(found, Missing):
            return cls(
                value=None,
                provenance=Provenance.NOT_CAPTURED,
                basis=None,
                run_ids=[],
                imported=False,
                reason=f"{found.reason} {found.remedy}",
            )
        return cls(
            value=found.value,
            provenance=found.provenance,
            basis=found.basis,
            run_ids=list(found.run_ids),
            imported=found.imported,
            reason=None,
        )


class PrintedOut(BaseModel):
    """The lectures' row for an A100; null where the table says nothing."""

    capacity_bytes: float | None
    cached_bytes: float | None
    latency_cycles_low: float | None
    latency_cycles_high: float | None
    bandwidth_bytes_per_s: float | None

    @classmethod
    def of(cls, printed: PrintedLevel) -> PrintedOut:
        """The row as the interface gives it."""
        low, high = printed.latency_cycles or (None, None)
        return cls(
            capacity_bytes=printed.capacity_bytes,
            cached_bytes=printed.cached_bytes,
            latency_cycles_low=low,
            latency_cycles_high=high,
            bandwidth_bytes_per_s=printed.bandwidth_bytes_per_s,
        )


class LevelOut(BaseModel):
    """One level on the device and in the lectures."""

    name: str = Field(examples=["l2"])
    title: str
    scope: str = Field(description="What has one of it.", examples=["an SM"])
    capacity_bytes: FoundOut = Field(description="As the device states it.")
    kept_bytes: FoundOut = Field(
        description="The largest set that a walk finds about as fast as a small one."
    )
    latency_s: FoundOut = Field(description="Of one dependent load.")
    latency_cycles: FoundOut = Field(description="The same at the clock that was held.")
    bandwidth_bytes_per_s: FoundOut = Field(description="Read by all SMs together.")
    in_flight_bytes: float | None = Field(description="Bandwidth x latency; null where one is missing.")
    printed: PrintedOut
    verdicts: dict[str, Verdict] = Field(description="Of the claims about this level, by id (`GET /claims`).")

    @classmethod
    def of(cls, row: LevelRow) -> LevelOut:
        """The level as the interface gives it."""
        return cls(
            name=row.level.name,
            title=row.level.title,
            scope=row.level.scope,
            capacity_bytes=FoundOut.of(row.capacity),
            kept_bytes=FoundOut.of(row.kept),
            latency_s=FoundOut.of(row.latency_s),
            latency_cycles=FoundOut.of(row.latency_cycles),
            bandwidth_bytes_per_s=FoundOut.of(row.bandwidth),
            in_flight_bytes=row.in_flight_bytes,
            printed=PrintedOut.of(row.level.printed),
            verdicts=dict(row.verdicts),
        )


class DemandOut(BaseModel):
    """What keeps DRAM busy by Little's law: its read bandwidth x its latency."""

    device: str
    in_flight_bytes: float
    bytes_per_multiprocessor: float
    warps_by_float: int = Field(description="Warps of an SM when each lane has 4 bytes under way.")
    warps_by_float4: int = Field(description="The same with 16 bytes.")

    @classmethod
    def of(cls, demand: DramDemand) -> DemandOut:
        """The demand as the interface gives it."""
        return cls(
            device=demand.device,
            in_flight_bytes=demand.in_flight_bytes,
            bytes_per_multiprocessor=demand.bytes_per_multiprocessor,
            warps_by_float=demand.warps_by_float,
            warps_by_float4=demand.warps_by_float4,
        )


class HierarchyOut(Page[LevelOut]):
    """Levels from the registers outwards, all on one page."""

    device: str | None = Field(description="UUID of the device, null where nothing was ever measured.")
    device_name: str | None
    dram_demand: DemandOut | None = Field(description="Null where bandwidth or latency is not measured.")
    printed_dram_demand: DemandOut = Field(description="Computed from the lectures' figures of an A100.")


@router.get("", summary="Every level of memory, measured beside the lectures' table")
def hierarchy(store: StoreDep, device: DeviceUuid = None) -> HierarchyOut:
    """Each figure with its provenance, or why there is none; the suite `memory_lab` measures them."""
    view = hierarchy_view(store, device)
    return HierarchyOut(
        items=[LevelOut.of(row) for row in view.rows],
        next=None,
        device=view.choice.uuid,
        device_name=view.device.name if view.device else None,
        dram_demand=DemandOut.of(view.demand) if view.demand else None,
        printed_dram_demand=DemandOut.of(view.printed_demand),
    )
