"""Tables of runs and jobs; with `report_tables.py` the only place that uses SQLModel.

Texts that many rows share (sources, recipes, compiler reports, device snapshots, environments) are kept
once under the SHA-256 of their content. `measurement` and `sample_set` are clustered on the series, so
the history of one series is one range scan.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.storage.column_types import UtcDateTime


def _owned_by_run(**kwargs: Any) -> Any:  # noqa: ANN401 - SQLModel types its own Field so
    """A run's id in a row that is deleted together with the run."""
    return Field(foreign_key="run.id", ondelete="CASCADE", **kwargs)


class DeviceSnapshotRow(SQLModel, table=True):
    """The lasting facts of a device as they were during a run; `body` is a domain `Device` as JSON."""

    __tablename__ = "device_snapshot"

    sha256: str = Field(primary_key=True)
    uuid: str = Field(index=True)
    backend: str
    name: str = Field(index=True)
    body: str = Field(sa_type=Text)


class EnvironmentRow(SQLModel, table=True):
    """The software around a run; `body` is a domain `Environment` as JSON."""

    __tablename__ = "environment"

    sha256: str = Field(primary_key=True)
    host: str
    driver_version: str | None = None
    body: str = Field(sa_type=Text)


class RunRow(SQLModel, table=True):
    """One execution of a selection on one device. Ids are never used twice."""

    __tablename__ = "run"
    __table_args__ = (
        Index("ix_run_status", "status"),
        Index("ix_run_device", "device_sha256", "id"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    uid: str = Field(unique=True)
    status: str
    backend: str
    imported: bool = False
    created_at: datetime = Field(sa_type=UtcDateTime)
    started_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    label: str = Field(default="", sa_type=Text)
    note: str = Field(default="", sa_type=Text)
    error_code: str | None = None
    error_message: str | None = Field(default=None, sa_type=Text)
    selection: str = Field(sa_type=Text)
    device_sha256: str | None = Field(default=None, foreign_key="device_snapshot.sha256")
    environment_sha256: str | None = Field(default=None, foreign_key="environment.sha256")


class RunProblemRow(SQLModel, table=True):
    """A problem that a run measures, in the order of its selection."""

    __tablename__ = "run_problem"

    run_id: int = _owned_by_run(primary_key=True)
    problem: str = Field(primary_key=True, index=True)
    position: int


class RunTagRow(SQLModel, table=True):
    """A tag of a run, in the order given."""

    __tablename__ = "run_tag"

    run_id: int = _owned_by_run(primary_key=True)
    tag: str = Field(primary_key=True, index=True)
    position: int


class JobRow(SQLModel, table=True):
    """A request to the worker. It outlives its run, so `run_id` is no foreign key."""

    __tablename__ = "job"
    __table_args__ = (Index("ix_job_status", "status"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True)
    workflow_id: str = Field(unique=True)
    run_id: int = Field(index=True)
    kind: str
    status: str
    selection: str = Field(sa_type=Text)
    label: str = Field(default="", sa_type=Text)
    deadline_s: float
    estimate_s: float | None = None
    created_at: datetime = Field(sa_type=UtcDateTime)
    started_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    finished_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    error_code: str | None = None
    error_message: str | None = Field(default=None, sa_type=Text)
    attempts: int = 0
    progress_done: int = 0
    progress_total: int = 0
    progress_cell: str | None = None
    progress_eta_s: float | None = None
    idempotency_key: str | None = Field(default=None, unique=True)
    request_sha256: str


class JobEventRow(SQLModel, table=True):
    """One line of a job's story; the id is the server-sent event's id and is never used twice."""

    __tablename__ = "job_event"
    __table_args__ = (Index("ix_job_event_job", "job_id", "id"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, primary_key=True)
    job_id: int = Field(foreign_key="job.id", ondelete="CASCADE")
    at: datetime = Field(sa_type=UtcDateTime)
    kind: str
    data: str = Field(sa_type=Text)


class SeriesRow(SQLModel, table=True):
    """What can be compared over time: the same work on the same model of device.

    Host, driver and toolkit are left out on purpose: a change of one of them is an event in a series.
    """

    __tablename__ = "series"
    __table_args__ = (
        UniqueConstraint(
            "problem",
            "stage",
            "size_key",
            "dtype",
            "arithmetic",
            "cache",
            "regime",
            "backend",
            "device_name",
            name="uq_series",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    problem: str
    stage: str
    size_key: str
    dtype: str
    arithmetic: str
    cache: str
    regime: str
    backend: str
    device_name: str


class RecipeRow(SQLModel, table=True):
    """What is needed to run a measurement again; `body` is a domain `Recipe` as JSON."""

    __tablename__ = "recipe"

    sha256: str = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class CompilerReportRow(SQLModel, table=True):
    """What the compiler said of a kernel; `body` is a domain `CompilerReport` as JSON."""

    __tablename__ = "compiler_report"

    sha256: str = Field(primary_key=True)
    body: str = Field(sa_type=Text)


class MeasurementRow(SQLModel, table=True):
    """One point of a series. Durations in seconds, fractions 0 to 1, NULL is "not known"."""

    __tablename__ = "measurement"
    __table_args__ = (Index("ix_measurement_run", "run_id"), {"sqlite_with_rowid": False})

    series_id: int = Field(foreign_key="series.id", primary_key=True)
    run_id: int = _owned_by_run(primary_key=True)
    reference: bool
    median_s: float
    mad_s: float
    ci_low_s: float | None
    ci_high_s: float | None
    p5_s: float
    p95_s: float
    n: int
    noise_fraction: float | None
    launches_per_sample: int
    stop_reason: str
    flop: int = Field(sa_type=BigInteger)
    least_dram_bytes: int = Field(sa_type=BigInteger)
    health: str
    health_reasons: str = Field(sa_type=Text)
    correct: bool
    correctness: str = Field(sa_type=Text)
    sm_clock_hz: float | None
    memory_clock_hz: float | None
    power_w: float | None
    temperature_c: float | None
    roof: str | None = Field(sa_type=Text)
    roof_fraction_boost: float | None
    roof_fraction_held: float | None
    provenance: str
    recipe_sha256: str = Field(foreign_key="recipe.sha256")
    compiler_sha256: str | None = Field(foreign_key="compiler_report.sha256")


class SampleSetRow(SQLModel, table=True):
    """The raw samples of a measurement, compressed; kept beside it so that a series scan skips them."""

    __tablename__ = "sample_set"
    __table_args__ = (Index("ix_sample_set_run", "run_id"), {"sqlite_with_rowid": False})

    series_id: int = Field(foreign_key="series.id", primary_key=True)
    run_id: int = _owned_by_run(primary_key=True)
    count: int
    durations_s: bytes = Field(sa_type=LargeBinary)
    sm_clock_hz: bytes | None = Field(default=None, sa_type=LargeBinary)


class CellOutcomeRow(SQLModel, table=True):
    """What became of one cell of a run."""

    __tablename__ = "cell_outcome"

    run_id: int = _owned_by_run(primary_key=True)
    problem: str = Field(primary_key=True)
    stage: str = Field(primary_key=True)
    size_key: str = Field(primary_key=True)
    dtype: str = Field(primary_key=True)
    status: str
    reason: str = Field(sa_type=Text)
    compiler_sha256: str | None = Field(default=None, foreign_key="compiler_report.sha256")


class DuelRow(SQLModel, table=True):
    """One duel of a run; `pairs` are domain `DuelPair`s as JSON."""

    __tablename__ = "duel"
    __table_args__ = (Index("ix_duel_problem", "problem", "run_id"),)

    run_id: int = _owned_by_run(primary_key=True)
    problem: str = Field(primary_key=True)
    size_key: str = Field(primary_key=True)
    dtype: str = Field(primary_key=True)
    arithmetic: str = Field(primary_key=True)
    regime: str = Field(primary_key=True)
    own: str
    library: str
    library_call: str = Field(sa_type=Text)
    flop: int = Field(sa_type=BigInteger)
    pairs: str = Field(sa_type=Text)


class CeilingRow(SQLModel, table=True):
    """A roof of the device as it stood in one run."""

    __tablename__ = "ceiling"

    run_id: int = _owned_by_run(primary_key=True)
    name: str = Field(primary_key=True)
    source: str = Field(primary_key=True)
    title: str
    kind: str
    value: float
    detail: str = Field(sa_type=Text)
    sm_clock_hz: float | None = None
    boost_clock_hz: float | None = None
    facts: str = Field(sa_type=Text)


class SourceRow(SQLModel, table=True):
    """The text of a stage's source."""

    __tablename__ = "source"

    sha256: str = Field(primary_key=True)
    text: str = Field(sa_type=Text)


class RunSourceRow(SQLModel, table=True):
    """A source that a run used."""

    __tablename__ = "run_source"

    run_id: int = _owned_by_run(primary_key=True)
    sha256: str = Field(primary_key=True, index=True, foreign_key="source.sha256")


class WorkerRow(SQLModel, table=True):
    """The last word of a worker; `body` is a domain `WorkerSnapshot` as JSON."""

    __tablename__ = "worker"

    worker_id: str = Field(primary_key=True)
    seen_at: datetime = Field(sa_type=UtcDateTime)
    body: str = Field(sa_type=Text)


class MilestoneRow(SQLModel, table=True):
    """Something the service does once in the life of a database (import a bundled capsule)."""

    __tablename__ = "milestone"

    name: str = Field(primary_key=True)
    at: datetime = Field(sa_type=UtcDateTime)
