"""Rows of measurements, outcomes and ceilings as domain values, and back."""

from __future__ import annotations

from app.domain.measurement import Ceiling, CellKey, CellOutcome, CompilerReport, Measurement, Recipe
from app.domain.size import Size
from app.domain.vocabulary import (
    Arithmetic,
    CacheState,
    CellStatus,
    Dtype,
    Health,
    Provenance,
    Regime,
    StopReason,
)
from app.storage.encoding import CORRECTNESS, FACTS, ROOF, TEXTS
from app.storage.tables import CeilingRow, CellOutcomeRow, MeasurementRow, SeriesRow

# Written and read unchanged: the column and the field have one name and one type.
_PLAIN = (
    "reference",
    "median_s",
    "mad_s",
    "ci_low_s",
    "ci_high_s",
    "p5_s",
    "p95_s",
    "n",
    "noise_fraction",
    "launches_per_sample",
    "flop",
    "least_dram_bytes",
    "sm_clock_hz",
    "memory_clock_hz",
    "power_w",
    "temperature_c",
    "roof_fraction_boost",
    "roof_fraction_held",
)


def measurement_row(
    series_id: int,
    run_id: int,
    measurement: Measurement,
    *,
    recipe_sha256: str,
    compiler_sha256: str | None,
) -> MeasurementRow:
    """The row of a measurement whose shared texts are kept already."""
    return MeasurementRow(
        series_id=series_id,
        run_id=run_id,
        stop_reason=measurement.stop_reason.value,
        health=measurement.health.value,
        health_reasons=TEXTS.dump(measurement.health_reasons),
        correct=measurement.correctness.passed,
        correctness=CORRECTNESS.dump(measurement.correctness),
        roof=ROOF.dump(measurement.roof) if measurement.roof else None,
        provenance=measurement.provenance.value,
        recipe_sha256=recipe_sha256,
        compiler_sha256=compiler_sha256,
        **{name: getattr(measurement, name) for name in _PLAIN},
    )


def measurement(
    series: SeriesRow, row: MeasurementRow, recipe: Recipe, compiler: CompilerReport | None
) -> Measurement:
    """The measurement of a row."""
    return Measurement(
        key=CellKey(series.problem, series.stage, Size.parse(series.size_key), Dtype(series.dtype)),
        arithmetic=Arithmetic(series.arithmetic),
        cache=CacheState(series.cache),
        regime=Regime(series.regime),
        stop_reason=StopReason(row.stop_reason),
        health=Health(row.health),
        health_reasons=TEXTS.load(row.health_reasons),
        correctness=CORRECTNESS.load(row.correctness),
        recipe=recipe,
        compiler=compiler,
        roof=ROOF.load(row.roof) if row.roof else None,
        provenance=Provenance(row.provenance),
        **{name: getattr(row, name) for name in _PLAIN},
    )


def outcome_row(run_id: int, outcome: CellOutcome, compiler_sha256: str | None) -> CellOutcomeRow:
    """The row of an outcome whose compiler report is kept already."""
    return CellOutcomeRow(
        run_id=run_id,
        problem=outcome.key.problem,
        stage=outcome.key.stage,
        size_key=outcome.key.size.key,
        dtype=outcome.key.dtype.value,
        status=outcome.status.value,
        reason=outcome.reason,
        compiler_sha256=compiler_sha256,
    )


def outcome(row: CellOutcomeRow, compiler: CompilerReport | None) -> CellOutcome:
    """The outcome of a row."""
    return CellOutcome(
        key=CellKey(row.problem, row.stage, Size.parse(row.size_key), Dtype(row.dtype)),
        status=CellStatus(row.status),
        reason=row.reason,
        compiler=compiler,
    )


def ceiling_row(run_id: int, ceiling: Ceiling) -> CeilingRow:
    """The row of a ceiling."""
    return CeilingRow(
        run_id=run_id,
        name=ceiling.name,
        source=ceiling.source.value,
        title=ceiling.title,
        kind=ceiling.kind,
        value=ceiling.value,
        detail=ceiling.detail,
        sm_clock_hz=ceiling.sm_clock_hz,
        boost_clock_hz=ceiling.boost_clock_hz,
        facts=FACTS.dump(ceiling.facts),
    )


def ceiling(row: CeilingRow) -> Ceiling:
    """The ceiling of a row."""
    return Ceiling(
        name=row.name,
        title=row.title,
        kind=row.kind,
        value=row.value,
        source=Provenance(row.source),
        detail=row.detail,
        sm_clock_hz=row.sm_clock_hz,
        boost_clock_hz=row.boost_clock_hz,
        facts=FACTS.load(row.facts),
    )
