"""GET /explore/occupancy and /explore/littles-law: how many warps an SM holds, and how many it needs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.analysis.occupancy import Limiter
from app.services.explore_littles_law import InFlight, in_flight
from app.services.explore_occupancy import OccupancyView, occupancy_view
from app.web.explore_questions import LittlesLawQuestion, OccupancyQuestion

router = APIRouter(prefix="/explore", tags=["explore"])


class OccupancyOut(BaseModel):
    """Blocks and warps that one SM holds at once, and what keeps another block off it."""

    active_blocks_per_sm: int
    active_warps_per_sm: int
    occupancy_fraction: float = Field(description="Of the warps that an SM can hold.")
    limiter: Limiter = Field(description="Of several, the first of: warps, registers, shared memory, blocks.")
    blocks_by_limiter: dict[Limiter, int] = Field(description="Blocks if only this one were scarce.")
    warps_per_sm: int = Field(description="Warps that an SM can hold.")
    limits_of: str = Field(description="Compute capability whose limits were used: the nearest older one.")

    @classmethod
    def of(cls, view: OccupancyView) -> OccupancyOut:
        """The answer as the interface gives it."""
        return cls(
            active_blocks_per_sm=view.found.blocks,
            active_warps_per_sm=view.found.warps,
            occupancy_fraction=view.found.fraction,
            limiter=view.found.limiter,
            blocks_by_limiter=dict(view.blocks_by),
            warps_per_sm=view.limits.warps,
            limits_of="{}.{}".format(*view.limits.compute_capability),
        )


class LittlesLawOut(BaseModel):
    """What must be under way to keep the bandwidth busy."""

    bytes_in_flight: float = Field(description="Bandwidth x latency, on the whole device.")
    bytes_per_sm: float
    warps_per_sm: int = Field(description="Whole warps, rounded up.")
    warps_per_sm_exact: float
    requests_in_flight: float = Field(description="Loads of a whole warp under way on the device.")

    @classmethod
    def of(cls, found: InFlight) -> LittlesLawOut:
        """The answer as the interface gives it."""
        return cls(
            bytes_in_flight=found.bytes_in_flight,
            bytes_per_sm=found.bytes_per_sm,
            warps_per_sm=found.warps_per_sm,
            warps_per_sm_exact=found.warps_per_sm_exact,
            requests_in_flight=found.requests_in_flight,
        )


@router.get("/occupancy", summary="Blocks and warps that an SM holds")
def occupancy(asked: Annotated[OccupancyQuestion, Query()]) -> OccupancyOut:
    """By registers, shared memory, warps and blocks; 0 blocks where not even one fits."""
    return OccupancyOut.of(occupancy_view(asked.version, asked.needs()))


@router.get("/littles-law", summary="Bytes and warps that keep a memory busy")
def littles_law(asked: Annotated[LittlesLawQuestion, Query()]) -> LittlesLawOut:
    """Bytes in flight = bandwidth x latency; the default is an A100 at 400 ns, 15 warps an SM by float4."""
    return LittlesLawOut.of(in_flight(asked.demand()))
