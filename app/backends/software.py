"""Names and versions of the software around a run."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterable, Mapping

import app
from app.domain.device import Environment


def base_environment(
    libraries: Iterable[str],
    facts: Mapping[str, str],
    *,
    driver_version: str | None = None,
    cuda_version: str | None = None,
    nvrtc_version: str | None = None,
    further_libraries: Mapping[str, str] | None = None,
) -> Environment:
    """What every backend can tell; `libraries` are distributions, left out where not installed."""
    versions = {name: found for name in libraries if (found := version(name)) is not None}
    return Environment(
        roofladder_version=app.__version__,
        python_version=platform.python_version(),
        os=platform.platform(),
        host=platform.node(),
        driver_version=driver_version,
        cuda_version=cuda_version,
        nvrtc_version=nvrtc_version,
        libraries={**versions, **(further_libraries or {})},
        facts=dict(facts),
    )


def version(distribution: str) -> str | None:
    """Version of an installed distribution, or None."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
