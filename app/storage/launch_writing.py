"""Writes the counters of launches: what many launches share is kept once."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert, select
from sqlalchemy.orm import Session
from sqlmodel import col

from app.domain.kept_report import StageMatch
from app.domain.report import Columns, LaunchProfile
from app.storage.launch_encoding import MetricSet, PackedLaunch, pack_launch, pack_names
from app.storage.report_rows import launch_row, storable
from app.storage.report_tables import LaunchContentRow, MetricNameRow, MetricSetRow, ReportRow

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
    known = _known_sets(session, packed)
    for (profile, match), (columns, names, parts) in zip(launches, packed, strict=True):
        report.launch_count += 1
        row = launch_row(report.id, report.launch_count, profile, match)
        session.add(row)
        _keep_names(session, known, names, columns)
        _keep_set(session, known, parts.units)
        session.flush()
        assert row.id is not None
        session.add(
            LaunchContentRow(
                launch_id=row.id,
                names_sha256=names.sha256,
                units_sha256=parts.units.sha256,
                base_values=parts.base_values,
                raw=parts.raw,
                rest=parts.rest,
            )
        )


def _known_sets(session: Session, packed: Sequence[Packed]) -> set[str]:
    asked = {found.sha256 for _, names, parts in packed for found in (names, parts.units)}
    return set(session.scalars(select(col(MetricSetRow.sha256)).where(col(MetricSetRow.sha256).in_(asked))))


def _keep_set(session: Session, known: set[str], found: MetricSet) -> bool:
    """Keep shared content once; True when it was not there."""
    if found.sha256 in known:
        return False
    known.add(found.sha256)
    session.execute(insert(MetricSetRow).values(sha256=found.sha256, body=found.body))
    return True


def _keep_names(session: Session, known: set[str], names: MetricSet, columns: Columns) -> None:
    if not _keep_set(session, known, names) or not columns.names:
        return
    rows = [
        {
            "set_sha256": names.sha256,
            "position": position,
            "name": storable(name, LONGEST_METRIC_NAME),
            "section": None if section is None else storable(section, LONGEST_METRIC_NAME),
            "label": None if label is None else storable(label, LONGEST_METRIC_NAME),
        }
        for position, (name, section, label) in enumerate(
            zip(columns.names, columns.sections, columns.labels, strict=True)
        )
    ]
    session.execute(insert(MetricNameRow), rows)
