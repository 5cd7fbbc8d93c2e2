"""What a person may change of a launch: the stage that it was matched to."""

from __future__ import annotations

from app.domain.kept_report import KeptLaunch
from app.services.matching import corrected_match, match_of
from app.storage.store import Store


def correct_match(
    store: Store,
    launch_id: int,
    problem: str | None,
    stage: str | None,
    size: str | None = None,
    dtype: str | None = None,
) -> KeptLaunch:
    """Say which stage a launch is one of, or that none is right.

    Raises NotFoundError for an unknown launch, problem or stage, InvalidInputError for a size or type that is
    none.
    """
    store.launch(launch_id)
    return store.match_launch(launch_id, corrected_match(problem, stage, size, dtype))


def match_again(store: Store, launch_id: int) -> KeptLaunch:
    """Take a correction back: match by range, name, grid and block. Raises NotFoundError."""
    launch = store.launch(launch_id)
    profile = store.launch_profile(launch.report_id, launch.ordinal).profile
    return store.match_launch(launch_id, match_of(profile))
