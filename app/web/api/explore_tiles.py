"""GET /explore/tiles and /explore/fragment-map: what follows from the tiles of a matmul."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from app.analysis.occupancy import Limiter
from app.services.explore_fragments import Fragment, Operand, fragment
from app.services.explore_tiles import TileAnswer, tile_answer
from app.web.explore_questions import FragmentQuestion, TilesQuestion

router = APIRouter(prefix="/explore", tags=["explore"])


class IntensityOut(BaseModel):
    """FLOP per byte at one level."""

    model_config = ConfigDict(from_attributes=True)

    level: str = Field(examples=["shared"])
    flop_per_byte: float
    formula: str


class TimelineOut(BaseModel):
    """A block's loop over k when every SM works at its share of both roofs."""

    model_config = ConfigDict(from_attributes=True)

    steps: int
    load_s: float = Field(description="Of one step.")
    compute_s: float
    serial_s: float = Field(description="n x (load + compute).")
    overlapped_s: float = Field(description="load + (n - 1) x max(load, compute) + compute.")
    speed_up: float


class TilesOut(BaseModel):
    """Intensity at each level, registers, shared memory, occupancy and the two timelines."""

    flop: int
    intensities: list[IntensityOut]
    threads_per_block: int
    accumulator_registers: int = Field(description="Of each thread, for its results.")
    operand_registers: int = Field(description="Of each thread, for a column of A and a row of B.")
    shared_bytes_per_block: int
    shared_bytes_per_buffer: int
    buffers_that_fit: int = Field(description="Copies of the tiles that a block's shared memory holds.")
    active_blocks_per_sm_at_most: int = Field(description="With these registers alone; a compiler adds more.")
    occupancy_fraction_at_most: float
    limiter: Limiter
    timeline: TimelineOut

    @classmethod
    def of(cls, answer: TileAnswer) -> TilesOut:
        """The answer as the interface gives it."""
        return cls(
            flop=answer.flop,
            intensities=[IntensityOut.model_validate(one) for one in answer.intensities],
            threads_per_block=answer.tile.threads_per_block,
            accumulator_registers=answer.accumulator_registers,
            operand_registers=answer.operand_registers,
            shared_bytes_per_block=answer.shared_bytes_per_block,
            shared_bytes_per_buffer=answer.tile.shared_bytes_per_buffer,
            buffers_that_fit=answer.buffers_that_fit,
            active_blocks_per_sm_at_most=answer.occupancy_at_most.blocks,
            occupancy_fraction_at_most=answer.occupancy_at_most.fraction,
            limiter=answer.occupancy_at_most.limiter,
            timeline=TimelineOut.model_validate(answer.timeline),
        )


class HeldOut(BaseModel):
    """One element of the matrix and who holds it."""

    model_config = ConfigDict(from_attributes=True)

    row: int
    column: int
    lane: int
    element: int = Field(description="Place among the lane's elements, in register order.")
    register_index: int = Field(description="32-bit register of the lane that holds it.")


class FragmentOut(BaseModel):
    """A matrix of mma.sync m16n8k16 spread over the lanes of a warp."""

    operand: Operand
    rows: int
    columns: int
    element_bytes: int
    elements_per_lane: int
    held: list[HeldOut] = Field(description="Row by row, each element once.")

    @classmethod
    def of(cls, found: Fragment) -> FragmentOut:
        """The map as the interface gives it."""
        return cls(
            operand=found.operand,
            rows=found.rows,
            columns=found.columns,
            element_bytes=found.element_bytes,
            elements_per_lane=found.elements_per_lane,
            held=[HeldOut.model_validate(one) for one in found.held],
        )


@router.get("/tiles", summary="What follows from the tiles of a matmul")
def tiles(asked: Annotated[TilesQuestion, Query()]) -> TilesOut:
    """Intensity at each level, registers, shared memory, occupancy, loads under arithmetic."""
    return TilesOut.of(tile_answer(asked.tile(), asked.device()))


@router.get("/fragment-map", summary="Which lane holds which element in mma.sync m16n8k16")
def fragment_map(asked: Annotated[FragmentQuestion, Query()]) -> FragmentOut:
    """Half-precision A (16 x 16) and B (16 x 8), float C and D (16 x 8)."""
    return FragmentOut.of(fragment(asked.operand))
