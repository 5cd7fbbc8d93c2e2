"""Search and jump."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from app.services.search import search
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render
from app.web.view_state import run_href

router = APIRouter(prefix="/search")
PAGE = Page("pages/search.html", "search", (Crumb("Search"),))


@router.get("")
def show(request: Request, store: StoreDep, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    """A run's number, and a single hit, are jumped to."""
    found = search(store, q)
    named = found.named or (found.runs[0] if len(found.runs) == 1 and not found.stages else None)
    if named is not None:
        return RedirectResponse(run_href(named.id), status_code=303)
    if len(found.stages) == 1 and not found.runs:
        return RedirectResponse(f"/ladders/{found.stages[0].problem}", status_code=303)
    return render(request, PAGE, found)
