"""This machine."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.services.machine_view import machine_view
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter(prefix="/machine")
PAGE = Page("pages/machine.html", "machine", (Crumb("This machine"),))


@router.get("")
def show(request: Request, store: StoreDep) -> HTMLResponse:
    """What can and cannot be done here, and the fix."""
    return render(request, PAGE, machine_view(store, datetime.now(UTC)))
