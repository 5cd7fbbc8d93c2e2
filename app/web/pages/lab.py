"""The memory lab and the memory hierarchy: one card an experiment."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse

from app.domain.vocabulary import ProblemKind
from app.services.hierarchy_view import hierarchy_view
from app.services.lab_view import experiment_page, lab_view
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter()
ABOVE = {
    ProblemKind.EXPERIMENT: (Crumb("Memory lab", "/lab"),),
    ProblemKind.QUANTISATION: (Crumb("Memory lab", "/lab"),),
    ProblemKind.HIERARCHY: (Crumb("Memory lab", "/lab"), Crumb("Hierarchy", "/hierarchy")),
}
Device = Annotated[str | None, Query(max_length=100)]


@router.get("/lab")
def show_lab(request: Request, store: StoreDep, device: Device = None) -> HTMLResponse:
    """What each way to move data costs on a device."""
    page = Page("pages/lab.html", "lab", (Crumb("Memory lab"),))
    return render(request, page, lab_view(store, (ProblemKind.EXPERIMENT, ProblemKind.QUANTISATION), device))


@router.get("/lab/{name}")
def show_experiment(
    request: Request,
    store: StoreDep,
    name: Annotated[str, Path(max_length=80)],
    device: Device = None,
) -> HTMLResponse:
    """One experiment: chart, lesson, every point with where it comes from, and the claims about it."""
    view = experiment_page(store, name, device)
    crumbs = (*ABOVE[view.kind], Crumb(view.view.experiment.title))
    return render(request, Page("pages/experiment.html", "lab", crumbs), view)


@router.get("/hierarchy")
def show_hierarchy(request: Request, store: StoreDep, device: Device = None) -> HTMLResponse:
    """Capacity, latency and bandwidth of each level, and the charts behind them."""
    page = Page("pages/hierarchy.html", "lab", (Crumb("Memory lab", "/lab"), Crumb("Hierarchy")))
    return render(request, page, hierarchy_view(store, device))
