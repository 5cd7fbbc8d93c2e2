"""The newest counted launch of each stage of a ladder: one size and element type, one model of device."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from app.analysis.attribution import CountedAttribution, attribute
from app.analysis.bottleneck import Bottleneck, bottleneck
from app.domain.errors import NotCollectedError
from app.domain.kept_report import KeptLaunch, MatchHow
from app.domain.kernel_evidence import KernelEvidence
from app.domain.report import LaunchProfile
from app.domain.run import Run
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype
from app.kernels import registry
from app.services.ladder_rows import LadderView
from app.services.launch_counters import unread
from app.services.launch_evidence import EvidenceReader
from app.storage.store import Store

LEAST_CONFIDENCE = 0.6  # a guess by name alone says nothing of a stage
LAUNCHES_LOOKED_AT = 400


@dataclass(frozen=True)
class CountedCell:
    """A launch of a stage with its evidence. bottleneck: None where too little was counted."""

    launch: KeptLaunch
    evidence: KernelEvidence
    bottleneck: Bottleneck | None


def is_sure(launch: KeptLaunch) -> bool:
    """Whether the launch speaks for its stage."""
    match = launch.match
    return match.stage is not None and (
        match.how is not MatchHow.AUTOMATIC or match.confidence >= LEAST_CONFIDENCE
    )


def counted_cells(
    store: Store, problem: str, size: Size, dtype: Dtype, device_name: str | None
) -> Mapping[str, CountedCell]:
    """By stage; empty where nothing was captured. A constant number of queries."""
    newest: dict[str, KeptLaunch] = {}
    for launch in store.stage_launches(problem, limit=LAUNCHES_LOOKED_AT):
        match = launch.match
        same = (match.size, match.dtype, launch.device_name) == (size, dtype, device_name)
        if same and is_sure(launch) and match.stage is not None:
            newest.setdefault(match.stage, launch)
    return {
        launch.match.stage: CountedCell(launch, evidence, _bottleneck(evidence))
        for launch, evidence in _evidences(store, newest.values())
        if launch.match.stage is not None
    }


def counted_of(store: Store, run: Run, ladder: LadderView | None) -> Mapping[str, CountedCell]:
    """What was counted of a run's ladder on the same model of device, whenever it was captured."""
    if ladder is None or ladder.backend is not BackendName.CUDA or run.summary.device is None:
        return {}
    return counted_cells(store, ladder.problem, ladder.size, ladder.dtype, run.summary.device.name)


def counted_attributions(problem: str, cells: Mapping[str, CountedCell]) -> Mapping[str, CountedAttribution]:
    """By stage: each counted rung against its declared parent, where that one was counted too."""
    found = {}
    for stage in registry.stages(problem, BackendName.CUDA):
        rung, parent = cells.get(stage.name), cells.get(stage.improves_on or "")
        if rung is None or parent is None:
            continue
        try:
            found[stage.name] = attribute(parent.evidence, rung.evidence, stage.promises)
        except NotCollectedError:
            continue
    return found


def _evidences(store: Store, launches: Iterable[KeptLaunch]) -> Iterable[tuple[KeptLaunch, KernelEvidence]]:
    wanted = {launch.id: launch for launch in launches}
    profiles: dict[int, LaunchProfile | None] = dict.fromkeys(wanted)
    missing = unread(store, tuple(wanted))
    if missing:
        profiles |= {launch.id: profile for launch, profile in store.launch_profiles(missing)}
    reader = EvidenceReader(store)
    for launch_id, launch in wanted.items():
        profile = profiles[launch_id]
        yield launch, reader.of(launch, profile or LaunchProfile(None, None, launch.kernel)).evidence


def _bottleneck(evidence: KernelEvidence) -> Bottleneck | None:
    try:
        return bottleneck(evidence)
    except NotCollectedError:
        return None
