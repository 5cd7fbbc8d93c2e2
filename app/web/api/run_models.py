"""Runs as the REST interface takes and gives them."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from app.domain.device import Device, Environment
from app.domain.duel import Duel, DuelSide
from app.domain.measurement import Ceiling, CellOutcome, CompilerReport, Measurement, Recipe, Samples
from app.domain.run import Run, RunSummary
from app.domain.vocabulary import (
    Arithmetic,
    BackendName,
    CacheState,
    CellStatus,
    Dtype,
    Health,
    Provenance,
    Regime,
    RunStatus,
    StopReason,
)
from app.services.edit_run import MAX_LABEL, MAX_NOTE, MAX_TAGS
from app.web.api.job_models import ErrorOut, SelectionOut


class RunSummaryOut(BaseModel):
    """A run as lists show it."""

    id: int = Field(examples=[3])
    uid: str = Field(description="Identity that stays the same on every machine the run is carried to.")
    status: RunStatus
    backend: BackendName
    imported: bool = Field(description="Measured on another machine and brought here in a capsule.")
    device: Device | None = Field(description="null until a worker began the run.")
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    label: str
    note: str
    tags: list[str]
    problems: list[str]
    job_id: int | None = Field(description="The job that carries it; null for an imported run.")
    error: ErrorOut | None

    @classmethod
    def of(cls, summary: RunSummary) -> RunSummaryOut:
        """The run as the interface gives it."""
        return cls.model_validate(summary, from_attributes=True)


class RoofOut(BaseModel):
    """The ceiling a measurement is judged by."""

    name: str = Field(examples=["fp32"])
    value: float
    unit: str = Field(description="Unit of `value`: flop_per_s or bytes_per_s.", examples=["flop_per_s"])
    source: Provenance


class MeasurementOut(BaseModel):
    """One stage x size x dtype in one cache state. SI units; null is "not known", never 0."""

    problem: str = Field(examples=["matmul"])
    stage: str = Field(examples=["register_tile"])
    reference: bool = Field(description="The library line.")
    size: dict[str, int] = Field(examples=[{"m": 1024, "n": 1024, "k": 1024}])
    dtype: Dtype
    arithmetic: Arithmetic
    cache: CacheState
    regime: Regime
    median_s: float
    mad_s: float = Field(description="Median absolute deviation.")
    ci_low_s: float | None = Field(description="Bootstrap interval of the median; null where n is too small.")
    ci_high_s: float | None
    p5_s: float
    p95_s: float
    n: int = Field(description="Samples.")
    noise_fraction: float | None = Field(description="Spread relative to the median.")
    launches_per_sample: int
    flop: int = Field(description="Floating-point operations of one launch, by the problem's algebra.")
    least_dram_bytes: int = Field(description="Each input read once, each output written once.")
    flop_per_s: float
    bytes_per_s: float
    roof: RoofOut | None
    roof_fraction_boost: float | None
    roof_fraction_held: float | None = Field(description="Of the roof at the clock that was held.")
    sm_clock_hz: float | None
    memory_clock_hz: float | None
    power_w: float | None
    temperature_c: float | None
    correct: bool = Field(description="Right before timing and, where asked, right after.")
    max_relative_error: float | None
    tolerance: float
    stop_reason: StopReason
    health: Health
    health_reasons: list[str]
    compiler: CompilerReport | None
    recipe: Recipe
    provenance: Provenance

    @classmethod
    def of(cls, measurement: Measurement) -> MeasurementOut:
        """The measurement as the interface gives it."""
        fields = {name: getattr(measurement, name) for name in cls.model_fields if hasattr(measurement, name)}
        key, correctness = measurement.key, measurement.correctness
        return cls.model_validate(
            fields
            | {
                "problem": key.problem,
                "stage": key.stage,
                "size": key.size.as_dict(),
                "dtype": key.dtype,
                "correct": correctness.passed,
                "max_relative_error": correctness.max_relative_error,
                "tolerance": correctness.tolerance,
            },
            from_attributes=True,
        )


class OutcomeOut(BaseModel):
    """What became of a cell, and why it has no measurement where it has none."""

    problem: str
    stage: str
    size: dict[str, int]
    dtype: Dtype
    status: CellStatus
    reason: str

    @classmethod
    def of(cls, outcome: CellOutcome) -> OutcomeOut:
        """The outcome as the interface gives it."""
        key = outcome.key
        return cls(
            problem=key.problem,
            stage=key.stage,
            size=key.size.as_dict(),
            dtype=key.dtype,
            status=outcome.status,
            reason=outcome.reason,
        )


class CeilingOut(BaseModel):
    """A roof of the device."""

    name: str = Field(examples=["dram_copy"])
    title: str
    kind: str = Field(description="bandwidth or compute")
    value: float
    unit: str = Field(examples=["bytes_per_s"])
    source: Provenance
    detail: str
    sm_clock_hz: float | None
    boost_clock_hz: float | None

    @classmethod
    def of(cls, ceiling: Ceiling) -> CeilingOut:
        """The ceiling as the interface gives it."""
        return cls.model_validate(ceiling, from_attributes=True)


class DuelBlockOut(BaseModel):
    """One side's launches in a row."""

    launch_s: float = Field(description="Mean seconds per launch.")
    launches: int
    sm_clock_hz: float | None = Field(description="In the second half of the block.")
    power_w: float | None


class DuelPairOut(BaseModel):
    """Two neighbouring blocks."""

    ratio: float
    own_first: bool
    own: DuelBlockOut
    library: DuelBlockOut


class DuelOut(BaseModel):
    """The fastest own stage against the fastest library line on one size and dtype, in one regime."""

    problem: str = Field(examples=["tensor_matmul"])
    size: dict[str, int] = Field(examples=[{"m": 4096, "n": 4096, "k": 4096}])
    dtype: Dtype
    arithmetic: Arithmetic
    regime: Regime
    own: str = Field(description="Stage by name.")
    library: str = Field(description="Library line by name.")
    library_call: str = Field(description="Version, function and algorithm.")
    ratio: float = Field(description="Speed of own over library: median over the pairs.", examples=[1.03])
    ratio_min: float
    ratio_max: float
    ratio_quartiles: tuple[float, float] | None = Field(description="null for fewer than four pairs.")
    flop: int = Field(description="Of one launch.")
    own_side: DuelSide = Field(description="Medians over its blocks.")
    library_side: DuelSide
    pairs: list[DuelPairOut]

    @classmethod
    def of(cls, duel: Duel) -> DuelOut:
        """The duel as the interface gives it."""
        fields = {name: getattr(duel, name) for name in cls.model_fields if hasattr(duel, name)}
        low, high = duel.range
        told = {
            "size": duel.size.as_dict(),
            "ratio_min": low,
            "ratio_max": high,
            "ratio_quartiles": duel.quartiles,
        }
        return cls.model_validate(fields | told, from_attributes=True)


class RunOut(RunSummaryOut):
    """A whole run but its raw samples."""

    selection: SelectionOut
    environment: Environment | None
    measurements: list[MeasurementOut]
    outcomes: list[OutcomeOut]
    ceilings: list[CeilingOut]
    duels: list[DuelOut]

    @classmethod
    def of_run(cls, run: Run) -> RunOut:
        """The run as the interface gives it."""
        return cls(
            **dict(RunSummaryOut.of(run.summary)),
            selection=SelectionOut.of(run.selection),
            environment=run.environment,
            measurements=[MeasurementOut.of(one) for one in run.measurements],
            outcomes=[OutcomeOut.of(one) for one in run.outcomes],
            ceilings=[CeilingOut.of(one) for one in run.ceilings],
            duels=[DuelOut.of(one) for one in run.duels],
        )


class SamplesOut(BaseModel):
    """Raw samples of one measurement, in the order they were taken."""

    problem: str
    stage: str
    size: dict[str, int]
    dtype: Dtype
    cache: CacheState
    regime: Regime
    durations_s: list[float] = Field(description="Seconds per launch.")
    sm_clock_hz: list[float | None] = Field(description="Clock held during each; empty where not readable.")

    @classmethod
    def of(cls, samples: Samples) -> SamplesOut:
        """The samples as the interface gives them."""
        key = samples.key
        return cls(
            problem=key.problem,
            stage=key.stage,
            size=key.size.as_dict(),
            dtype=key.dtype,
            cache=samples.cache,
            regime=samples.regime,
            durations_s=list(samples.durations_s),
            sm_clock_hz=list(samples.sm_clock_hz),
        )


class RunPatch(BaseModel):
    """What to change; a field that is absent or null stays."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"label": "before tiling"}]})

    label: str | None = Field(None, max_length=MAX_LABEL)
    note: str | None = Field(None, max_length=MAX_NOTE)
    tags: list[str] | None = Field(None, max_length=MAX_TAGS, description="All tags, replacing those it has.")


class ImportedOut(BaseModel):
    """Where an imported run lies."""

    run_id: int
    created: bool = Field(description="false when the same run was here already.")
