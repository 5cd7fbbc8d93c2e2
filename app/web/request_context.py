"""The outermost layer of a request: its id, its log line, its security headers, and no traceback ever."""

from __future__ import annotations

import logging
import time
import uuid

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.error_pages import error_response

logger = logging.getLogger(__name__)

# Plotly writes style elements while it draws; scripts stay limited to our own files.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
# same-origin, not no-referrer: the latter makes browsers send `Origin: null` with our own forms.
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class RequestContextMiddleware:
    """Gives each request an id, logs it, adds the security headers and answers what nothing else caught."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = uuid.uuid4().hex[:16]
        scope.setdefault("state", {})["request_id"] = request_id
        started_at, status = time.perf_counter(), 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in {**SECURITY_HEADERS, "X-Request-ID": request_id}.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        try:
            await self.app(scope, receive, send_with_headers)
        except Exception as error:
            if status:
                logger.exception("Request %s failed after its response had begun", request_id)
                raise
            request = Request(scope, receive)
            await error_response(request, error)(scope, receive, send_with_headers)
        finally:
            elapsed_ms = (time.perf_counter() - started_at) * 1e3
            logger.info("%s %s %r %d %.1f ms", request_id, scope["method"], scope["path"], status, elapsed_ms)
