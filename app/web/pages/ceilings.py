"""The roofs of a device: measured beside the data sheet."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.services.ceilings_view import ceilings_view
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter(prefix="/ceilings")
PAGE = Page("pages/ceilings.html", "lab", (Crumb("Memory lab", "/lab"), Crumb("Ceilings")))


@router.get("")
def show(
    request: Request, store: StoreDep, device: Annotated[str, Query(max_length=200)] = ""
) -> HTMLResponse:
    """The roofs of one device."""
    return render(request, PAGE, ceilings_view(store, device or None))
