"""The ladders: which stages exist, and what each changes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.services.ladder_catalogue import catalogue, ladder_entry
from app.web.dependencies import StoreDep
from app.web.templating import Crumb, Page, render

router = APIRouter(prefix="/ladders")


@router.get("")
def show_all(request: Request, store: StoreDep) -> HTMLResponse:
    """Every ladder with its stages for each backend."""
    return render(request, Page("pages/ladders.html", "ladders", (Crumb("Ladders"),)), catalogue(store))


@router.get("/{problem}")
def show(
    request: Request,
    store: StoreDep,
    problem: str,
    dtype: Annotated[str | None, Query(max_length=20)] = None,
    regime: Annotated[str | None, Query(max_length=20)] = None,
) -> HTMLResponse:
    """One ladder in one element type."""
    entry = ladder_entry(store, problem, dtype, regime)
    crumbs = (Crumb("Ladders", "/ladders"), Crumb(entry.problem.title))
    return render(request, Page("pages/ladder.html", "ladders", crumbs), entry)
