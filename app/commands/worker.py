"""`roofladder worker`: a worker by itself, and whether one is alive."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from app.commands.serve import worker_environment
from app.domain.errors import UnavailableError
from app.settings import Settings

STALE_AFTER_S = 180.0  # a worker writes its snapshot at start and every minute


def run(settings: Settings) -> None:
    """Work until stopped."""
    from app import worker

    os.environ.update(worker_environment(settings))
    worker.main()


def check(settings: Settings) -> str:
    """One line about the newest worker. Raises UnavailableError when none wrote lately."""
    from app.storage.database import open_store

    seen = open_store(settings.results_url).workers()
    if not seen:
        raise UnavailableError(
            "No worker has ever started on this data folder. Start one: roofladder worker."
        )
    age_s = (datetime.now(UTC) - seen[0].seen_at).total_seconds()
    if age_s > STALE_AFTER_S:
        raise UnavailableError(
            f"The worker wrote last {age_s:.0f} s ago: jobs wait. Start it again: roofladder worker."
        )
    return f"Worker {seen[0].worker_id} wrote {age_s:.0f} s ago."
