"""The one translation of errors into responses: problem+json under /api, a page elsewhere."""

from __future__ import annotations

import html
import http
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match

from app.domain import errors

logger = logging.getLogger(__name__)

API_PREFIX = "/api"
PROBLEM_MEDIA_TYPE = "application/problem+json"

STATUS_BY_ERROR: Mapping[type[errors.RoofladderError], int] = {
    errors.InvalidInputError: 422,
    errors.TooLargeError: 413,
    errors.NotFoundError: 404,
    errors.ConflictError: 409,
    errors.UnauthorizedError: 401,
    errors.ForbiddenError: 403,
    errors.UnavailableError: 503,
    errors.RoofladderError: 500,
}
CODE_BY_STATUS: Mapping[int, str] = {
    400: "malformed_request",
    401: errors.UnauthorizedError.code,
    403: errors.ForbiddenError.code,
    404: errors.NotFoundError.code,
    405: "method_not_allowed",
    409: errors.ConflictError.code,
    413: errors.TooLargeError.code,
    415: "unsupported_media_type",
    422: errors.InvalidInputError.code,
    503: errors.UnavailableError.code,
}
DETAIL_BY_STATUS: Mapping[int, str] = {
    400: "The body cannot be read; nothing was stored. Check that it is complete and valid JSON.",
    404: "Nothing is at this address. Check the path; GET /api/v1/openapi.json lists every endpoint.",
    405: "This address does not take that method. The Allow header lists those it takes.",
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
FIELD_BY_STATUS: Mapping[int, str] = {400: "body", 413: "body"}


@dataclass(frozen=True)
class FieldProblem:
    """One input at fault."""

    field: str
    message: str


@dataclass(frozen=True)
class Problem:
    """An error as a reader sees it (RFC 9457); `code` is the stable word, `field` the input at fault."""

    status: int
    code: str
    detail: str
    request_id: str
    field: str | None = None
    fields: tuple[FieldProblem, ...] = ()
    headers: Mapping[str, str] | None = None

    @property
    def title(self) -> str:
        """The status in words."""
        return http.HTTPStatus(self.status).phrase

    def as_json(self) -> dict[str, object]:
        """Body of the problem+json response."""
        return {
            "type": f"urn:roofladder:error:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "field": self.field,
            "errors": [{"field": one.field, "message": one.message} for one in self.fields],
            "request_id": self.request_id,
        }


ErrorPage = Callable[[Request, Problem], Response]


def request_id(request: Request) -> str:
    """The id that ties a response to its log lines."""
    return str(request.scope.get("state", {}).get("request_id", "-"))


def status_of(error: errors.RoofladderError) -> int:
    """HTTP status of the nearest class in the error's ancestry."""
    return next(STATUS_BY_ERROR[cls] for cls in type(error).__mro__ if cls in STATUS_BY_ERROR)


def problem_of(request: Request, error: Exception) -> Problem:
    """Translate any error; what is not ours becomes a 500 that tells nothing of the inside."""
    match error:
        case errors.RoofladderError():
            return _problem_of_own_error(request, error)
        case RequestValidationError():
            return _problem_of_validation(request, error.errors())
        case HTTPException():
            return _problem_of_http(request, error)
    logger.error("Request %s failed", request_id(request), exc_info=error)
    return Problem(
        500,
        "internal_error",
        "The service failed on this request; its log tells why under the request id. Other requests go on.",
        request_id(request),
    )


def error_response(request: Request, error: Exception) -> Response:
    """The response for an error: problem+json under /api, a page elsewhere."""
    problem = problem_of(request, error)
    if request.url.path == API_PREFIX or request.url.path.startswith(f"{API_PREFIX}/"):
        return JSONResponse(
            problem.as_json(), problem.status, headers=problem.headers, media_type=PROBLEM_MEDIA_TYPE
        )
    page: ErrorPage = request.app.state.error_page
    try:
        response = page(request, problem)
    except Exception:
        logger.exception("The error page itself failed for request %s", problem.request_id)
        response = plain_error_page(request, problem)
    response.headers.update(problem.headers or {})
    return response


def plain_error_page(request: Request, problem: Problem) -> Response:
    """A page that needs no template, so that it works when templates do not."""
    title = html.escape(f"{problem.status} {problem.title}")
    body = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title} · Roofladder</title>'
        f"<h1>{title}</h1><p>{html.escape(problem.detail)}</p>"
        f'<p>Request {html.escape(problem.request_id)} · <a href="/">Overview</a></p></html>'
    )
    return HTMLResponse(body, problem.status)


def install(app: FastAPI, error_page: ErrorPage = plain_error_page) -> None:
    """Make `app` answer every error through this module."""
    app.state.error_page = error_page
    for cls in (errors.RoofladderError, RequestValidationError, HTTPException):
        app.add_exception_handler(cls, error_response)


def _problem_of_own_error(request: Request, error: errors.RoofladderError) -> Problem:
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, errors.UnauthorizedError) else None
    if isinstance(error, errors.UnavailableError):
        headers = {"Retry-After": "5"}
        logger.warning("Request %s: %s", request_id(request), error.message)
    return Problem(
        status_of(error), error.code, error.message, request_id(request), error.field, headers=headers
    )


def _methods_taken(request: Request) -> str:
    """Every method of the address: the framework names only those of the first route that fits the path."""

    def taken(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    return ", ".join(method for method in METHODS if taken(method))


def _problem_of_http(request: Request, error: HTTPException) -> Problem:
    headers = {"Allow": _methods_taken(request)} if error.status_code == 405 else error.headers
    phrase = http.HTTPStatus(error.status_code).phrase
    own_words = error.detail if error.status_code != 400 and error.detail != phrase else None
    return Problem(
        error.status_code,
        CODE_BY_STATUS.get(error.status_code, "error"),
        own_words or DETAIL_BY_STATUS.get(error.status_code, phrase),
        request_id(request),
        FIELD_BY_STATUS.get(error.status_code),
        headers=headers,
    )


def _problem_of_validation(request: Request, found: Sequence[Any]) -> Problem:
    if found and found[0]["type"] == "json_invalid":
        position = found[0]["loc"][-1]
        reason = found[0].get("ctx", {}).get("error", "not JSON")
        detail = (
            f"The body is not JSON: {reason} at character {position}. Nothing was stored; send valid JSON."
        )
        return Problem(400, "malformed_json", detail, request_id(request), "body")
    fields = tuple(FieldProblem(field_name(one["loc"]), str(one["msg"])) for one in found[:20])
    first = fields[0]
    more = f" ({len(found) - 1} more in errors.)" if len(found) > 1 else ""
    detail = f"{first.field}: {first.message}. Nothing was stored; correct it and send again.{more}"
    return Problem(422, errors.InvalidInputError.code, detail, request_id(request), first.field, fields)


def field_name(loc: Sequence[str | int]) -> str:
    """Name an input as a reader would: ("body", "sizes", 0, "m") is `sizes[0].m`."""
    parts = [part for part in loc[1:] if part != "[key]"] or list(loc[:1])
    name = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return name.lstrip(".")[:120]
