"""Writes the counters of launches: what many launches share is kept once."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.kept_report import StageMatch
from app.domain.report import Columns, LaunchProfile
from app.storage.launch_encoding import MetricSet, PackedLaunch, pack_launch, pack_names
from app.storage.report_rows import launch_values, storable
from app.storage.report_tables import LaunchContentRow, LaunchRow, MetricNameRow, MetricSetRow, ReportRow

LONGEST_METRIC_NAME = 500

Packed = tuple[Columns, MetricSet, PackedLaunch]


def packed_launches(launches: Sequence[tuple[LaunchProfile, StageMatch]]) -> list[Packed]:
    """Launches of one file mostly share their columns: those are packed once."""
    names: dict[int, MetricSet] = {}
    packed = []
    for profile, _ in launches:
        columns = profile.metrics.columns
        shared = names.get(id(columns))
        if shared is None:
            shared = names[id(columns)] = pack_names(columns)
        packed.append((columns, shared, pack_launch(profile)))
    return packed


def write_launches(
    session: Session,
    report: ReportRow,
    launches: Sequence[tuple[LaunchProfile, StageMatch]],
    packed: Sequence[Packed],
) -> None:
    """Append launches behind those that the report has, in a transaction."""
    assert report.id is not None
    _keep_sets(session, packed)
    first = report.launch_count + 1
    rows = [
        launch_values(report.id, ordinal, profile, match)
        for ordinal, (profile, match) in enumerate(launches, first)
    ]
    session.execute(insert(LaunchRow), rows)
    report.launch_count += len(rows)
    query = (
        select(col(LaunchRow.id))
        .where(col(LaunchRow.report_id) == report.id, col(LaunchRow.ordinal) >= first)
        .order_by(col(LaunchRow.ordinal))
    )
    contents = [
        {
            "launch_id": launch_id,
            "names_sha256": names.sha256,
            "units_sha256": parts.units.sha256,
            "base_values": parts.base_values,
            "raw": parts.raw,
            "rest": parts.rest,
        }
        for launch_id, (_, names, parts) in zip(session.scalars(query), packed, strict=True)
    ]
    session.execute(insert(LaunchContentRow), contents)


def _keep_sets(session: Session, packed: Sequence[Packed]) -> None:
    """Keep shared content that is not there yet, and the names in it to search for."""
    named = {names.sha256: columns for columns, names, _ in packed}
    found = {one.sha256: one for _, names, parts in packed for one in (names, parts.units)}
    known = set(session.scalars(select(col(MetricSetRow.sha256)).where(col(MetricSetRow.sha256).in_(found))))
    new = {sha256: one for sha256, one in found.items() if sha256 not in known}
    if not new:
        return
    session.execute(insert(MetricSetRow), [{"sha256": one.sha256, "body": one.body} for one in new.values()])
    names = [row for sha256 in new if sha256 in named for row in _name_rows(sha256, named[sha256])]
    if names:
        session.execute(insert(MetricNameRow), names)


def _name_rows(sha256: str, columns: Columns) -> list[dict[str, object]]:
    return [
        {
            "set_sha256": sha256,
            "position": position,
            "name": storable(name, LONGEST_METRIC_NAME),
            "section": None if section is None else storable(section, LONGEST_METRIC_NAME),
            "label": None if label is None else storable(label, LONGEST_METRIC_NAME),
        }
        for position, (name, section, label) in enumerate(
            zip(columns.names, columns.sections, columns.labels, strict=True)
        )
    ]
