"""Every page, in one short list."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(include_in_schema=False)
