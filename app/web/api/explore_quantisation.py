"""GET /explore/waves, /explore/split-k and both as /explore/quantisation: whole tiles, waves, slices."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from app.services.explore_quantisation import SplitAnswer, split_answer, waves_of
from app.web.explore_questions import SplitQuestion, WavesQuestion

router = APIRouter(prefix="/explore", tags=["explore"])


class WavesOut(BaseModel):
    """How much of the tiles and of the waves is work that counts."""

    model_config = ConfigDict(from_attributes=True)

    tiles: int
    waves: int = Field(description="Rounds of blocks, the last one perhaps not full.")
    waves_exact: float = Field(description="Tiles over blocks at once.")
    tile_efficiency_fraction: float = Field(description="Computed results that exist.")
    wave_efficiency_fraction: float = Field(description="Places of all waves that hold a block.")
    efficiency_fraction: float = Field(description="Both together.")
    last_wave_blocks: int
    next_cliff_m: int = Field(description="The least m above this one that takes a wave more.")


class SplitTimeOut(BaseModel):
    """The modelled time of one number of slices."""

    model_config = ConfigDict(from_attributes=True)

    slices: int
    waves: int
    products_s: float
    adding_s: float = Field(description="Partial results written once a slice and read again.")
    total_s: float


class SplitOut(BaseModel):
    """From which number of slices on splitting pays, and which is best."""

    best_slices: int
    speed_up: float = Field(description="Time without splitting over the best; 1 where it does not pay.")
    break_even_slices: int | None = Field(description="The fewest that beat one; null where none does.")
    times: list[SplitTimeOut]

    @classmethod
    def of(cls, answer: SplitAnswer) -> SplitOut:
        """The answer as the interface gives it."""
        return cls(
            best_slices=answer.best.slices,
            speed_up=answer.speed_up,
            break_even_slices=answer.break_even_slices,
            times=[SplitTimeOut.model_validate(one) for one in answer.times],
        )


class QuantisationOut(BaseModel):
    """Waves of the whole sum, and what slices of it would bring."""

    waves: WavesOut
    split_k: SplitOut


@router.get("/waves", summary="Tile and wave quantisation of a grid")
def waves(asked: Annotated[WavesQuestion, Query()]) -> WavesOut:
    """4097 rows in tiles of 128 on 132 SMs make exactly 8 waves; the next cliff is at 4225."""
    return WavesOut.model_validate(waves_of(asked.grid()))


@router.get("/split-k", summary="Break-even of cutting sums into slices")
def split_k(asked: Annotated[SplitQuestion, Query()]) -> SplitOut:
    """By a model of whole waves and one pass over the partial results; caches are left out."""
    return SplitOut.of(split_answer(asked.request()))


@router.get("/quantisation", summary="Waves and split-K of one grid")
def quantisation(asked: Annotated[SplitQuestion, Query()]) -> QuantisationOut:
    """What `/explore/waves` and `/explore/split-k` say of the same grid."""
    return QuantisationOut(
        waves=WavesOut.model_validate(waves_of(asked.grid())),
        split_k=SplitOut.of(split_answer(asked.request())),
    )
