"""Every page, in one short list."""

from __future__ import annotations

from fastapi import APIRouter

from app.web import static_files
from app.web.pages import (
    ceilings,
    claims,
    frame,
    incidents,
    jobs,
    lab,
    ladders,
    machine,
    overview,
    pairs,
    profiles,
    runs,
    search,
    traps,
)

router = APIRouter(include_in_schema=False)
for part in (
    overview,
    ladders,
    lab,
    ceilings,
    claims,
    incidents,
    pairs,
    traps,
    runs,
    profiles,
    jobs,
    machine,
    search,
    frame,
    static_files,
):
    router.include_router(part.router)
