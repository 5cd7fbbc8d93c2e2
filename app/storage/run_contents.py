"""What a run holds: measurements, outcomes, ceilings and sources, each with one or two queries."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.measurement import Ceiling, CellOutcome, Measurement
from app.storage import measurement_rows
from app.storage.encoding import COMPILER_REPORT, RECIPE
from app.storage.measurement_repository import series_order
from app.storage.tables import (
    CeilingRow,
    CellOutcomeRow,
    CompilerReportRow,
    MeasurementRow,
    RecipeRow,
    RunSourceRow,
    SeriesRow,
    SourceRow,
)


def measurements_of(session: Session, run_id: int) -> tuple[Measurement, ...]:
    """Measurements by cell, arithmetic, cache and regime."""
    query = (
        select(SeriesRow, MeasurementRow, col(RecipeRow.body), col(CompilerReportRow.body))
        .join(MeasurementRow, col(MeasurementRow.series_id) == col(SeriesRow.id))
        .join(RecipeRow, col(RecipeRow.sha256) == col(MeasurementRow.recipe_sha256))
        .outerjoin(CompilerReportRow, col(CompilerReportRow.sha256) == col(MeasurementRow.compiler_sha256))
        .where(col(MeasurementRow.run_id) == run_id)
        .order_by(*series_order())
    )
    return tuple(
        measurement_rows.measurement(
            series, row, RECIPE.load(recipe), COMPILER_REPORT.load(report) if report else None
        )
        for series, row, recipe, report in session.execute(query)
    )


def outcomes_of(session: Session, run_id: int) -> tuple[CellOutcome, ...]:
    """Outcomes by cell."""
    row = CellOutcomeRow
    query = (
        select(row, col(CompilerReportRow.body))
        .outerjoin(CompilerReportRow, col(CompilerReportRow.sha256) == col(row.compiler_sha256))
        .where(col(row.run_id) == run_id)
        .order_by(col(row.problem), col(row.stage), col(row.size_key), col(row.dtype))
    )
    return tuple(
        measurement_rows.outcome(found, COMPILER_REPORT.load(report) if report else None)
        for found, report in session.execute(query)
    )


def ceilings_of(session: Session, run_id: int) -> tuple[Ceiling, ...]:
    """Ceilings by name and source."""
    row = CeilingRow
    query = select(row).where(col(row.run_id) == run_id).order_by(col(row.name), col(row.source))
    return tuple(measurement_rows.ceiling(found) for found in session.scalars(query))


def sources_of(session: Session, run_id: int) -> dict[str, str]:
    """Texts by address."""
    query = (
        select(col(SourceRow.sha256), col(SourceRow.text))
        .join(RunSourceRow, col(RunSourceRow.sha256) == col(SourceRow.sha256))
        .where(col(RunSourceRow.run_id) == run_id)
        .order_by(col(SourceRow.sha256))
    )
    return dict(session.execute(query).all())
