"""Refuse a request body over its limit while it streams in, before it fills memory or disk."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.error_pages import error_response

MEBIBYTE = 1 << 20
DEFAULT_LIMIT_BYTES = 1 * MEBIBYTE
CAPSULE_LIMIT_BYTES = 64 * MEBIBYTE
REPORTS_LIMIT_BYTES = 1024 * MEBIBYTE  # streamed to disk, never whole in memory


class BodyTooLarge(HTTPException):
    """The body is over the limit of its address."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(
            413,
            f"The request body is over the limit of {limit_bytes // MEBIBYTE} MiB here. "
            "Nothing was stored; send a smaller one.",
        )


class BodyLimitMiddleware:
    """Counts body bytes; `limit_by_path` names the addresses that take more than `default_bytes`."""

    def __init__(
        self, app: ASGIApp, *, default_bytes: int = DEFAULT_LIMIT_BYTES, limit_by_path: Mapping[str, int]
    ) -> None:
        self.app = app
        self.default_bytes = default_bytes
        self.limit_by_path = limit_by_path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.limit_by_path.get(scope["path"], self.default_bytes)
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdecimal() and int(declared[:20]) > limit:
            response = error_response(Request(scope, receive), BodyTooLarge(limit))
            await response(scope, receive, send)
            return
        received = 0

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise BodyTooLarge(limit)
            return message

        await self.app(scope, receive_counted, send)
