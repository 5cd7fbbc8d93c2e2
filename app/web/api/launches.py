"""Launches of all reports: correct a match, compare two, find a metric."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from app.services.compare_launches import compare_launches
from app.services.edit_launch import correct_match
from app.web.api.paging import LARGEST_ID, Limit, Page
from app.web.api.problems import problems
from app.web.api.report_models import ComparisonOut, KnownMetricOut, LaunchOut, MatchIn
from app.web.dependencies import StoreDep

router = APIRouter(tags=["reports"])
LaunchId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The launch's id.")]


@router.patch("/launches/{launch_id}", responses=problems(404))
def patch_launch(launch_id: LaunchId, body: MatchIn, store: StoreDep) -> LaunchOut:
    """Say which stage the launch is one of, or that none is right; the product never changes it again."""
    return LaunchOut.of(correct_match(store, launch_id, body.problem, body.stage, body.size, body.dtype))


@router.get("/launches/{launch_id}/differences", responses=problems(404))
def get_differences(
    launch_id: LaunchId,
    store: StoreDep,
    to: Annotated[int, Query(ge=1, le=LARGEST_ID, description="Id of the launch to compare with.")],
    metric: Annotated[str, Query(max_length=200, description="Only counters that hold this text.")] = "",
) -> ComparisonOut:
    """Counters that two launches share, the largest relative change first; equal ones are counted only."""
    return ComparisonOut.of(compare_launches(store, launch_id, to, metric))


@router.get("/metrics")
def find_metrics(
    store: StoreDep,
    q: Annotated[str, Query(max_length=200, description="In name, section or label.")] = "",
    limit: Limit = 50,
) -> Page[KnownMetricOut]:
    """Metrics of kept launches, those that most launches have first."""
    return Page(items=[KnownMetricOut.of(found) for found in store.metric_names(q, limit)], next=None)
