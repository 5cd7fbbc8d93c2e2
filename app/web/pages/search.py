"""Search and jump."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from app.domain.run import RunSummary
from app.services.search import search
from app.web.dependencies import StoreDep
from app.web.search_hits import Hit, hits_of, jump
from app.web.templating import Crumb, Page, render
from app.web.view_state import run_href

router = APIRouter(prefix="/search")
PAGE = Page("pages/search.html", "search", (Crumb("Search"),))


@dataclass(frozen=True)
class SearchPage:
    """What was typed, and the links that answer it."""

    text: str
    hits: tuple[Hit, ...]
    runs: tuple[RunSummary, ...]


@router.get("")
def show(request: Request, store: StoreDep, q: Annotated[str, Query(max_length=200)] = "") -> Response:
    """A run's number, a title typed in full and a single hit are jumped to."""
    found = search(store, q)
    hits = hits_of(found)
    named = found.named or (found.runs[0] if len(found.runs) == 1 and not hits else None)
    if named is not None:
        return RedirectResponse(run_href(named.id), status_code=303)
    href = jump(found, hits)
    if href is not None:
        return RedirectResponse(href, status_code=303)
    return render(request, PAGE, SearchPage(found.text, hits, found.runs))
