"""Reports of Nsight Compute as the REST interface takes and gives them."""

from __future__ import annotations

import math
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from app.domain.kept_report import KeptLaunch, KeptProfile, KeptReport, KnownMetric, MatchHow, ReportOrigin
from app.domain.report import Instance, LaunchKind, Metric, ReportFormat, RuleType, SourceLine, ToolRule
from app.domain.vocabulary import Dtype
from app.services.compare_launches import Comparison, Difference
from app.services.import_report import Imported

LONGEST_NAME = 80


class DialectOut(BaseModel):
    """How the file was written."""

    model_config = ConfigDict(from_attributes=True)

    format: ReportFormat
    encoding: str
    delimiter: str
    thousands: str = Field(description="Separator of thousands, empty for none.")
    decimal: str
    columns: int
    tool_version: str | None
    notes: list[str]


class ReadErrorOut(BaseModel):
    """Why a file, or a part of it, has no launches; quotes the tool."""

    model_config = ConfigDict(from_attributes=True)

    code: str
    message: str


class ReportSummaryOut(BaseModel):
    """A report as lists show it."""

    id: int = Field(examples=[3])
    name: str = Field(description="The file's name.", examples=["gemm.ncu-rep"])
    sha256: str = Field(description="Of the file as it came.")
    size_bytes: int
    origin: ReportOrigin
    format: ReportFormat
    tool_version: str | None
    device_names: list[str]
    launch_count: int
    matched_count: int = Field(description="Launches that were matched to a stage.")
    warning_count: int
    skipped_count: int = Field(description="Rows, cells or blocks that were left out.")
    imported_at: datetime
    job_id: int | None = Field(description="The job that captured it.")
    run_id: int | None = Field(description="The run it belongs to.")

    @classmethod
    def of(cls, report: KeptReport) -> ReportSummaryOut:
        """The report as the interface gives it."""
        facts = report.facts
        return cls(
            id=report.id,
            name=facts.name,
            sha256=facts.sha256,
            size_bytes=facts.size_bytes,
            origin=facts.origin,
            format=facts.dialect.format,
            tool_version=facts.dialect.tool_version,
            device_names=list(facts.device_names),
            launch_count=report.launch_count,
            matched_count=report.matched_count,
            warning_count=len(facts.warnings),
            skipped_count=sum(facts.skipped.values()),
            imported_at=report.imported_at,
            job_id=facts.job_id,
            run_id=facts.run_id,
        )


class MatchOut(BaseModel):
    """The stage a launch is one of. problem and stage null: none here."""

    problem: str | None
    stage: str | None
    size: dict[str, int] | None
    dtype: Dtype | None
    confidence: float = Field(ge=0, le=1)
    how: MatchHow
    reasons: list[str] = Field(description="What speaks for it, or why there is none.")


class LaunchOut(BaseModel):
    """A launch without its counters. SI units; null is "the output does not say"."""

    id: int = Field(description="For PATCH /launches/{id}.")
    report_id: int
    n: int = Field(description="Place in the report, from 1: GET /reports/{id}/launches/{n}.")
    number: int | None = Field(description="The tool's own id.")
    process_id: int | None
    kernel: str
    function: str | None
    kind: LaunchKind
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int] | None
    device_name: str | None
    compute_capability: str | None
    duration_s: float | None
    invocations: int | None = Field(description="Of a summary: how many launches it stands for.")
    metric_count: int
    match: MatchOut

    @classmethod
    def of(cls, launch: KeptLaunch) -> LaunchOut:
        """The launch as the interface gives it."""
        fields = {name: getattr(launch, name) for name in cls.model_fields if hasattr(launch, name)}
        match = launch.match
        found = MatchOut(
            problem=match.problem,
            stage=match.stage,
            size=match.size.as_dict() if match.size else None,
            dtype=match.dtype,
            confidence=match.confidence,
            how=match.how,
            reasons=list(match.reasons),
        )
        return cls.model_validate(fields | {"n": launch.ordinal, "match": found})


class ReportOut(ReportSummaryOut):
    """A whole report; its first 200 launches without their counters."""

    dialect: DialectOut
    warnings: list[str]
    skipped: dict[str, int] = Field(description="What was left out, by reason.")
    error: ReadErrorOut | None
    device_attributes: dict[str, dict[str, str]] = Field(description="By device, as the file says.")
    launches: list[LaunchOut]
    launches_next: str | None = Field(description="Address of the further launches; null where all are here.")


class InstanceOut(BaseModel):
    """One part of a metric that is counted apart."""

    key: int | str | None
    value: float | None


class MetricOut(BaseModel):
    """One counter. value null: not collected; its name in `raw` says how the tool wrote that."""

    section: str | None
    label: str | None
    name: str
    raw: str = Field(description="As the tool printed it.")
    unit: str = Field(description="Unit of `value`, as printed.")
    value: float | str | None
    base_value: float | None = Field(description="In base units: ns, byte, byte/s, hz, %.")
    base_unit: str
    instance_count: int = Field(description="Of a report file: 0 unless ?instances=true reads them from it.")
    instances: list[InstanceOut] | None = Field(description="Only where asked for with ?instances=true.")

    @classmethod
    def of(cls, metric: Metric, *, with_instances: bool) -> MetricOut:
        """The counter as the interface gives it."""
        value = finite(metric.value) if isinstance(metric.value, float) else metric.value
        return cls(
            section=metric.section,
            label=metric.label,
            name=metric.name,
            raw=metric.raw,
            unit=metric.unit,
            value=value,
            base_value=finite(metric.base_value),
            base_unit=metric.base_unit,
            instance_count=len(metric.instances),
            instances=[_instance(one) for one in metric.instances] if with_instances else None,
        )


class RuleOut(BaseModel):
    """What one of the tool's own rules says."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    type: RuleType
    section: str
    text: str
    speedup_percent: float | None
    speedup_scope: str | None


class SourceLineOut(BaseModel):
    """One instruction, or one line of source, with its counters by name."""

    text: str
    address: int | None
    line: int | None
    values: dict[str, float | None]

    @classmethod
    def of(cls, line: SourceLine) -> SourceLineOut:
        """The line as the interface gives it."""
        values = {name: finite(value) for name, value in line.values.items()}
        return cls(text=line.text, address=line.address, line=line.line, values=values)


class LaunchProfileOut(LaunchOut):
    """A launch with every counter that was read."""

    context: str | None
    stream: str | None
    nvtx: list[str] = Field(description="Ranges that were open, outermost first.")
    metrics: list[MetricOut]
    rules: list[RuleOut]
    source: list[SourceLineOut]
    source_total_samples: int | None

    @classmethod
    def of_profile(cls, kept: KeptProfile, *, text: str, with_instances: bool) -> LaunchProfileOut:
        """The launch as the interface gives it; `text` narrows its counters."""
        profile, wanted = kept.profile, text.lower()
        metrics = [
            MetricOut.of(metric, with_instances=with_instances)
            for metric in profile.metrics
            if wanted in f"{metric.name} {metric.section or ''} {metric.label or ''}".lower()
        ]
        source = profile.source
        return cls(
            **LaunchOut.of(kept.launch).model_dump() | {"kernel": profile.kernel},
            context=profile.context,
            stream=profile.stream,
            nvtx=list(profile.nvtx),
            metrics=metrics,
            rules=[_rule(rule) for rule in profile.rules],
            source=[SourceLineOut.of(line) for line in source.lines] if source else [],
            source_total_samples=source.total_samples if source else None,
        )


class ProblemOfFile(BaseModel):
    """Why a file was not kept."""

    code: str = Field(examples=["unreadable_report"])
    message: str


class ImportedReportOut(BaseModel):
    """What became of one file."""

    name: str = Field(description="As it was sent.")
    created: bool = Field(description="False where the same content was here already, or nothing was kept.")
    report: ReportSummaryOut | None
    problem: ProblemOfFile | None

    @classmethod
    def of(cls, imported: Imported) -> ImportedReportOut:
        """The outcome as the interface gives it."""
        error = imported.error
        return cls(
            name=imported.name.encode("utf-8", "replace").decode(),
            created=imported.created,
            report=ReportSummaryOut.of(imported.report) if imported.report else None,
            problem=ProblemOfFile(code=error.code, message=error.message) if error else None,
        )


class ImportedReportsOut(BaseModel):
    """One entry a file; those of a zip each have their own."""

    items: list[ImportedReportOut]


class MatchIn(BaseModel):
    """Which stage a launch is one of; problem and stage null say that none here is right."""

    model_config = ConfigDict(extra="forbid")

    problem: str | None = Field(max_length=LONGEST_NAME, examples=["matmul"])
    stage: str | None = Field(max_length=LONGEST_NAME, examples=["register_tile"])
    size: str | None = Field(default=None, max_length=200, examples=["m=4096,n=4096,k=4096"])
    dtype: Dtype | None = None


class KnownMetricOut(BaseModel):
    """A metric that some kept launch has."""

    name: str = Field(examples=["dram__bytes.sum"])
    section: str | None
    label: str | None
    launch_count: int
    report_count: int

    @classmethod
    def of(cls, metric: KnownMetric) -> KnownMetricOut:
        """The metric as the interface gives it."""
        return cls.model_validate(metric, from_attributes=True)


class DifferenceOut(BaseModel):
    """One counter of two launches, in base units."""

    name: str
    section: str | None
    label: str | None
    unit: str
    base: float
    head: float
    change: float | None = Field(description="head over base minus 1; null from nothing to something.")

    @classmethod
    def of(cls, difference: Difference) -> DifferenceOut:
        """The difference as the interface gives it."""
        fields = {name: getattr(difference, name) for name in cls.model_fields}
        return cls.model_validate(fields | {"change": finite(difference.change)})


class ComparisonOut(BaseModel):
    """Two launches counter by counter, the largest change first."""

    base: LaunchOut
    head: LaunchOut
    differences: list[DifferenceOut]
    equal_count: int
    base_only: list[str] = Field(description="Counters that only the first launch has.")
    head_only: list[str] = Field(description="Counters that only the second launch has.")

    @classmethod
    def of(cls, comparison: Comparison) -> ComparisonOut:
        """The comparison as the interface gives it."""
        return cls(
            base=LaunchOut.of(comparison.base.launch),
            head=LaunchOut.of(comparison.head.launch),
            differences=[DifferenceOut.of(one) for one in comparison.differences],
            equal_count=comparison.equal_count,
            base_only=list(comparison.base_only),
            head_only=list(comparison.head_only),
        )


def finite(value: float | None) -> float | None:
    """JSON has no infinities: they are null, and `raw` says what was printed."""
    return value if value is not None and math.isfinite(value) else None


def _instance(instance: Instance) -> InstanceOut:
    return InstanceOut(key=instance.key, value=finite(instance.value))


def _rule(rule: ToolRule) -> RuleOut:
    return RuleOut.model_validate(
        {name: getattr(rule, name) for name in RuleOut.model_fields}
        | {"speedup_percent": finite(rule.speedup_percent)}
    )
