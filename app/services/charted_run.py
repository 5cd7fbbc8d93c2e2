"""The ladder that a chart draws."""

from __future__ import annotations

from app.domain.errors import NotFoundError
from app.domain.run import Run
from app.services.ladder_rows import LadderChoice, LadderView, ladder_of
from app.storage.store import Store


def charted_run(store: Store, run_id: int, choice: LadderChoice) -> tuple[Run, LadderView]:
    """The run and its ladder. Raises NotFoundError where there is nothing to draw."""
    run = store.run(run_id)
    ladder = ladder_of(run, choice)
    if ladder is None:
        raise NotFoundError(
            f"Run {run_id} has no ladder, so there is nothing to draw. Its log says what it did.", field="run"
        )
    return run, ladder
