"""Lists newest first: `limit`, an opaque `cursor`, and `next`, the address of the following page."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Annotated, Generic, TypeVar

from fastapi import Path, Query, Request
from pydantic import BaseModel, Field

from app.domain.errors import InvalidInputError

T = TypeVar("T")

LARGEST_ID = 2**63 - 1
Limit = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
Cursor = Annotated[
    str | None,
    Query(max_length=64, description="Where the page begins: the `cursor` of a `next` address, unchanged."),
]
JobId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The job's id.")]
RunId = Annotated[int, Path(ge=1, le=LARGEST_ID, description="The run's id.")]


class Page(BaseModel, Generic[T]):
    """One page of a list, newest first."""

    items: list[T]
    next: str | None = Field(
        description="Address of the following page; null on the last.",
        examples=["/api/v1/runs?limit=50&cursor=MTIz"],
    )


def before_id(cursor: str | None) -> int | None:
    """The id that a cursor stands for. Raises InvalidInputError for one that no page gave out."""
    if cursor is None:
        return None
    try:
        text = base64.urlsafe_b64decode(cursor.encode()).decode("ascii")
        found = int(text) if text.isdecimal() else 0
    except (binascii.Error, ValueError):
        found = 0
    if not 1 <= found <= LARGEST_ID:
        raise InvalidInputError(
            "cursor is none that a page gave out. Follow `next` as it stands, or leave the cursor out.",
            field="cursor",
        )
    return found


def page_of(
    request: Request, found: Sequence[T], limit: int, id_of: Callable[[T], int], path: str | None = None
) -> tuple[list[T], str | None]:
    """Cut `limit` + 1 found things into a page and the address of the next, at `path` or where we are."""
    items = list(found[:limit])
    if len(found) <= limit:
        return items, None
    cursor = base64.urlsafe_b64encode(str(id_of(items[-1])).encode()).decode()
    own = request.url if path is None else request.url.replace(path=path)
    address = own.include_query_params(limit=limit, cursor=cursor)
    return items, f"{address.path}?{address.query}"
