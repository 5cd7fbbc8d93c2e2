"""Jobs as the REST interface takes and gives them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from app.domain.duel import DUEL_REGIMES
from app.domain.run import Job, Selection
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, JobKind, JobStatus, Regime
from app.kernels import registry
from app.kernels.suites import SUITES
from app.services.edit_run import MAX_LABEL
from app.services.selection import MAX_ENTRIES, SelectionRequest
from app.services.submit_job import DEADLINE_RANGE_S, DEFAULT_DEADLINE_S, JobRequest

Name = Annotated[str, Field(min_length=1, max_length=64)]
SizeValue = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
SizeIn = Annotated[dict[Name, SizeValue], Field(min_length=1, max_length=8)]

EXAMPLE: dict[str, JsonValue] = {
    "kind": "benchmark",
    "selection": {"problems": ["matmul"], "stages": None},
    "sizes": [{"m": 256, "n": 256, "k": 256}],
    "dtypes": ["float32"],
    "backend": "auto",
    "label": "first look",
    "deadline_s": 600,
}


class SelectionIn(BaseModel):
    """Which ladders to measure."""

    model_config = ConfigDict(extra="forbid")

    problems: list[Name] = Field(
        min_length=1,
        max_length=MAX_ENTRIES,
        description="Problems by name, each once.",
        examples=[["matmul"]],
    )
    stages: list[Name] | None = Field(
        None, min_length=1, max_length=MAX_ENTRIES, description="Stages by name, each once; null means all."
    )


class JobIn(BaseModel):
    """A benchmark to run: every stage x size x dtype of the selection, or a suite at its own sizes."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    kind: Literal["benchmark"] = "benchmark"
    selection: SelectionIn | None = Field(None, description="What to measure; or name a suite.")
    suite: Name | None = Field(
        None,
        description="Several problems at their own sizes, instead of a selection: "
        + ", ".join(suite.name for suite in SUITES)
        + ".",
        examples=["memory_lab"],
    )
    sizes: list[SizeIn] = Field(
        default_factory=list,
        max_length=MAX_ENTRIES,
        description="Size parameters by name, as GET /ladders/{problem} lists them with their ranges. "
        "Empty takes the sizes that the problem itself names, where it names some.",
    )
    dtypes: list[Dtype] | None = Field(
        None,
        min_length=1,
        max_length=len(Dtype),
        description="null is float32 where sizes are given and every problem takes it, "
        "else each problem's own.",
    )
    backend: Literal["auto", "cuda", "cpu"] = Field(
        "auto", description="`auto` is the backend of the worker's device."
    )
    duel: list[Literal["burst", "sustained"]] = Field(
        default_factory=list,
        max_length=len(DUEL_REGIMES),
        description="Regimes in which the fastest own stage of each size and dtype fights the fastest "
        "library line, block by block in turn. Library lines then take part whatever `stages` says.",
    )
    scan: bool = Field(
        False,
        description="Briefly: at most 2 s of the device a cell. A cell whose launch alone takes over 0.2 s "
        "is skipped with that reason.",
    )
    label: str = Field("", max_length=MAX_LABEL)
    deadline_s: float = Field(
        DEFAULT_DEADLINE_S,
        strict=True,
        ge=DEADLINE_RANGE_S[0],
        le=DEADLINE_RANGE_S[1],
        allow_inf_nan=False,
        description="Seconds from its start until it is stopped. A job estimated longer is refused.",
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> JobIn:
        if (self.selection is None) == (self.suite is None):
            raise ValueError("give either selection or suite")
        if self.suite is not None and (self.sizes or self.dtypes or self.duel or self.scan):
            raise ValueError("a suite brings its own sizes and dtypes, is brief, has no duel: leave them out")
        return self

    def _usual_dtypes(self) -> list[Dtype]:
        known = registry.problems()
        named = self.selection.problems if self.selection and self.sizes else []
        takes_float32 = all(Dtype.FLOAT32 in known[name].dtypes for name in named if name in known)
        return [Dtype.FLOAT32] if named and takes_float32 else []

    def request(self) -> JobRequest:
        """The same in the service's words."""
        stages = self.selection.stages if self.selection else None
        dtypes = self.dtypes or self._usual_dtypes()
        return JobRequest(
            selection=SelectionRequest(
                problems=tuple(self.selection.problems) if self.selection else (),
                stages=None if stages is None else tuple(stages),
                sizes=tuple(Size(tuple(size.items())) for size in self.sizes),
                dtypes=tuple(dtypes),
                backend=self.backend,
                suite=self.suite,
                duel=tuple(self.duel),
                scan=self.scan,
            ),
            label=self.label,
            deadline_s=self.deadline_s,
            kind=JobKind(self.kind),
        )


class ProgressOut(BaseModel):
    """How far a job is, in cells."""

    done: int = Field(examples=[3])
    total: int = Field(examples=[18])
    cell: str | None = Field(description="The cell being measured.", examples=["matmul naive 256³ float32"])
    eta_s: float | None = Field(description="Estimated seconds to its end; null while nothing is known.")


class ErrorOut(BaseModel):
    """Why a job or run failed."""

    code: str = Field(examples=["deadline"])
    message: str


class SelectionOut(BaseModel):
    """What a job or run measures."""

    problems: list[str]
    stages: list[str] | None = Field(description="null means all.")
    sizes: list[dict[str, int]] = Field(description="Empty means each problem's own.")
    dtypes: list[Dtype] = Field(description="Empty means each problem's own.")
    backend: BackendName
    duel: list[Regime] = Field(description="Regimes of the duels asked for; empty means none.")
    scan: bool = Field(description="Whether every cell is measured briefly.")

    @classmethod
    def of(cls, selection: Selection) -> SelectionOut:
        """The selection as the interface gives it."""
        return cls(
            problems=list(selection.problems),
            stages=None if selection.stages is None else list(selection.stages),
            sizes=[size.as_dict() for size in selection.sizes],
            dtypes=list(selection.dtypes),
            backend=selection.backend,
            duel=list(selection.duel),
            scan=selection.scan,
        )


class JobOut(BaseModel):
    """A job. queued and running are not final; finished, failed and cancelled are."""

    id: int = Field(examples=[7])
    kind: JobKind
    status: JobStatus
    run_id: int = Field(description="The run that holds its results, from the first measurement on.")
    queue_position: int | None = Field(description="1 is next; null once it runs.")
    starts_in_s: float | None = Field(description="Estimated seconds until it starts; null once it runs.")
    progress: ProgressOut
    error: ErrorOut | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    deadline_s: float
    estimate_s: float | None = Field(description="Estimated seconds of work, made when it was submitted.")
    attempts: int = Field(description="How often a worker began it.")
    label: str
    selection: SelectionOut

    @classmethod
    def of(cls, job: Job, starts_in_s: float | None) -> JobOut:
        """The job as the interface gives it."""
        return cls(
            id=job.id,
            kind=job.kind,
            status=job.status,
            run_id=job.run_id,
            queue_position=job.queue_position,
            starts_in_s=starts_in_s if job.status is JobStatus.QUEUED else None,
            progress=ProgressOut.model_validate(job.progress, from_attributes=True),
            error=ErrorOut.model_validate(job.error, from_attributes=True) if job.error else None,
            created_at=job.created_at,
            started_at=job.started_at,
            finished_at=job.finished_at,
            deadline_s=job.deadline_s,
            estimate_s=job.estimate_s,
            attempts=job.attempts,
            label=job.label,
            selection=SelectionOut.of(job.selection),
        )
