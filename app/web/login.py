"""The sign-in form of a service with a token: a browser cannot send an Authorization header by itself."""

from __future__ import annotations

import html
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.web.security import SESSION_COOKIE, SESSION_S, AccessPolicy

router = APIRouter(include_in_schema=False)


@router.get("/login")
def form(request: Request) -> Response:
    """The form; a service without a token has nothing to sign in to."""
    policy: AccessPolicy = request.app.state.access_policy
    return RedirectResponse("/", status_code=303) if policy.token is None else _page("")


@router.post("/login")
def sign_in(request: Request, token: Annotated[str, Form(max_length=1000)] = "") -> Response:
    """Set the session cookie for the right token."""
    policy: AccessPolicy = request.app.state.access_policy
    if not policy.accepts_token(token):
        return _page("That is not the token. It is the value of ROOFLADDER_TOKEN on the server.", status=401)
    response = RedirectResponse("/", status_code=303)
    response.set_cookie(
        SESSION_COOKIE,
        policy.session_value(),
        max_age=SESSION_S,
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
    return response


def _page(message: str, status: int = 200) -> HTMLResponse:
    alert = f'<p role="alert">{html.escape(message)}</p>' if message else ""
    return HTMLResponse(
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Sign in · Roofladder</title>'
        f'<main><h1>Sign in to Roofladder</h1>{alert}<form method="post" action="/login">'
        '<label>Token <input type="password" name="token" autocomplete="current-password" required autofocus>'
        "</label> <button>Sign in</button></form></main></html>",
        status,
    )
