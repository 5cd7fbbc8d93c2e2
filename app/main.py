"""Web entry: one ASGI application over a store and a job queue."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

import app as roofladder
from app.jobs.engine import JobQueue
from app.storage.store import Store
from app.web import error_pages, login
from app.web.api.problems import describe_with_problems
from app.web.api.router import router as api_router
from app.web.body_limit import CAPSULE_LIMIT_BYTES, REPORTS_LIMIT_BYTES, BodyLimitMiddleware
from app.web.event_hub import EventHub
from app.web.pages.router import router as pages_router
from app.web.request_context import RequestContextMiddleware
from app.web.security import AccessMiddleware, AccessPolicy
from app.web.templating import error_page

LIMIT_BY_PATH = {
    **dict.fromkeys(("/api/v1/runs/import", "/runs/import"), CAPSULE_LIMIT_BYTES),
    **dict.fromkeys(("/api/v1/reports", "/profiles/import"), REPORTS_LIMIT_BYTES),
}


def create_app(
    store: Store,
    queue: JobQueue,
    *,
    token: str | None = None,
    bound_to_loopback: bool = True,
    allowed_hosts: Iterable[str] = (),
) -> FastAPI:
    """The whole web interface over ready objects.

    `token` is asked of every request once it is given; `bound_to_loopback` False without one raises
    InvalidInputError. `allowed_hosts` are further names in the Host header that are answered.
    """
    policy = AccessPolicy(token, bound_to_loopback, frozenset(name.lower() for name in allowed_hosts))
    web = FastAPI(
        title="Roofladder",
        version=roofladder.__version__,
        description="Measure ladders of kernels, keep the runs, read them back.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    web.state.store, web.state.queue, web.state.access_policy = store, queue, policy
    web.state.hub = EventHub(store)
    error_pages.install(web, error_page)
    describe_with_problems(web)
    web.include_router(api_router)
    web.include_router(login.router)
    web.include_router(pages_router)
    # The last one added is the outermost.
    web.add_middleware(BodyLimitMiddleware, limit_by_path=LIMIT_BY_PATH)
    web.add_middleware(AccessMiddleware, policy=policy)
    web.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)
    web.add_middleware(RequestContextMiddleware)
    return web
