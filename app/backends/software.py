"""Names and versions of the software around a run."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterable, Mapping

from app.domain.device import Environment


def base_environment(libraries: Iterable[str], facts: Mapping[str, str]) -> Environment:
    """What every backend can tell; libraries that are not installed are left out."""
    versions = {name: found for name in libraries if (found := version(name)) is not None}
    return Environment(
        roofladder_version=version("roofladder") or "not installed",
        python_version=platform.python_version(),
        os=platform.platform(),
        host=platform.node(),
        libraries=versions,
        facts=dict(facts),
    )


def version(distribution: str) -> str | None:
    """Version of an installed distribution, or None."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
