"""Everything under /api/v1, in one short list."""

from __future__ import annotations

from fastapi import APIRouter

from app.web.api import (
    attribution,
    ceilings,
    charts,
    claims,
    devices,
    experiments,
    explore_access,
    explore_occupancy,
    explore_quantisation,
    explore_roofline,
    explore_tiles,
    findings,
    health,
    hierarchy,
    incidents,
    job_events,
    jobs,
    ladders,
    launch_figures,
    launches,
    pairs,
    reports,
    runs,
    traps,
)
from app.web.api.problems import EVERYWHERE, problems

router = APIRouter(prefix="/api/v1", responses=problems(*EVERYWHERE))
for part in (
    health,
    devices,
    ladders,
    jobs,
    job_events,
    runs,
    charts,
    claims,
    incidents,
    experiments,
    hierarchy,
    pairs,
    traps,
    ceilings,
    reports,
    launches,
    launch_figures,
    findings,
    attribution,
    explore_access,
    explore_occupancy,
    explore_tiles,
    explore_quantisation,
    explore_roofline,
):
    router.include_router(part.router)
