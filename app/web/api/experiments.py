"""Experiments: what was measured beside what theory says, by device."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from app.domain.vocabulary import CacheState, CellStatus, Dtype, Health, ProblemKind, Provenance
from app.kernels.experiment import Unit
from app.services.lab_view import ExperimentView, LabPoint, experiment_view, lab_view
from app.web.api.problems import problems
from app.web.charts.experiment import figure
from app.web.charts.palette import BY_NAME
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/experiments", tags=["experiments"])
Device = Annotated[
    str | None,
    Query(description="UUID of the device; by default the one with most of the lab", max_length=100),
]
Name = Annotated[str, Path(max_length=80, examples=["stride"])]


class PointOut(BaseModel):
    """One cell of an experiment."""

    stage: str
    size: dict[str, int]
    x: int | None = Field(description="The size parameter along the axis; null where stages are the axis.")
    value: float | None = Field(description="In the experiment's unit; null has a reason.")
    low: float | None = Field(description="Lower end of the 95 % interval.")
    high: float | None
    theory: float | None = Field(description="What the theory says; null where it says nothing here.")
    ratio: float | None = Field(description="Measured over theory; null where either is missing.")
    further_theories: list[float | None] = Field(description="In the order of `further_theory_titles`.")
    provenance: Provenance
    n: int | None
    health: Health | None
    run_id: int | None
    imported: bool = Field(description="Whether it came from another machine.")
    status: CellStatus | None
    reason: str

    @classmethod
    def of(cls, point: LabPoint) -> PointOut:
        """The point as the interface gives it."""
        shown = point.measurement
        return cls(
            stage=point.stage.name,
            size=point.size.as_dict(),
            x=point.x,
            value=point.value,
            low=point.low,
            high=point.high,
            theory=point.theory,
            ratio=point.ratio,
            further_theories=list(point.further_theories),
            provenance=shown.provenance if shown else Provenance.NOT_CAPTURED,
            n=shown.n if shown else None,
            health=shown.health if shown else None,
            run_id=point.run_id,
            imported=point.imported,
            status=point.status,
            reason=point.reason,
        )


class ExperimentOut(BaseModel):
    """An experiment and its points."""

    name: str = Field(examples=["stride"])
    title: str
    question: str
    lesson: str
    source: str = Field(description="Where the lectures describe it.")
    problem: str
    axis: str | None
    unit: Unit
    value_title: str
    theory_title: str
    further_theory_titles: list[str]
    cache: CacheState
    dtype: Dtype
    points: list[PointOut]

    @classmethod
    def of(cls, view: ExperimentView) -> ExperimentOut:
        """The view as the interface gives it."""
        declared = view.experiment
        return cls(
            name=declared.name,
            title=declared.title,
            question=declared.question,
            lesson=declared.lesson,
            source=declared.source,
            problem=declared.problem,
            axis=declared.axis,
            unit=declared.unit,
            value_title=declared.value_title,
            theory_title=declared.theory_title,
            further_theory_titles=[one.title for one in declared.further_theories],
            cache=declared.cache,
            dtype=declared.dtype,
            points=[PointOut.of(point) for point in view.points],
        )


class ExperimentsOut(BaseModel):
    """Every experiment of one kind on one device."""

    device: str | None = Field(description="Name of the device; null while nothing was ever measured.")
    device_uuid: str | None
    imported: bool
    items: list[ExperimentOut]


@router.get("", summary="Every experiment with its points")
def get_experiments(
    store: StoreDep,
    device: Device = None,
    kind: Annotated[
        Literal[ProblemKind.EXPERIMENT, ProblemKind.HIERARCHY, ProblemKind.QUANTISATION],
        Query(description="Memory lab, hierarchy, or tiles and waves"),
    ] = ProblemKind.EXPERIMENT,
) -> ExperimentsOut:
    """The experiments of one kind, in page order."""
    view = lab_view(store, (kind,), device)
    return ExperimentsOut(
        device=view.device.name if view.device else None,
        device_uuid=view.device.uuid if view.device else None,
        imported=view.imported,
        items=[ExperimentOut.of(one) for one in view.views],
    )


@router.get("/{name}", summary="One experiment with its points", responses=problems(404))
def get_experiment(store: StoreDep, name: Name, device: Device = None) -> ExperimentOut:
    """404 for an unknown name, or where nothing was measured on the device."""
    return ExperimentOut.of(experiment_view(store, name, device)[1])


@router.get("/{name}/figure", summary="The experiment's chart as a Plotly figure", responses=problems(404))
def get_figure(
    store: StoreDep,
    name: Name,
    device: Device = None,
    theme: Annotated[Literal["light", "dark"], Query(description="Colours")] = "light",
    width: Annotated[int, Query(description="Width of the drawing in px", ge=240, le=2400)] = 720,
) -> Response:
    """`data` and `layout` for Plotly, and in `meta` the points that the keyboard walks and export texts."""
    measured_on, view = experiment_view(store, name, device)
    drawn = figure(view, BY_NAME[theme], width, measured_on.name)
    meta = {"walk": drawn.walk, "file_name": drawn.file_name, "caption": drawn.caption}
    text = json.dumps({**drawn.as_json(), "meta": meta}, ensure_ascii=False, allow_nan=False)
    return Response(text, media_type="application/json")
