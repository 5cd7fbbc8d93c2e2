"""The memory lab: what each experiment measured on a device, beside what its theory says."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from app.claims.catalogue import claims
from app.claims.published import Judged, judge
from app.domain.device import Device
from app.domain.errors import NotFoundError
from app.domain.evidence import DeviceEvidence, MeasuredCell
from app.domain.measurement import CellKey, Measurement
from app.domain.size import Size
from app.domain.vocabulary import BackendName, CellStatus, Health, ProblemKind
from app.kernels import registry
from app.kernels.experiment import Experiment, experiments
from app.kernels.stage import Stage
from app.services.device_choice import DeviceChoice, choose_device
from app.storage.store import Store


@dataclass(frozen=True)
class LabPoint:
    """One cell of an experiment. `value`, its interval and `theory` are in the experiment's unit.

    `x` is the size parameter along the axis, None where the stages are the categories. Without a value
    `reason` says why, in the words of the outcome.
    """

    stage: Stage
    size: Size
    size_title: str
    x: int | None
    value: float | None
    low: float | None
    high: float | None
    theory: float | None
    further_theories: tuple[float | None, ...]  # in the order of the experiment's
    measurement: Measurement | None
    run_id: int | None
    imported: bool
    status: CellStatus | None
    reason: str

    @property
    def quarantined(self) -> bool:
        """Whether the number is shown but must not be believed."""
        return self.measurement is not None and self.measurement.health is Health.QUARANTINED

    @property
    def ratio(self) -> float | None:
        """Measured over theory."""
        return self.value / self.theory if self.value is not None and self.theory else None


@dataclass(frozen=True)
class ExperimentView:
    """An experiment with its points, series by series."""

    experiment: Experiment
    points: tuple[LabPoint, ...]

    @property
    def measured_count(self) -> int:
        """Points with a number."""
        return sum(point.value is not None for point in self.points)

    @property
    def run_ids(self) -> tuple[int, ...]:
        """Runs that the points come from, newest first."""
        return tuple(sorted({p.run_id for p in self.points if p.run_id is not None}, reverse=True))


@dataclass(frozen=True)
class LabView:
    """Every experiment of some kinds, and the device whose points are shown."""

    choice: DeviceChoice
    views: tuple[ExperimentView, ...]

    @property
    def device(self) -> Device | None:
        """The chosen device; None while nothing was ever measured anywhere."""
        return self.choice.evidence.device if self.choice.evidence else None

    @property
    def imported(self) -> bool:
        """Whether all that is known of the device came as capsules."""
        return any(d.imported for d in self.choice.devices if d.device.uuid == self.choice.uuid)

    @property
    def shown(self) -> tuple[ExperimentView, ...]:
        """Experiments with at least one number."""
        return tuple(view for view in self.views if view.measured_count)

    @property
    def missing(self) -> tuple[ExperimentView, ...]:
        """Experiments that were not measured on this device."""
        return tuple(view for view in self.views if not view.measured_count)


@dataclass(frozen=True)
class ExperimentPage:
    """One experiment on the chosen device, its neighbours on its page, and the claims that cite its problem.

    Without evidence nothing is measured and nothing judged.
    """

    choice: DeviceChoice
    view: ExperimentView
    kind: ProblemKind
    previous: Experiment | None
    following: Experiment | None
    claims: tuple[Judged, ...]

    @property
    def device(self) -> Device | None:
        """The chosen device."""
        return self.choice.evidence.device if self.choice.evidence else None


def lab_view(store: Store, kinds: Collection[ProblemKind], device_uuid: str | None) -> LabView:
    """The experiments of some kinds of problem, in page order. Raises what `choose_device` raises."""
    choice = choose_device(store, device_uuid)
    chosen = (e for e in experiments().values() if registry.problem(e.problem).kind in kinds)
    evidence = choice.evidence
    return LabView(
        choice, tuple(ExperimentView(e, points_of(e, evidence) if evidence else ()) for e in chosen)
    )


def experiment_view(store: Store, name: str, device_uuid: str | None) -> tuple[Device, ExperimentView]:
    """One experiment on one device. Raises NotFoundError for an unknown name, or where nothing is known.

    Raises what `choose_device` raises.
    """
    experiment = _named(name)
    evidence = choose_device(store, device_uuid).evidence
    if evidence is None:
        raise NotFoundError(
            "Nothing was measured on any device yet. Run the lab: roofladder run --suite memory_lab.",
            field="device",
        )
    return evidence.device, ExperimentView(experiment, points_of(experiment, evidence))


def experiment_page(store: Store, name: str, device_uuid: str | None) -> ExperimentPage:
    """One experiment with what stands around it. Raises NotFoundError for an unknown name.

    Raises what `choose_device` raises.
    """
    experiment = _named(name)
    kind = registry.problem(experiment.problem).kind
    beside = [e for e in experiments().values() if registry.problem(e.problem).kind is kind]
    at = beside.index(experiment)
    choice = choose_device(store, device_uuid)
    evidence = choice.evidence
    return ExperimentPage(
        choice=choice,
        view=ExperimentView(experiment, points_of(experiment, evidence) if evidence else ()),
        kind=kind,
        previous=beside[at - 1] if at else None,
        following=beside[at + 1] if at + 1 < len(beside) else None,
        claims=_claims_citing(experiment, evidence) if evidence else (),
    )


def _named(name: str) -> Experiment:
    try:
        return experiments()[name]
    except KeyError:
        known = ", ".join(experiments())
        raise NotFoundError(f"No experiment is called {name!r}. Known: {known}.", field="name") from None


def _claims_citing(experiment: Experiment, evidence: DeviceEvidence) -> tuple[Judged, ...]:
    citing = (c for c in claims() if any(cell.problem == experiment.problem for cell in c.look.cells))
    return tuple(judge(claim, evidence) for claim in citing)


def points_of(experiment: Experiment, evidence: DeviceEvidence) -> tuple[LabPoint, ...]:
    """Every stage at every size: stage by stage along an axis, else size by size."""
    stages = _stages(experiment, evidence.device.backend)
    sizes = experiment.sizes or registry.problem(experiment.problem).suite_sizes
    pairs = [(stage, size) for stage in stages for size in sizes]
    if experiment.axis is None:
        pairs = [(stage, size) for size in sizes for stage in stages]
    return tuple(_point(experiment, stage, size, evidence) for stage, size in pairs)


def _stages(experiment: Experiment, backend: BackendName) -> Sequence[Stage]:
    declared = registry.stages(experiment.problem, backend)
    return [s for s in declared if not experiment.stages or s.name in experiment.stages]


def _point(experiment: Experiment, stage: Stage, size: Size, evidence: DeviceEvidence) -> LabPoint:
    key = CellKey(experiment.problem, stage.name, size, experiment.dtype)
    cell = evidence.cells.get((key, experiment.cache))
    if cell is not None and not cell.measurement.correctness.passed:
        cell = None
    fate = evidence.fates.get(key)
    low, high = _interval(experiment, cell)
    return LabPoint(
        stage=stage,
        size=size,
        size_title=registry.problem(experiment.problem).size_title(size),
        x=None if experiment.axis is None else size[experiment.axis],
        value=experiment.value(cell) if cell else None,
        low=low,
        high=high,
        theory=experiment.theory(stage, size, evidence),
        further_theories=tuple(one.theory(stage, size, evidence) for one in experiment.further_theories),
        measurement=cell.measurement if cell else None,
        run_id=cell.run_id if cell else (fate.run_id if fate else None),
        imported=cell is not None and cell.imported,
        status=fate.outcome.status if fate else None,
        reason="" if cell else (fate.outcome.reason if fate else "not measured on this device"),
    )


def _interval(experiment: Experiment, cell: MeasuredCell | None) -> tuple[float | None, float | None]:
    """The 95 % interval of the median, as the experiment reads it."""
    if cell is None or cell.measurement.ci_low_s is None or cell.measurement.ci_high_s is None:
        return None, None
    ends = (cell.measurement.ci_low_s, cell.measurement.ci_high_s)
    read = [experiment.value(replace(cell, measurement=replace(cell.measurement, median_s=s))) for s in ends]
    known = sorted(value for value in read if value is not None)
    return (known[0], known[-1]) if known else (None, None)
