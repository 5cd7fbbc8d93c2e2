"""GET /ladders/{problem}/attribution: how much of each rung's speed-up counters explain."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from app.analysis.attribution import CountedAttribution, Outcome, PromiseOutcome
from app.analysis.bottleneck import Bottleneck, Resource, agrees
from app.domain.errors import InvalidInputError
from app.domain.size import Size
from app.domain.vocabulary import Dtype
from app.services.ladder_attribution import CountedRung, counted_ladder
from app.web.api.problems import problems
from app.web.api.report_models import finite
from app.web.dependencies import StoreDep
from app.web.sentences import promise_text

router = APIRouter(prefix="/ladders", tags=["ladders"])


class BottleneckOut(BaseModel):
    """What binds, from counters and roofs."""

    resource: Resource
    fraction: float = Field(description="Of time or peak, 0 to 1.")
    stall: str | None = Field(description="For latency: what warps wait for most.")

    @classmethod
    def of(cls, found: Bottleneck | None) -> BottleneckOut | None:
        """The bottleneck as the interface gives it."""
        if found is None:
            return None
        return cls(resource=found.resource, fraction=found.fraction, stall=found.stall)


class PromiseOut(BaseModel):
    """A promised change beside what was counted."""

    promise: str = Field(examples=["DRAM bytes ÷ 16"])
    outcome: Outcome
    before: float | None
    after: float | None
    reason: str = Field(description="Why it was not collected.")

    @classmethod
    def of(cls, outcome: PromiseOutcome) -> PromiseOut:
        """The outcome as the interface gives it."""
        return cls(
            promise=promise_text(outcome.promise),
            outcome=outcome.outcome,
            before=finite(outcome.before),
            after=finite(outcome.after),
            reason=outcome.reason,
        )


class AgainstParentOut(BaseModel):
    """A rung against its parent, both counted."""

    parent: str
    speed_up: float = Field(description="By the profiler's clock.")
    share_explained: float | None = Field(description="Of the speed-up, 0 to 1; null without one.")
    sentence: str
    bound_before: BottleneckOut | None
    bound_after: BottleneckOut | None
    promises: list[PromiseOut]

    @classmethod
    def of(cls, parent: str, found: CountedAttribution) -> AgainstParentOut:
        """The attribution as the interface gives it."""
        return cls(
            parent=parent,
            speed_up=found.speed_up,
            share_explained=found.share_explained,
            sentence=found.sentence,
            bound_before=BottleneckOut.of(found.bound_before),
            bound_after=BottleneckOut.of(found.bound_after),
            promises=[PromiseOut.of(outcome) for outcome in found.promises],
        )


class RungOut(BaseModel):
    """A stage that was counted."""

    stage: str
    launch_id: int
    report_id: int
    n: int = Field(description="Place of the launch in the report.")
    bottleneck: BottleneckOut | None
    claimed_bottleneck: str | None
    as_claimed: bool | None = Field(description="null: nothing to compare, or the claim names no unit.")
    against_parent: AgainstParentOut | None = Field(description="null where the parent was not counted.")

    @classmethod
    def of(cls, rung: CountedRung) -> RungOut:
        """The rung as the interface gives it."""
        bound, claimed = rung.cell.bottleneck, rung.claimed_bottleneck
        parent, found = rung.stage.improves_on, rung.attribution
        return cls(
            stage=rung.stage.name,
            launch_id=rung.cell.launch.id,
            report_id=rung.cell.launch.report_id,
            n=rung.cell.launch.ordinal,
            bottleneck=BottleneckOut.of(bound),
            claimed_bottleneck=claimed,
            as_claimed=agrees(claimed, bound) if claimed and bound else None,
            against_parent=AgainstParentOut.of(parent, found) if parent and found else None,
        )


class AttributionOut(BaseModel):
    """Counted rungs in ladder order, all of one size, element type and model of device."""

    problem: str
    device_name: str | None
    size: dict[str, int] | None
    dtype: Dtype | None
    items: list[RungOut]


@router.get("/{problem}/attribution", responses=problems(404))
def get_attribution(
    store: StoreDep,
    problem: Annotated[str, Path(max_length=80)],
    size: Annotated[
        str | None,
        Query(max_length=200, description="Size key; that of the newest launch that fits if left out."),
    ] = None,
    dtype: Annotated[Dtype | None, Query(description="Element type, likewise.")] = None,
    device: Annotated[str | None, Query(max_length=200, description="Name of the device, likewise.")] = None,
) -> AttributionOut:
    """What each rung changed in counters against its parent, and how much of its speed-up that explains."""
    try:
        wanted = Size.parse(size) if size else None
    except ValueError:
        raise InvalidInputError("size is not of the form m=1024,n=1024,k=1024.", field="size") from None
    found = counted_ladder(store, problem, wanted, dtype, device)
    return AttributionOut(
        problem=problem,
        device_name=found.device_name,
        size=found.size.as_dict() if found.size else None,
        dtype=found.dtype,
        items=[RungOut.of(rung) for rung in found.rungs],
    )
