"""GET /charts/{name}: a Plotly figure with finished colours, ready to be drawn."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from app.domain.vocabulary import CacheState
from app.services.ladder_rows import LadderChoice
from app.web.api.problems import problems
from app.web.charts.chart import ChartRequest, chart
from app.web.charts.palette import BY_NAME
from app.web.dependencies import StoreDep

router = APIRouter(prefix="/charts", tags=["charts"])


@router.get("/{name}", summary="A chart of a run as a Plotly figure", responses=problems(404))
def get_chart(
    store: StoreDep,
    name: Annotated[str, Path(description="ladder, roofline or samples", max_length=80)],
    run: Annotated[int, Query(description="Id of the run", ge=1, le=2**63 - 1)],
    problem: Annotated[
        str | None, Query(description="Problem; the run's first by default", max_length=80)
    ] = None,
    size: Annotated[
        str | None, Query(description="Size key such as m=1024,n=1024,k=1024", max_length=200)
    ] = None,
    dtype: Annotated[str | None, Query(description="Element type such as float32", max_length=20)] = None,
    cache: Annotated[CacheState, Query(description="Cache state of the measurements")] = CacheState.COLD,
    theme: Annotated[Literal["light", "dark"], Query(description="Colours")] = "light",
    width: Annotated[int, Query(description="Width of the drawing in px", ge=240, le=2400)] = 720,
    view: Annotated[str, Query(description="The chart's own switch", max_length=20)] = "",
    warm: Annotated[bool, Query(description="Roofline: draw the warm pair")] = False,
    log: Annotated[bool, Query(description="Ladder: logarithmic axis")] = False,
) -> Response:
    """`data` and `layout` for Plotly, and in `meta` the points that the keyboard walks and export texts."""
    figure = chart(name).build(
        store,
        ChartRequest(
            run_id=run,
            choice=LadderChoice(problem, size, dtype, cache),
            palette=BY_NAME[theme],
            width_px=width,
            view=view,
            with_warm=warm,
            log_axis=log,
        ),
    )
    body: dict[str, Any] = {
        **figure.as_json(),
        "meta": {"walk": figure.walk, "file_name": figure.file_name, "caption": figure.caption},
    }
    text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text, media_type="application/json")
