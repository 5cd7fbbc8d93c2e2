"""Runs that come with the product stand beside a machine's own where it has no GPU."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path

from app.domain.errors import InvalidInputError
from app.services.capsule import import_capsule
from app.storage.store import Store

logger = logging.getLogger(__name__)


def import_bundled_capsules(store: Store, folder: Path) -> list[int]:
    """Import each capsule of the folder once in the life of the store; returns the ids of new runs.

    A capsule that the user deleted stays deleted. One that cannot be read is named in the log and left out.
    """
    created = []
    for path in sorted(folder.glob("*.zip")):
        content = path.read_bytes()
        milestone = f"bundled capsule {hashlib.sha256(content).hexdigest()}"
        if store.milestone_reached(milestone):
            continue
        try:
            imported = import_capsule(store, content)
        except InvalidInputError as error:
            logger.warning("%s was not imported: %s", path.name, error.message)
            continue
        store.reach_milestone(milestone)
        if imported.created:
            created.append(imported.run_id)
    return created
