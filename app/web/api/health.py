"""GET /health: is the service there, and how old is the worker's last word."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter
from pydantic import BaseModel, Field

import app
from app.web.dependencies import StoreDep

router = APIRouter(tags=["service"])


class HealthOut(BaseModel):
    """State of the service."""

    status: str = Field(description="`ok`: the database answers.", examples=["ok"])
    version: str = Field(examples=["0.1.0"])
    worker_age_s: float | None = Field(
        description="Seconds since a worker last wrote its snapshot; null while no worker ever did.",
        examples=[12.5],
    )


@router.get("/health")
def health(store: StoreDep) -> HealthOut:
    """Version, and seconds since the worker's last snapshot. Needs no token."""
    workers = store.workers()
    age_s = (datetime.now(UTC) - workers[0].seen_at).total_seconds() if workers else None
    return HealthOut(status="ok", version=app.__version__, worker_age_s=age_s)
