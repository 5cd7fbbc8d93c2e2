"""GET /ladders: what can be measured."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field

from app.domain.claim import Claim
from app.domain.promise import Counted, Direction
from app.domain.vocabulary import Arithmetic, BackendName, Dtype, ReuseLevel
from app.kernels.problem import SizeParameter
from app.kernels.stage import Needs, Stage
from app.services.ladders import Ladder, get_ladder, list_ladders
from app.web.api.paging import Page
from app.web.api.problems import problems

router = APIRouter(prefix="/ladders", tags=["ladders"])


class PromiseOut(BaseModel):
    """What a rung says it changes against its parent."""

    counted: Counted = Field(description="A quantity that hardware counters decide.")
    direction: Direction
    factor: float | None = Field(description="Of the parent's, where the rungs' own algebra says it.")


class StageOut(BaseModel):
    """One rung."""

    name: str = Field(examples=["coalesced"])
    title: str
    mechanism: str
    change: str = Field(description="What changed against `improves_on`.")
    backend: BackendName
    improves_on: str | None
    reference: bool = Field(description="The library line.")
    arithmetic: Arithmetic
    dtypes: list[Dtype]
    reuse_level: ReuseLevel
    needs: Needs
    promises: list[PromiseOut] = Field(description="What changes against `improves_on`.")
    claims: list[Claim] = Field(description="Published figures, never measured here.")

    @classmethod
    def of(cls, stage: Stage) -> StageOut:
        """The stage as the interface gives it."""
        return cls.model_validate(stage, from_attributes=True)


class LadderOut(BaseModel):
    """A problem, its size parameters with their ranges, and its stages in ladder order."""

    name: str = Field(examples=["matmul"])
    title: str
    question: str
    size_parameters: list[SizeParameter]
    dtypes: list[Dtype]
    stages: list[StageOut]

    @classmethod
    def of(cls, ladder: Ladder) -> LadderOut:
        """The ladder as the interface gives it."""
        problem = ladder.problem
        return cls(
            name=problem.name,
            title=problem.title,
            question=problem.question,
            size_parameters=list(problem.size_parameters),
            dtypes=list(problem.dtypes),
            stages=[StageOut.of(stage) for stage in ladder.stages],
        )


@router.get("")
def ladders() -> Page[LadderOut]:
    """Every ladder, by name."""
    return Page(items=[LadderOut.of(ladder) for ladder in list_ladders()], next=None)


@router.get("/{problem}", responses=problems(404))
def ladder(problem: str) -> LadderOut:
    """One ladder."""
    return LadderOut.of(get_ladder(problem))
