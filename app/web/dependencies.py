"""What a route may ask for: the store, the job queue and the version, made once by `create_app`."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request

from app.services.submit_job import JobQueue
from app.storage.store import Store


def get_store(request: Request) -> Store:
    """The store that `create_app` was given."""
    return cast(Store, request.app.state.store)


def get_queue(request: Request) -> JobQueue:
    """The job queue that `create_app` was given."""
    return cast(JobQueue, request.app.state.queue)


StoreDep = Annotated[Store, Depends(get_store)]
QueueDep = Annotated[JobQueue, Depends(get_queue)]
