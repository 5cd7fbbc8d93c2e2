"""What a run finds out: measurements with their samples, outcomes, ceilings and sources."""

from __future__ import annotations

from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.orm import InstrumentedAttribute, Session
from sqlmodel import col

from app.domain.device import WorkerSnapshot
from app.domain.errors import ConflictError
from app.domain.measurement import Ceiling, CellKey, CellOutcome, Measurement, Samples
from app.domain.size import Size
from app.domain.vocabulary import CacheState, Dtype, Regime
from app.storage.encoding import pack_floats, unpack_floats, unpack_optional_floats
from app.storage.measurement_rows import ceiling_row, measurement_row, outcome_row
from app.storage.repository import (
    Repository,
    keep_compiler_report,
    keep_device,
    keep_environment,
    keep_recipe,
    keep_source,
    run_row,
)
from app.storage.tables import DeviceSnapshotRow, RunRow, RunSourceRow, SampleSetRow, SeriesRow


class MeasurementRepository(Repository):
    """Writes a run's findings one by one as they come, and reads its samples."""

    def set_run_device(self, run_id: int, snapshot: WorkerSnapshot) -> None:
        """Tie the run to its device and environment."""
        with self._database.write() as session:
            run = run_row(session, run_id)
            run.device_sha256 = keep_device(session, snapshot.device)
            run.environment_sha256 = keep_environment(session, snapshot.environment)

    def add_measurement(self, run_id: int, measurement: Measurement, samples: Samples) -> None:
        """Insert or replace, by cell, cache and regime. ConflictError before `set_run_device`."""
        with self._database.write() as session:
            write_measurement(session, run_row(session, run_id), measurement, samples)

    def add_outcome(self, run_id: int, outcome: CellOutcome) -> None:
        """Insert or replace, by cell."""
        with self._database.write() as session:
            run_row(session, run_id)
            write_outcome(session, run_id, outcome)

    def add_ceiling(self, run_id: int, ceiling: Ceiling) -> None:
        """Insert or replace, by name and source."""
        with self._database.write() as session:
            run_row(session, run_id)
            session.merge(ceiling_row(run_id, ceiling))

    def add_source(self, run_id: int, sha256: str, text: str) -> None:
        """Keep the text once, content-addressed."""
        with self._database.write() as session:
            run_row(session, run_id)
            write_source(session, run_id, sha256, text)

    def samples(self, run_id: int) -> list[Samples]:
        """Raw samples of every measurement of the run, in the order of `Run.measurements`."""
        query = (
            select(SeriesRow, SampleSetRow)
            .join(SampleSetRow, col(SampleSetRow.series_id) == col(SeriesRow.id))
            .where(col(SampleSetRow.run_id) == run_id)
            .order_by(*series_order())
        )
        with self._database.read() as session:
            run_row(session, run_id)
            return [_samples(series, row) for series, row in session.execute(query)]


def write_measurement(session: Session, run: RunRow, measurement: Measurement, samples: Samples) -> None:
    """Insert or replace one measurement and its samples in a transaction."""
    assert run.id is not None
    series_id = _series_id(session, run, measurement)
    row = measurement_row(
        series_id,
        run.id,
        measurement,
        recipe_sha256=keep_recipe(session, measurement.recipe),
        compiler_sha256=keep_compiler_report(session, measurement.compiler),
    )
    session.merge(row)
    session.merge(
        SampleSetRow(
            series_id=series_id,
            run_id=run.id,
            count=len(samples.durations_s),
            durations_s=pack_floats(samples.durations_s),
            sm_clock_hz=pack_floats(samples.sm_clock_hz) if samples.sm_clock_hz else None,
        )
    )


def write_outcome(session: Session, run_id: int, outcome: CellOutcome) -> None:
    """Insert or replace one outcome in a transaction."""
    session.merge(outcome_row(run_id, outcome, keep_compiler_report(session, outcome.compiler)))


def write_source(session: Session, run_id: int, sha256: str, text: str) -> None:
    """Keep a source and that the run used it, in a transaction."""
    keep_source(session, sha256, text)
    session.merge(RunSourceRow(run_id=run_id, sha256=sha256))


def series_order() -> tuple[InstrumentedAttribute[str], ...]:
    """The order of a run's measurements: by cell, then arithmetic, cache and regime."""
    row = SeriesRow
    columns = (row.problem, row.stage, row.size_key, row.dtype, row.arithmetic, row.cache, row.regime)
    return tuple(cast("InstrumentedAttribute[str]", col(column)) for column in columns)


def _series_id(session: Session, run: RunRow, measurement: Measurement) -> int:
    device = session.get(DeviceSnapshotRow, run.device_sha256) if run.device_sha256 else None
    if device is None:
        raise ConflictError(f"Run {run.id} has no device yet; a measurement belongs to a device.")
    identity: dict[str, Any] = {
        "problem": measurement.key.problem,
        "stage": measurement.key.stage,
        "size_key": measurement.key.size.key,
        "dtype": measurement.key.dtype.value,
        "arithmetic": measurement.arithmetic.value,
        "cache": measurement.cache.value,
        "regime": measurement.regime.value,
        "backend": device.backend,
        "device_name": device.name,
    }
    known = session.scalar(select(SeriesRow).filter_by(**identity))
    if known is None:
        known = SeriesRow(**identity)
        session.add(known)
        session.flush()
    assert known.id is not None
    return known.id


def _samples(series: SeriesRow, row: SampleSetRow) -> Samples:
    return Samples(
        key=CellKey(series.problem, series.stage, Size.parse(series.size_key), Dtype(series.dtype)),
        cache=CacheState(series.cache),
        regime=Regime(series.regime),
        durations_s=unpack_floats(row.durations_s),
        sm_clock_hz=unpack_optional_floats(row.sm_clock_hz) if row.sm_clock_hz else (),
    )
