"""GET /jobs/{id}/events: a job's story as server-sent events."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, format_sse_event

from app.domain.run import JobEvent
from app.domain.vocabulary import JobStatus
from app.storage.store import Store
from app.web.api.paging import LARGEST_ID, JobId
from app.web.api.problems import problems
from app.web.dependencies import HubDep, StoreDep
from app.web.event_hub import EventHub

router = APIRouter(prefix="/jobs", tags=["jobs"])

IDLE_S = 10.0
RECONNECT_MS = 2000
EventId = Annotated[int, Query(ge=0, le=LARGEST_ID)]
LastEventId = Annotated[
    int | None,
    Header(
        alias="Last-Event-ID", ge=0, le=LARGEST_ID, description="Go on after this event; browsers send it."
    ),
]


@router.get(
    "/{job_id}/events",
    response_class=Response,
    responses={
        200: {
            "description": "Events `status`, `progress`, `cell` and `log`, each with its id and JSON data, "
            "at most four batches a second; the stream ends after the final `status`.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        204: {"description": "The job is over and nothing came after Last-Event-ID: do not reconnect."},
        **problems(404),
    },
)
def job_events(
    job_id: JobId, store: StoreDep, hub: HubDep, after: EventId = 0, last_event_id: LastEventId = None
) -> Response:
    """Follow a job: its events from the first (or after `after` / Last-Event-ID), then live."""
    job = store.job(job_id)
    after_id = after if last_event_id is None else last_event_id
    if job.status.is_final and not store.events(after_id=after_id, job_id=job_id, limit=1):
        return Response(status_code=204)
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return EventSourceResponse(_stream(store, hub, job_id, after_id), headers=headers)


async def _stream(store: Store, hub: EventHub, job_id: int, after_id: int) -> AsyncIterator[bytes]:
    yield format_sse_event(retry=RECONNECT_MS)
    async for batch in hub.follow(job_id, after_id, IDLE_S):
        for event in batch:
            yield _encoded(event)
        if any(_is_end(event) for event in batch):
            return
        if not batch:
            yield KEEPALIVE_COMMENT


def _encoded(event: JobEvent) -> bytes:
    data = {"at": event.at.isoformat(), **event.data}
    return format_sse_event(data_str=json.dumps(data), event=event.kind, id=str(event.id))


def _is_end(event: JobEvent) -> bool:
    return event.kind == "status" and JobStatus(str(event.data.get("status"))).is_final
