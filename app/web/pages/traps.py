"""What fools a benchmark, and whether the product caught it on a device."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.services.traps import traps_view
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter(prefix="/traps")
PAGE = Page("pages/traps.html", "lab", (Crumb("Memory lab", "/lab"), Crumb("Traps")))


@router.get("")
def show(
    request: Request, store: StoreDep, device: Annotated[str, Query(max_length=200)] = ""
) -> HTMLResponse:
    """The traps of one device."""
    return render(request, PAGE, traps_view(store, device or None))
