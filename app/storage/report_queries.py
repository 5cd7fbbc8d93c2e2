"""Queries over reports and launches that the repository shares."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import Select, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from app.storage.report_tables import LaunchContentRow, LaunchRow, MetricSetRow, ReportRow


def reports() -> Select[Any]:
    """Reports that can be seen, each with how many of its launches have a stage."""
    matched = (
        select(func.count())
        .where(col(LaunchRow.report_id) == col(ReportRow.id), col(LaunchRow.stage).is_not(None))
        .correlate(ReportRow)
        .scalar_subquery()
    )
    return select(ReportRow, matched).where(col(ReportRow.sha256).is_not(None))


def uses_of_names() -> Select[Any]:
    """How many launches of each report have a set of names."""
    names: Any = col(LaunchContentRow.names_sha256)
    return (
        select(names, col(LaunchRow.report_id), func.count().label("launches"))
        .join(LaunchRow, col(LaunchRow.id) == col(LaunchContentRow.launch_id))
        .join(ReportRow, col(ReportRow.id) == col(LaunchRow.report_id))
        .where(col(ReportRow.sha256).is_not(None))
        .group_by(names, col(LaunchRow.report_id))
    )


def whole_launches() -> Select[Any]:
    """Launches with their content, and the bodies of their names and units."""
    names, units = cast(Any, aliased(MetricSetRow)), cast(Any, aliased(MetricSetRow))
    content = LaunchContentRow
    entities: tuple[Any, ...] = (LaunchRow, content, names.body, units.body)
    return (
        select(*entities)
        .join(content, col(content.launch_id) == col(LaunchRow.id))
        .join(names, names.sha256 == col(content.names_sha256))
        .join(units, units.sha256 == col(content.units_sha256))
    )
