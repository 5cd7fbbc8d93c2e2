"""Every published figure and its verdict on a device."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.claims.published import Section
from app.domain.vocabulary import Verdict
from app.services.claims_view import ClaimFilter, claims_view
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter(prefix="/claims")
PAGE = Page("pages/claims.html", "lab", (Crumb("Memory lab", "/lab"), Crumb("Claims")))
Word = Annotated[str, Query(max_length=200)]


@router.get("")
def show(
    request: Request, store: StoreDep, device: Word = "", verdict: Word = "", section: Word = ""
) -> HTMLResponse:
    """Claims of one device; words that are not known leave the list whole."""
    chosen = ClaimFilter(
        next((v for v in Verdict if v == verdict), None), next((s for s in Section if s == section), None)
    )
    return render(request, PAGE, claims_view(store, device or None, chosen))
