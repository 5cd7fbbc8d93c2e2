"""How errors look in the OpenAPI description: one model, declared for every endpoint."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel, Field

from app.web.error_pages import PROBLEM_MEDIA_TYPE

COMPONENT = "Problem"
DESCRIPTION_BY_STATUS = {
    400: "The body cannot be read as JSON.",
    401: "The token is missing or wrong.",
    403: "The request comes from another site, or names another host.",
    404: "There is no such thing.",
    409: "Its state does not allow this.",
    413: "The body, a list or a text is over its limit.",
    422: "The request asks for something that cannot be; `field` names the input at fault.",
    500: "The service failed; its log has the cause under the request id.",
    503: "Something outside is missing or busy: database, disk, worker.",
}
EVERYWHERE = (400, 401, 403, 413, 422, 500, 503)


class FieldProblem(BaseModel):
    """One input at fault."""

    field: str = Field(examples=["sizes[0].m"])
    message: str = Field(examples=["Input should be greater than or equal to 1"])


class Problem(BaseModel):
    """An error as RFC 9457 gives it, with the field at fault and the id that the log knows it by."""

    type: str = Field(examples=["urn:roofladder:error:not_found"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(description="The fact, the consequence and what to do.")
    code: str = Field(description="Stable word to match on.", examples=["not_found"])
    field: str | None = Field(description="The input at fault.", examples=["problems[0]"])
    errors: list[FieldProblem] = Field(description="Every input at fault, where several are.")
    request_id: str


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """`responses=` of a route that can answer with these errors."""
    schema = {"$ref": f"#/components/schemas/{COMPONENT}"}
    return {
        status: {
            "description": DESCRIPTION_BY_STATUS[status],
            "content": {PROBLEM_MEDIA_TYPE: {"schema": schema}},
        }
        for status in statuses
    }


def describe_with_problems(web: FastAPI) -> None:
    """Put the error model into the OpenAPI description of `web`, in place of FastAPI's own."""

    def openapi() -> dict[str, Any]:
        if web.openapi_schema is None:
            described = get_openapi(
                title=web.title, version=web.version, description=web.description, routes=web.routes
            )
            components = described.setdefault("components", {}).setdefault("schemas", {})
            own = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
            components |= own.pop("$defs") | {COMPONENT: own}
            web.openapi_schema = described
        return web.openapi_schema

    web.openapi = openapi  # type: ignore[method-assign]
