"""The ladder that a page's query string asks for."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Query

from app.services.ladder_rows import LadderChoice
from app.services.run_view import cache_state


def ladder_choice(
    problem: Annotated[str | None, Query(max_length=80)] = None,
    size: Annotated[str | None, Query(max_length=200)] = None,
    dtype: Annotated[str | None, Query(max_length=20)] = None,
    cache: Annotated[str, Query(max_length=10)] = "cold",
    regime: Annotated[str | None, Query(max_length=20)] = None,
) -> LadderChoice:
    """Words that are not known fall back to the run's own first choice."""
    return LadderChoice(problem, size, dtype, cache_state(cache), regime)


ChoiceDep = Annotated[LadderChoice, Depends(ladder_choice)]
RunId = Annotated[int, Query(ge=1, le=2**63 - 1)]
