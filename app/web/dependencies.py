"""What a route may ask for: the objects that `create_app` was given or made."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from app.jobs.engine import JobQueue
from app.storage.store import Store
from app.web.event_hub import EventHub


def get_store(request: Request) -> Store:
    """The store that `create_app` was given."""
    return cast(Store, request.app.state.store)


def get_queue(request: Request) -> JobQueue:
    """The job queue that `create_app` was given."""
    return cast(JobQueue, request.app.state.queue)


def get_hub(request: Request) -> EventHub:
    """The one poller of job events in this process."""
    return cast(EventHub, request.app.state.hub)


StoreDep = Annotated[Store, Depends(get_store)]
QueueDep = Annotated[JobQueue, Depends(get_queue)]
HubDep = Annotated[EventHub, Depends(get_hub)]
