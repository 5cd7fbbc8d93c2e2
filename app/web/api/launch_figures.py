"""Charts of a launch as Plotly figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from app.domain.errors import NotFoundError
from app.services.launch_view import LaunchView, launch_view, stalls_of_launch
from app.storage.store import Store
from app.web import formatting
from app.web.api.paging import LARGEST_ID
from app.web.api.problems import problems
from app.web.api.reports import ReportId
from app.web.charts.chart import Figure
from app.web.charts.launch_roofline import launch_roofline_figure
from app.web.charts.palette import BY_NAME, Palette
from app.web.charts.stalls import stalls_figure
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/reports", tags=["charts"])


class LaunchFigure(StrEnum):
    """Which chart of a launch."""

    STALLS = "stalls"
    ROOFLINE = "roofline"


@router.get(
    "/{report_id}/launches/{n}/figures/{name}",
    summary="A chart of a launch as a Plotly figure",
    responses=problems(404),
)
def get_figure(
    store: StoreDep,
    report_id: ReportId,
    n: Annotated[int, Path(ge=1, le=LARGEST_ID, description="Place in the report, from 1.")],
    name: Annotated[LaunchFigure, Path(description="stalls or roofline")],
    other: Annotated[
        int, Query(ge=0, le=LARGEST_ID, description="Stalls: id of a launch to compare with; 0 for none")
    ] = 0,
    theme: Annotated[Literal["light", "dark"], Query(description="Colours")] = "light",
    width: Annotated[int, Query(description="Width of the drawing in px", ge=240, le=2400)] = 720,
) -> Response:
    """`data` and `layout` for Plotly; 404 where the launch has no counters for the chart."""
    figure = _FIGURES[name](store, launch_view(store, report_id, n), BY_NAME[theme], width, other)
    meta = {"walk": figure.walk, "file_name": figure.file_name, "caption": figure.caption}
    text = json.dumps({**figure.as_json(), "meta": meta}, ensure_ascii=False, allow_nan=False)
    return Response(text, media_type="application/json")


def _stalls(store: Store, view: LaunchView, palette: Palette, width: int, other: int) -> Figure:
    if not view.stalls:
        raise NotFoundError("The launch has no stall counters. Capture it with the section WarpStateStats.")
    compared = stalls_of_launch(store, other) if other else ()
    return stalls_figure(view.stalls, palette, width, _caption(view), compared)


def _roofline(_store: Store, view: LaunchView, palette: Palette, width: int, _other: int) -> Figure:
    if view.roofline is None:
        raise NotFoundError(
            "The launch has no counted bytes, FLOP or time. Capture it with the set `full` or `roofline`."
        )
    return launch_roofline_figure(view.roofline, palette, width, _caption(view))


def _caption(view: LaunchView) -> str:
    device = view.launch.device_name or "device not known"
    return f"{formatting.shortened(view.launch.kernel, 60)} · {device} · {view.report.facts.name}"


_FIGURES: Mapping[LaunchFigure, Callable[[Store, LaunchView, Palette, int, int], Figure]] = {
    LaunchFigure.STALLS: _stalls,
    LaunchFigure.ROOFLINE: _roofline,
}
