"""GET /explore/roofline: what two roofs allow, and what a change of one thing would bring."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from app.services.explore_roofline import Bound, RooflineAnswer, WhatIf, roofline_answer
from app.web.explore_questions import RooflineQuestion

router = APIRouter(prefix="/explore", tags=["explore"])


class WhatIfOut(BaseModel):
    """One thing raised by the factor."""

    change: Literal["bandwidth", "peak", "intensity"]
    attainable_flop_per_s: float
    balance_flop_per_byte: float
    bound: Bound
    speed_up: float = Field(description="Attainable rate after over before.")

    @classmethod
    def of(cls, one: WhatIf) -> WhatIfOut:
        """The change as the interface gives it."""
        return cls.model_validate(
            {
                "change": one.change,
                "attainable_flop_per_s": one.roofs.attainable_flop_per_s,
                "balance_flop_per_byte": one.roofs.balance_flop_per_byte,
                "bound": one.roofs.bound,
                "speed_up": one.speed_up,
            }
        )


class RooflineOut(BaseModel):
    """The lower roof at this intensity."""

    attainable_flop_per_s: float
    balance_flop_per_byte: float = Field(description="Peak over bandwidth: 9.56 on an A100 in FP32.")
    bound: Bound
    peak_fraction: float = Field(description="Attainable over peak, 0 to 1.")
    intensity_factor_to_balance: float = Field(description="How much less traffic reaches the compute roof.")
    what_if: list[WhatIfOut]

    @classmethod
    def of(cls, answer: RooflineAnswer) -> RooflineOut:
        """The answer as the interface gives it."""
        return cls(
            attainable_flop_per_s=answer.roofs.attainable_flop_per_s,
            balance_flop_per_byte=answer.roofs.balance_flop_per_byte,
            bound=answer.roofs.bound,
            peak_fraction=answer.peak_fraction,
            intensity_factor_to_balance=answer.intensity_factor_to_balance,
            what_if=[WhatIfOut.of(one) for one in answer.what_if],
        )


@router.get("/roofline", summary="What two roofs allow at an intensity")
def roofline(asked: Annotated[RooflineQuestion, Query()]) -> RooflineOut:
    """The lower of bandwidth x intensity and peak, and the same with one thing raised by `factor`."""
    return RooflineOut.of(roofline_answer(asked.roofs(), asked.factor))
