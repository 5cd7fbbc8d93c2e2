"""Tables of reports of Nsight Compute.

Names and units that many launches share are kept once under the SHA-256 of their content; the counters of a
launch lie compressed beside it, so that lists and searches by stage never read them.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Index, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.storage.column_types import UtcDateTime


class ReportRow(SQLModel, table=True):
    """A file by Nsight Compute. `sha256` is NULL until all of its launches are kept."""

    __tablename__ = "report"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: int | None = Field(default=None, primary_key=True)
    sha256: str | None = Field(default=None, unique=True)
    content_sha256: str
    kept_sha256: str | None = Field(default=None, index=True)
    name: str = Field(sa_type=Text)
    size_bytes: int = Field(sa_type=BigInteger)
    format: str
    tool_version: str | None = None
    origin: str
    dialect: str = Field(sa_type=Text)
    warnings: str = Field(sa_type=Text)
    skipped: str = Field(sa_type=Text)
    error: str | None = Field(default=None, sa_type=Text)
    device_names: str = Field(sa_type=Text)
    device_attributes: str = Field(sa_type=Text)
    imported_at: datetime = Field(sa_type=UtcDateTime)
    launch_count: int = 0
    job_id: int | None = Field(default=None, index=True)
    run_id: int | None = Field(default=None, index=True)


class MetricSetRow(SQLModel, table=True):
    """Names, or units, that the counters of many launches share; `body` is deflated JSON."""

    __tablename__ = "metric_set"

    sha256: str = Field(primary_key=True)
    body: bytes = Field(sa_type=LargeBinary)


class MetricNameRow(SQLModel, table=True):
    """One name of a set of names, to search for; long ones are cut."""

    __tablename__ = "metric_name"

    set_sha256: str = Field(primary_key=True, foreign_key="metric_set.sha256", ondelete="CASCADE")
    position: int = Field(primary_key=True)
    name: str = Field(sa_type=Text)
    section: str | None = Field(default=None, sa_type=Text)
    label: str | None = Field(default=None, sa_type=Text)


class LaunchRow(SQLModel, table=True):
    """One launch of a report, and the stage that it was matched to."""

    __tablename__ = "launch"
    __table_args__ = (
        UniqueConstraint("report_id", "ordinal", name="uq_launch"),
        Index("ix_launch_stage", "problem", "stage"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    report_id: int = Field(foreign_key="report.id", ondelete="CASCADE")
    ordinal: int
    number: int | None = Field(default=None, sa_type=BigInteger)
    process_id: int | None = Field(default=None, sa_type=BigInteger)
    kernel: str = Field(sa_type=Text)
    function: str | None = Field(default=None, sa_type=Text)
    kind: str
    grid: str | None = None
    block: str | None = None
    device_name: str | None = None
    compute_capability: str | None = None
    duration_s: float | None = None
    invocations: int | None = Field(default=None, sa_type=BigInteger)
    metric_count: int
    problem: str | None = None
    stage: str | None = None
    size_key: str | None = None
    dtype: str | None = None
    match_confidence: float
    match_how: str
    match_reasons: str = Field(sa_type=Text)


class LaunchContentRow(SQLModel, table=True):
    """The counters of a launch by column, compressed; kept beside it so that lists skip them."""

    __tablename__ = "launch_content"

    launch_id: int = Field(primary_key=True, foreign_key="launch.id", ondelete="CASCADE")
    names_sha256: str = Field(foreign_key="metric_set.sha256", index=True)
    units_sha256: str = Field(foreign_key="metric_set.sha256", index=True)
    base_values: bytes = Field(sa_type=LargeBinary)
    raw: bytes = Field(sa_type=LargeBinary)
    rest: bytes = Field(sa_type=LargeBinary)
