"""What is known of one device over all its runs: the newest of each, with a constant number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from datetime import datetime
from typing import TypeVar

from sqlalchemy import CTE, Select, and_, func, select
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from app.domain.device import Device
from app.domain.evidence import CellFate, DeviceCoverage, MeasuredCell
from app.domain.measurement import Ceiling
from app.storage import measurement_rows
from app.storage.encoding import COMPILER_REPORT, DEVICE, RECIPE
from app.storage.repository import Repository
from app.storage.tables import (
    CeilingRow,
    CellOutcomeRow,
    CompilerReportRow,
    DeviceSnapshotRow,
    MeasurementRow,
    RecipeRow,
    RunRow,
    SeriesRow,
)

LATEST_RUNS = 100  # how far back outcomes and ceilings are looked for; every job measures the ceilings

T = TypeVar("T")


class EvidenceRepository(Repository):
    """Reads across the runs of a device. Newest is by the time a run started, then by its id."""

    def newest_cells(self, device_uuid: str) -> list[MeasuredCell]:
        """The last measurement of each cell, cache state and regime.

        Own and imported runs are asked apart: an old run may be imported late.
        """
        with self._database.read() as session:
            found = [*_cells(session, device_uuid, False), *_cells(session, device_uuid, True)]
        return _newest((_series_key(cell), (cell.measured_at, cell.run_id), cell) for cell in found)

    def newest_fates(self, device_uuid: str) -> list[CellFate]:
        """What last became of each cell in the device's latest runs."""
        row = CellOutcomeRow
        with self._database.read() as session:
            started = _latest_runs(session, device_uuid)
            query = (
                select(row, col(CompilerReportRow.body))
                .outerjoin(CompilerReportRow, col(CompilerReportRow.sha256) == col(row.compiler_sha256))
                .where(col(row.run_id).in_(started))
            )
            fates = [
                CellFate(
                    found.run_id,
                    measurement_rows.outcome(found, COMPILER_REPORT.load(report) if report else None),
                )
                for found, report in session.execute(query)
            ]
        return _newest((fate.outcome.key, (started[fate.run_id], fate.run_id), fate) for fate in fates)

    def newest_ceilings(self, device_uuid: str) -> list[tuple[int, Ceiling]]:
        """The last value of each ceiling by name and source in its latest runs, with the run's id."""
        with self._database.read() as session:
            started = _latest_runs(session, device_uuid)
            rows = session.scalars(select(CeilingRow).where(col(CeilingRow.run_id).in_(started)))
            found = [(row.run_id, measurement_rows.ceiling(row)) for row in rows]
        return _newest(
            ((ceiling.name, ceiling.source), (started[run_id], run_id), (run_id, ceiling))
            for run_id, ceiling in found
        )

    def measured_devices(self) -> list[DeviceCoverage]:
        """Every device with a measurement, as it was in its latest run; most series first."""
        with self._database.read() as session:
            counts: dict[str, dict[str, int]] = defaultdict(dict)
            for uuid, problem, count in session.execute(_series_counts()):
                counts[uuid][problem] = count
            latest = _latest_snapshots(session)
        coverages = [DeviceCoverage(*latest[uuid], problems) for uuid, problems in counts.items()]
        return sorted(coverages, key=lambda c: (-sum(c.series_counts.values()), c.device.uuid))


def _newest(found: Iterable[tuple[Hashable, tuple[datetime, int], T]]) -> list[T]:
    latest: dict[Hashable, tuple[tuple[datetime, int], T]] = {}
    for key, age, value in found:
        if key not in latest or age > latest[key][0]:
            latest[key] = (age, value)
    return [value for _, value in latest.values()]


def _series_key(cell: MeasuredCell) -> Hashable:
    measurement = cell.measurement
    return measurement.key, measurement.arithmetic, measurement.cache, measurement.regime


def _cells(session: Session, device_uuid: str, imported: bool) -> list[MeasuredCell]:
    newest = _last_run_of_each_series(device_uuid, imported)
    row = MeasurementRow
    query = (
        select(SeriesRow, row, RunRow, col(RecipeRow.body), col(CompilerReportRow.body))
        .select_from(newest)
        .join(SeriesRow, col(SeriesRow.id) == newest.c.series_id)
        .join(row, and_(col(row.series_id) == newest.c.series_id, col(row.run_id) == newest.c.run_id))
        .join(RunRow, col(RunRow.id) == newest.c.run_id)
        .join(RecipeRow, col(RecipeRow.sha256) == col(row.recipe_sha256))
        .outerjoin(CompilerReportRow, col(CompilerReportRow.sha256) == col(row.compiler_sha256))
    )
    return [
        MeasuredCell(
            run_id=row.run_id,
            measured_at=run.started_at or run.created_at,
            imported=run.imported,
            measurement=measurement_rows.measurement(
                series, row, RECIPE.load(recipe), COMPILER_REPORT.load(report) if report else None
            ),
        )
        for series, row, run, recipe, report in session.execute(query)
    ]


def _last_run_of_each_series(device_uuid: str, imported: bool) -> CTE:
    """One descent of the clustered key for each series: it does not grow with the number of runs.

    Materialised, since SQLite would else read every measurement and ask of each whether it is the newest.
    """
    row, run = aliased(MeasurementRow), aliased(RunRow)
    last = (
        select(col(row.run_id))
        .select_from(row)
        .join(run, col(run.id) == col(row.run_id))
        .where(
            col(row.series_id) == col(SeriesRow.id),
            col(run.device_sha256).in_(_snapshots_of(device_uuid)),
            col(run.imported).is_(imported),
        )
        .order_by(col(row.run_id).desc())
        .limit(1)
        .correlate(SeriesRow)
        .scalar_subquery()
    )
    return (
        select(col(SeriesRow.id).label("series_id"), last.label("run_id"))
        .where(col(SeriesRow.device_name).in_(_names_of(device_uuid)))
        .cte("newest")
        .prefix_with("MATERIALIZED")
    )


def _snapshots_of(device_uuid: str) -> Select[str]:
    return select(col(DeviceSnapshotRow.sha256)).where(col(DeviceSnapshotRow.uuid) == device_uuid)


def _names_of(device_uuid: str) -> Select[str]:
    return select(col(DeviceSnapshotRow.name)).where(col(DeviceSnapshotRow.uuid) == device_uuid)


def _latest_runs(session: Session, device_uuid: str) -> dict[int, datetime]:
    """When each of the device's latest runs started, by id."""
    query = (
        select(col(RunRow.id), col(RunRow.started_at), col(RunRow.created_at))
        .where(col(RunRow.device_sha256).in_(_snapshots_of(device_uuid)))
        .order_by(col(RunRow.id).desc())
        .limit(LATEST_RUNS)
    )
    rows = session.execute(query)
    return {run_id: started or created for run_id, started, created in rows if run_id is not None}


def _series_counts() -> Select[str, str, int]:
    series, snapshot = SeriesRow, DeviceSnapshotRow
    measured = (
        select(col(MeasurementRow.run_id))
        .select_from(MeasurementRow)
        .join(RunRow, col(RunRow.id) == col(MeasurementRow.run_id))
        .where(
            col(MeasurementRow.series_id) == col(series.id),
            col(RunRow.device_sha256) == col(snapshot.sha256),
        )
        .exists()
    )
    return (
        select(col(snapshot.uuid), col(series.problem), func.count(col(series.id).distinct()))
        .select_from(series)
        .join(snapshot, col(snapshot.name) == col(series.device_name))
        .where(col(snapshot.backend) == col(series.backend), measured)
        .group_by(col(snapshot.uuid), col(series.problem))
    )


def _latest_snapshots(session: Session) -> dict[str, tuple[Device, bool]]:
    """By UUID: the device as it was in its latest run, and whether all its runs were imported."""
    row = DeviceSnapshotRow
    query = (
        select(col(row.uuid), col(row.body), func.min(col(RunRow.imported)))
        .select_from(row)
        .join(RunRow, col(RunRow.device_sha256) == col(row.sha256))
        .group_by(col(row.sha256))
        .order_by(func.max(col(RunRow.id)))
    )
    found: dict[str, tuple[Device, bool]] = {}
    for uuid, body, imported in session.execute(query):
        before = found[uuid][1] if uuid in found else True
        found[uuid] = (DEVICE.load(body), before and bool(imported))
    return found
