"""The ladders: which stages exist, and what each changes."""

from __future__ import annotations

from fastapi import APIRouter, Request
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
def show(request: Request, store: StoreDep, problem: str) -> HTMLResponse:
    """One ladder."""
    entry = ladder_entry(store, problem)
    crumbs = (Crumb("Ladders", "/ladders"), Crumb(entry.problem.title))
    return render(request, Page("pages/ladder.html", "ladders", crumbs), entry)
