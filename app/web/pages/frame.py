"""What the frame around every page asks for: the theme and the running job."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from app.services.frame import frame
from app.web.dependencies import StoreDep
from app.web.templating import THEMES, render_frame_part

router = APIRouter()
A_YEAR_S = 31_536_000


@router.post("/theme")
def choose_theme(theme: Annotated[str, Form()] = "", back: Annotated[str, Form()] = "/") -> RedirectResponse:
    """Keep the choice in a cookie, so that the server renders the right theme with no flash."""
    local = back.startswith("/") and not back.startswith(("//", "/\\"))
    response = RedirectResponse(back if local else "/", status_code=303)
    if theme in THEMES:
        response.set_cookie("theme", theme, max_age=A_YEAR_S, samesite="lax")
    return response


@router.get("/parts/job-chip")
def job_chip(request: Request, store: StoreDep) -> HTMLResponse:
    """The chip of the running job."""
    return render_frame_part(request, "parts/job_chip.html", frame(store))
