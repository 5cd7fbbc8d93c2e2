"""What counters say of a whole ladder: each rung against its parent, at one size on one model of device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.analysis.attribution import CountedAttribution
from app.domain.kept_report import KeptLaunch
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, Metric
from app.kernels import registry
from app.kernels.stage import Stage
from app.services.counted_cells import (
    LAUNCHES_LOOKED_AT,
    CountedCell,
    counted_attributions,
    counted_cells,
    is_sure,
)
from app.storage.store import Store


@dataclass(frozen=True)
class CountedRung:
    """A stage as it was counted. attribution: None for a first rung, and where the parent was not counted."""

    stage: Stage
    cell: CountedCell
    attribution: CountedAttribution | None

    @property
    def claimed_bottleneck(self) -> str | None:
        """In the words of its source."""
        claims = (claim for claim in self.stage.claims if claim.metric is Metric.BOTTLENECK)
        return next((str(claim.value) for claim in claims), None)


@dataclass(frozen=True)
class CountedLadder:
    """Rungs that were counted, in ladder order; size and dtype None where nothing was."""

    problem: str
    device_name: str | None
    size: Size | None
    dtype: Dtype | None
    rungs: tuple[CountedRung, ...] = ()


def counted_ladder(
    store: Store,
    problem: str,
    size: Size | None = None,
    dtype: Dtype | None = None,
    device_name: str | None = None,
) -> CountedLadder:
    """What is not asked for is that of the newest launch that fits. Raises NotFoundError."""
    stages = registry.stages(registry.problem(problem).name, BackendName.CUDA)
    newest = _newest(store, problem, size, dtype, device_name)
    if newest is None or newest.match.size is None or newest.match.dtype is None:
        return CountedLadder(problem, device_name, size, dtype)
    chosen = (newest.match.size, newest.match.dtype, newest.device_name)
    cells = counted_cells(store, problem, *chosen)
    return CountedLadder(
        problem, newest.device_name, newest.match.size, newest.match.dtype, _rungs(problem, stages, cells)
    )


def _rungs(
    problem: str, stages: tuple[Stage, ...], cells: Mapping[str, CountedCell]
) -> tuple[CountedRung, ...]:
    counted = counted_attributions(problem, cells)
    return tuple(
        CountedRung(stage, cells[stage.name], counted.get(stage.name))
        for stage in stages
        if stage.name in cells
    )


def _newest(
    store: Store, problem: str, size: Size | None, dtype: Dtype | None, device_name: str | None
) -> KeptLaunch | None:
    for launch in store.stage_launches(problem, limit=LAUNCHES_LOOKED_AT):
        match = launch.match
        fits = (
            is_sure(launch)
            and match.size is not None
            and match.dtype is not None
            and size in (None, match.size)
            and dtype in (None, match.dtype)
            and device_name in (None, launch.device_name)
        )
        if fits:
            return launch
    return None
