"""One database poller per web process hands job events to every open stream."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from app.domain.errors import UnavailableError
from app.domain.run import JobEvent, latest_of_each
from app.storage.store import Store

logger = logging.getLogger(__name__)

POLL_S = 0.25
BATCH = 500
MOST_WAITING_BATCHES = 100

Inbox = asyncio.Queue[list[JobEvent] | None]


class EventHub:
    """Polls only while somebody listens, at most four times a second; lives in one event loop."""

    def __init__(self, store: Store, *, poll_s: float = POLL_S) -> None:
        self._store = store
        self._poll_s = poll_s
        self._inboxes: dict[int, set[Inbox]] = {}
        self._poller: asyncio.Task[None] | None = None

    async def follow(self, job_id: int, after_id: int, idle_s: float) -> AsyncIterator[list[JobEvent]]:
        """The job's events after `after_id`, in batches; an empty batch after each `idle_s` of silence."""
        with self._inbox(job_id) as inbox:
            while True:
                for batch in await self._stored(job_id, after_id):
                    after_id = batch[-1].id
                    yield latest_of_each(batch)
                while (waited := await _next(inbox, idle_s)) is not None:
                    fresh = [event for event in waited if event.id > after_id]
                    after_id = fresh[-1].id if fresh else after_id
                    if fresh or not waited:
                        yield latest_of_each(fresh)

    async def _stored(self, job_id: int, after_id: int) -> list[list[JobEvent]]:
        batches: list[list[JobEvent]] = []
        while True:
            found = await asyncio.to_thread(self._store.events, after_id=after_id, job_id=job_id, limit=BATCH)
            if found:
                batches.append(found)
                after_id = found[-1].id
            if len(found) < BATCH:
                return batches

    @contextmanager
    def _inbox(self, job_id: int) -> Iterator[Inbox]:
        inbox: Inbox = asyncio.Queue(MOST_WAITING_BATCHES)
        self._inboxes.setdefault(job_id, set()).add(inbox)
        if self._poller is None or self._poller.done():
            self._poller = asyncio.create_task(self._poll(self._store.latest_event_id()))
        try:
            yield inbox
        finally:
            listeners = self._inboxes[job_id]
            listeners.discard(inbox)
            if not listeners:
                del self._inboxes[job_id]

    async def _poll(self, after_id: int) -> None:
        while self._inboxes:
            try:
                found = await asyncio.to_thread(self._store.events, after_id=after_id, limit=BATCH)
            except UnavailableError as error:
                logger.warning("Job events cannot be read now: %s", error.message)
                found = []
            if found:
                after_id = found[-1].id
                self._hand_out(found)
            await asyncio.sleep(self._poll_s)

    def _hand_out(self, found: list[JobEvent]) -> None:
        for job_id, inboxes in self._inboxes.items():
            batch = [event for event in found if event.job_id == job_id]
            for inbox in inboxes if batch else ():
                _put(inbox, batch)


def _put(inbox: Inbox, batch: list[JobEvent]) -> None:
    """A listener too slow for its inbox is told, by None, to read the database again."""
    if inbox.full():
        while not inbox.empty():
            inbox.get_nowait()
        inbox.put_nowait(None)
    else:
        inbox.put_nowait(batch)


async def _next(inbox: Inbox, idle_s: float) -> list[JobEvent] | None:
    try:
        return await asyncio.wait_for(inbox.get(), idle_s)
    except TimeoutError:
        return []
