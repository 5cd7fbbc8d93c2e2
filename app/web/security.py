"""Who may talk to the service: the host it answers to, the site a change comes from, the token."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from urllib.parse import urlsplit

from fastapi import Request
from fastapi.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from app.domain.errors import ForbiddenError, InvalidInputError, UnauthorizedError
from app.web.error_pages import API_PREFIX, error_response

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN_PATHS = frozenset({f"{API_PREFIX}/v1/health", "/login"})
STATIC_PREFIX = "/static/"
SESSION_COOKIE = "roofladder_session"
SESSION_S = 30 * 24 * 3600


@dataclass(frozen=True)
class AccessPolicy:
    """On loopback the Host header must name loopback or an allowed host; beyond it a token is needed.

    Raises InvalidInputError when bound beyond loopback with no token: such a service must not start.
    """

    token: str | None = None
    bound_to_loopback: bool = True
    allowed_hosts: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if not self.bound_to_loopback and not self.token:
            raise InvalidInputError(
                "Listening beyond this machine needs a token, so that not everyone on the network can submit "
                "jobs. Set ROOFLADDER_TOKEN to a long random text, or bind 127.0.0.1.",
                field="token",
            )

    def accepts_host(self, host_header: str) -> bool:
        """Whether the service answers to that Host header; refusing others stops DNS rebinding."""
        host = _host_name(host_header)
        if host in self.allowed_hosts:
            return True
        if self.bound_to_loopback:
            return host in LOOPBACK_HOSTS
        return not self.allowed_hosts or host in LOOPBACK_HOSTS

    def accepts_token(self, offered: str) -> bool:
        """Compare in constant time."""
        return self.token is not None and hmac.compare_digest(offered.encode(), self.token.encode())

    def session_value(self) -> str:
        """What the cookie holds: derived from the token, so that the cookie does not give it away."""
        return hmac.new(
            (self.token or "").encode(), b"roofladder browser session", hashlib.sha256
        ).hexdigest()

    def accepts_session(self, cookie: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(cookie.encode(), self.session_value().encode())


class AccessMiddleware:
    """Refuses a request before any route sees it."""

    def __init__(self, app: ASGIApp, *, policy: AccessPolicy) -> None:
        self.app = app
        self.policy = policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            _check_host(request, self.policy)
            _check_origin(request)
            _check_token(request, self.policy)
        except (ForbiddenError, UnauthorizedError) as error:
            await _refusal(request, error)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _check_host(request: Request, policy: AccessPolicy) -> None:
    if not policy.accepts_host(request.headers.get("host", "")):
        raise ForbiddenError(
            "The Host header names a host that this service does not answer to. "
            "Open it as http://127.0.0.1 or http://localhost with its port.",
            field="Host",
        )


def _check_origin(request: Request) -> None:
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("origin")
    same = (
        request.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        if origin is None
        else urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()
    )
    if not same:
        raise ForbiddenError(
            "The request comes from a page of another site; only this service's own pages may change things. "
            "Nothing was changed; open the service's own address.",
            field="Origin",
        )


def _check_token(request: Request, policy: AccessPolicy) -> None:
    if policy.token is None or request.url.path in OPEN_PATHS or request.url.path.startswith(STATIC_PREFIX):
        return
    scheme, _, offered = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and policy.accepts_token(offered.strip()):
        return
    if policy.accepts_session(request.cookies.get(SESSION_COOKIE, "")):
        return
    raise UnauthorizedError(
        "The token is missing or wrong. Send `Authorization: Bearer TOKEN` with the value of "
        "ROOFLADDER_TOKEN, or sign in at /login.",
        field="Authorization",
    )


def _refusal(request: Request, error: ForbiddenError | UnauthorizedError) -> Response:
    is_page = not request.url.path.startswith(f"{API_PREFIX}/")
    if isinstance(error, UnauthorizedError) and is_page and request.method in SAFE_METHODS:
        return RedirectResponse("/login", status_code=303)
    return error_response(request, error)


def _host_name(host_header: str) -> str:
    try:
        return (urlsplit(f"//{host_header}").hostname or "").lower()
    except ValueError:
        return ""
