"""The overview."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.services.overview import overview
from app.web.dependencies import StoreDep
from app.web.pages.choice import ChoiceDep
from app.web.templating import Crumb, Page, render

router = APIRouter()
PAGE = Page("pages/overview.html", "overview", (Crumb("Overview"),))


@router.get("/")
def show(
    request: Request, store: StoreDep, choice: ChoiceDep, source: Annotated[str, Query(max_length=10)] = "own"
) -> HTMLResponse:
    """`source` chooses between the machine's own run and the imported one."""
    return render(request, PAGE, overview(store, choice, source, datetime.now(UTC)))
