"""Diagnosis pairs: a card a fault."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.services.pairs_view import pairs_view
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter(prefix="/pairs")
PAGE = Page("pages/pairs.html", "lab", (Crumb("Memory lab", "/lab"), Crumb("Diagnosis pairs")))


@router.get("")
def show(
    request: Request, store: StoreDep, device: Annotated[str, Query(max_length=200)] = ""
) -> HTMLResponse:
    """What each classic fault costs on one device."""
    return render(request, PAGE, pairs_view(store, device or None))
