"""GET /findings and /evidence: what rules say of kept launches, and what they rest on."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from app.analysis.checklists import run_checklists
from app.analysis.cross_check import CrossCheck, cross_checks
from app.domain.checklist import CheckVerdict
from app.domain.errors import InvalidInputError
from app.domain.finding import EvidenceValue, Finding, FindingVerdict, GainScope, Severity
from app.domain.kernel_evidence import KernelEvidence
from app.domain.measurement import CompilerReport
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Level, Provenance, Regime
from app.services.launch_findings import Diagnosed, Wanted, diagnosed
from app.web.api.paging import LARGEST_ID, Page
from app.web.api.report_models import LaunchOut, finite
from app.web.api.run_models import RoofOut
from app.web.dependencies import StoreDep

router = APIRouter(tags=["diagnosis"])


class EvidenceValueOut(BaseModel):
    """A number that a finding rests on."""

    name: str
    value: float | None
    unit: str
    provenance: Provenance
    source: str = Field(description="Metric, formula, compiler or roof.")

    @classmethod
    def of(cls, value: EvidenceValue) -> EvidenceValueOut:
        """The value as the interface gives it."""
        return cls(
            name=str(value.name),
            value=finite(value.value),
            unit=value.unit,
            provenance=value.provenance,
            source=value.source,
        )


class GainOut(BaseModel):
    """Upper bound of a cure's speed-up."""

    model_config = ConfigDict(from_attributes=True)

    speed_up: float = Field(description="Time before over time after.")
    scope: GainScope
    formula: str


class StageLinkOut(BaseModel):
    """A stage that shows the cure."""

    model_config = ConfigDict(from_attributes=True)

    problem: str
    stage: str


class FindingOut(BaseModel):
    """The result of one rule on one launch."""

    rule: str
    title: str
    verdict: FindingVerdict
    message: str
    advice: str
    severity: Severity | None
    gain: GainOut | None
    cure: StageLinkOut | None
    evidence: list[EvidenceValueOut]

    @classmethod
    def of(cls, finding: Finding) -> FindingOut:
        """The finding as the interface gives it."""
        return cls(
            rule=finding.rule,
            title=finding.title,
            verdict=finding.verdict,
            message=finding.message,
            advice=finding.advice,
            severity=finding.severity,
            gain=GainOut.model_validate(finding.gain) if finding.gain else None,
            cure=StageLinkOut.model_validate(finding.cure) if finding.cure else None,
            evidence=[EvidenceValueOut.of(value) for value in finding.evidence],
        )


class DiagnosedOut(BaseModel):
    """A launch and one finding a rule, faults first."""

    launch: LaunchOut
    findings: list[FindingOut]


class CounterOut(BaseModel):
    """A counter by concept. value null: not collected, with the metric to ask for."""

    name: str
    value: float | None
    unit: str
    metrics: list[str]
    formula: str
    provenance: Provenance
    ask_for: str | None


class TimingOut(BaseModel):
    """A timing of the same stage, size and element type on the same model of device."""

    cache: CacheState
    regime: Regime
    median_s: float
    ci_low_s: float | None
    ci_high_s: float | None
    provenance: Provenance


class ModelOut(BaseModel):
    """What the stage's own algebra says."""

    flop: int
    least_dram_bytes: int
    bytes_by_level: dict[Level, int]
    provenance: Provenance


class CrossCheckOut(BaseModel):
    """One quantity by two instruments."""

    quantity: str
    first: EvidenceValueOut
    second: EvidenceValueOut
    ratio: float | None = Field(description="Second over first.")
    agrees: bool
    explanation: str

    @classmethod
    def of(cls, check: CrossCheck) -> CrossCheckOut:
        """The check as the interface gives it."""
        return cls(
            quantity=check.quantity,
            first=EvidenceValueOut.of(check.first),
            second=EvidenceValueOut.of(check.second),
            ratio=finite(check.ratio),
            agrees=check.agrees,
            explanation=check.explanation,
        )


class CheckOut(BaseModel):
    """One item of a checklist."""

    checklist: str = Field(examples=["L22 §8"])
    name: str
    text: str
    verdict: CheckVerdict
    message: str
    evidence: list[EvidenceValueOut]


class EvidenceOut(BaseModel):
    """One kernel as all instruments see it."""

    launch: LaunchOut
    device_uuid: str | None
    counters: list[CounterOut]
    timings: list[TimingOut]
    compiler: CompilerReport | None
    model: ModelOut | None
    roofs: list[RoofOut]
    cross_checks: list[CrossCheckOut]
    checklists: list[CheckOut] = Field(description="Every item of the lectures' two checklists.")

    @classmethod
    def of(cls, found: Diagnosed) -> EvidenceOut:
        """The evidence as the interface gives it."""
        evidence = found.evidence
        model = evidence.model
        return cls(
            launch=LaunchOut.of(found.launch),
            device_uuid=evidence.device.uuid if evidence.device else None,
            counters=_counters(evidence),
            timings=[
                TimingOut.model_validate({name: getattr(one, name) for name in TimingOut.model_fields})
                for one in evidence.timings
            ],
            compiler=evidence.compiler,
            model=ModelOut(
                flop=model.flop,
                least_dram_bytes=model.least_dram_bytes,
                bytes_by_level=dict(model.bytes_by_level),
                provenance=model.provenance,
            )
            if model
            else None,
            roofs=[RoofOut.model_validate(roof, from_attributes=True) for roof in evidence.roofs.values()],
            cross_checks=[CrossCheckOut.of(check) for check in cross_checks(evidence)],
            checklists=[
                CheckOut(
                    checklist=checklist.source,
                    name=item.name,
                    text=item.text,
                    verdict=item.verdict,
                    message=item.message,
                    evidence=[EvidenceValueOut.of(value) for value in item.evidence],
                )
                for checklist in run_checklists(evidence)
                for item in checklist.results
            ],
        )


def wanted(
    launch: Annotated[int | None, Query(ge=1, le=LARGEST_ID, description="Id of one launch.")] = None,
    problem: Annotated[str | None, Query(max_length=80, description="Newest launches of a problem.")] = None,
    stage: Annotated[str | None, Query(max_length=80, description="Of it, this stage only.")] = None,
    size: Annotated[
        str | None, Query(max_length=200, description="Size key such as m=1024,n=1024,k=1024.")
    ] = None,
) -> Wanted:
    """What the query string asks for. Raises InvalidInputError for a size that is none."""
    try:
        return Wanted(launch, problem, stage, Size.parse(size) if size else None)
    except ValueError:
        raise InvalidInputError("size is not of the form m=1024,n=1024,k=1024.", field="size") from None


WantedDep = Annotated[Wanted, Depends(wanted)]


@router.get("/findings")
def get_findings(
    store: StoreDep,
    asked: WantedDep,
    verdict: Annotated[FindingVerdict | None, Query(description="Only findings with this verdict.")] = None,
) -> Page[DiagnosedOut]:
    """One finding a rule for a launch, or for the newest launch of each stage of a problem."""
    items = [
        DiagnosedOut(
            launch=LaunchOut.of(found.launch),
            findings=[FindingOut.of(f) for f in found.findings if verdict in (None, f.verdict)],
        )
        for found in diagnosed(store, asked)
    ]
    return Page(items=items, next=None)


@router.get("/evidence")
def get_evidence(store: StoreDep, asked: WantedDep) -> Page[EvidenceOut]:
    """Counters by concept, timings, compiler report, model and roofs, each with its provenance."""
    return Page(items=[EvidenceOut.of(found) for found in diagnosed(store, asked)], next=None)


def _counters(evidence: KernelEvidence) -> list[CounterOut]:
    counters = evidence.counters
    found = [
        CounterOut(
            name=counter.value,
            value=finite(value.value),
            unit=value.unit,
            metrics=list(value.metrics),
            formula=value.formula,
            provenance=value.provenance,
            ask_for=None,
        )
        for counter, value in counters.values.items()
    ]
    missing = [
        CounterOut(
            name=counter.value,
            value=None,
            unit="",
            metrics=[],
            formula="",
            provenance=Provenance.NOT_CAPTURED,
            ask_for=lost.metric or None,
        )
        for counter, lost in counters.missing.items()
    ]
    return [*found, *missing]
