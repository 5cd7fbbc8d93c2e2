"""Evidence and findings of kept launches, asked for by launch or by stage."""

from __future__ import annotations

from dataclasses import dataclass

from app.analysis.diagnosis import diagnose
from app.domain.errors import InvalidInputError, NotFoundError
from app.domain.finding import Finding
from app.domain.kept_report import KeptLaunch, KeptProfile
from app.domain.kernel_evidence import KernelEvidence
from app.domain.size import Size
from app.services.counted_cells import is_sure
from app.services.launch_evidence import EvidenceReader
from app.storage.store import Store

MOST_LAUNCHES = 20


@dataclass(frozen=True)
class Wanted:
    """Which launches: one by its id, or the newest of a problem, a stage, a size."""

    launch_id: int | None = None
    problem: str | None = None
    stage: str | None = None
    size: Size | None = None


@dataclass(frozen=True)
class Diagnosed:
    """A launch with its evidence and one finding a rule."""

    launch: KeptLaunch
    evidence: KernelEvidence
    findings: tuple[Finding, ...]


def diagnosed(store: Store, wanted: Wanted) -> tuple[Diagnosed, ...]:
    """At most 20 launches, the newest of each stage, size and element type.

    Raises InvalidInputError where neither launch nor problem is named, and for an unknown launch.
    """
    reader = EvidenceReader(store)
    return tuple(_diagnosed(reader, kept) for kept in _wanted(store, wanted))


def _wanted(store: Store, wanted: Wanted) -> list[KeptProfile]:
    if wanted.launch_id is not None:
        launches = [_named(store, wanted.launch_id)]
    elif wanted.problem is not None:
        launches = _newest(store.stage_launches(wanted.problem, wanted.stage), wanted.size)
    else:
        raise InvalidInputError("Name a launch, or a problem with or without a stage.", field="launch")
    return [store.launch_profile(launch.report_id, launch.ordinal) for launch in launches]


def _named(store: Store, launch_id: int) -> KeptLaunch:
    try:
        return store.launch(launch_id)
    except NotFoundError as error:
        raise InvalidInputError(error.message, field="launch") from error


def _newest(launches: list[KeptLaunch], size: Size | None) -> list[KeptLaunch]:
    newest: dict[object, KeptLaunch] = {}
    for launch in launches:
        match = launch.match
        if is_sure(launch) and (size is None or match.size == size):
            newest.setdefault((match.stage, match.size, match.dtype), launch)
    return list(newest.values())[:MOST_LAUNCHES]


def _diagnosed(reader: EvidenceReader, kept: KeptProfile) -> Diagnosed:
    evidence = reader.of(kept.launch, kept.profile).evidence
    return Diagnosed(kept.launch, evidence, diagnose(evidence))
