"""Faults from production, replayed on a device."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import HTMLResponse

from app.services.incidents_view import incident_view, incidents_view
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter(prefix="/incidents")
Word = Annotated[str, Query(max_length=200)]


@router.get("")
def show_all(request: Request, store: StoreDep, device: Word = "") -> HTMLResponse:
    """Every incident with its factor here."""
    page = Page("pages/incidents.html", "lab", (Crumb("Memory lab", "/lab"), Crumb("Incidents")))
    return render(request, page, incidents_view(store, device or None))


@router.get("/{name}")
def show(
    request: Request, store: StoreDep, name: Annotated[str, Path(max_length=80)], device: Word = ""
) -> HTMLResponse:
    """One incident."""
    view = incident_view(store, name, device or None)
    crumbs = (Crumb("Memory lab", "/lab"), Crumb("Incidents", "/incidents"), Crumb(view.incident.title))
    return render(request, Page("pages/incident.html", "lab", crumbs), view)
