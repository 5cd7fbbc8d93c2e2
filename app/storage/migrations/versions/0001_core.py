"""Runs, jobs, measurements clustered on their series, and what they share.

Revision 0001.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_runs()
    _create_jobs()
    _create_shared_texts()
    _create_series()
    _create_measurement()
    _create_cells()


def downgrade() -> None:
    for table in _TABLES_CHILDREN_FIRST:
        op.drop_table(table)


def _create_runs() -> None:
    op.create_table(
        "device_snapshot",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("uuid", sa.String(), nullable=False),
        sa.Column("backend", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_index("ix_device_snapshot_name", "device_snapshot", ["name"])
    op.create_index("ix_device_snapshot_uuid", "device_snapshot", ["uuid"])
    op.create_table(
        "environment",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("host", sa.String(), nullable=False),
        sa.Column("driver_version", sa.String(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("uid", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("backend", sa.String(), nullable=False),
        sa.Column("imported", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("error_code", sa.String(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("selection", sa.Text(), nullable=False),
        sa.Column("device_sha256", sa.String(), sa.ForeignKey("device_snapshot.sha256"), nullable=True),
        sa.Column("environment_sha256", sa.String(), sa.ForeignKey("environment.sha256"), nullable=True),
        sa.UniqueConstraint("uid"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_run_status", "run", ["status"])
    op.create_table(
        "run_problem",
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("problem", sa.String(), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
    )
    op.create_index("ix_run_problem_problem", "run_problem", ["problem"])
    op.create_table(
        "run_tag",
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tag", sa.String(), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
    )
    op.create_index("ix_run_tag_tag", "run_tag", ["tag"])


def _create_jobs() -> None:
    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("workflow_id", sa.String(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("selection", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("deadline_s", sa.Float(), nullable=False),
        sa.Column("estimate_s", sa.Float(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error_code", sa.String(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("progress_done", sa.Integer(), nullable=False),
        sa.Column("progress_total", sa.Integer(), nullable=False),
        sa.Column("progress_cell", sa.String(), nullable=True),
        sa.Column("progress_eta_s", sa.Float(), nullable=True),
        sa.Column("idempotency_key", sa.String(), nullable=True),
        sa.Column("request_sha256", sa.String(), nullable=False),
        sa.UniqueConstraint("workflow_id"),
        sa.UniqueConstraint("idempotency_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_job_run_id", "job", ["run_id"])
    op.create_index("ix_job_status", "job", ["status"])
    op.create_table(
        "job_event",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("job_id", sa.Integer(), sa.ForeignKey("job.id", ondelete="CASCADE"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_job_event_job", "job_event", ["job_id", "id"])
    op.create_table(
        "worker",
        sa.Column("worker_id", sa.String(), primary_key=True),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
    )


def _create_shared_texts() -> None:
    op.create_table(
        "recipe",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_table(
        "compiler_report",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("body", sa.Text(), nullable=False),
    )
    op.create_table(
        "source",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
    op.create_table(
        "run_source",
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("sha256", sa.String(), sa.ForeignKey("source.sha256"), primary_key=True),
    )
    op.create_index("ix_run_source_sha256", "run_source", ["sha256"])


def _create_series() -> None:
    op.create_table(
        "series",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("problem", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("size_key", sa.String(), nullable=False),
        sa.Column("dtype", sa.String(), nullable=False),
        sa.Column("arithmetic", sa.String(), nullable=False),
        sa.Column("cache", sa.String(), nullable=False),
        sa.Column("regime", sa.String(), nullable=False),
        sa.Column("backend", sa.String(), nullable=False),
        sa.Column("device_name", sa.String(), nullable=False),
        sa.UniqueConstraint(
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
    op.create_table(
        "sample_set",
        sa.Column("series_id", sa.Integer(), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("durations_s", sa.LargeBinary(), nullable=False),
        sa.Column("sm_clock_hz", sa.LargeBinary(), nullable=True),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_sample_set_run", "sample_set", ["run_id"])


def _create_measurement() -> None:
    op.create_table(
        "measurement",
        sa.Column("series_id", sa.Integer(), sa.ForeignKey("series.id"), primary_key=True),
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("reference", sa.Boolean(), nullable=False),
        sa.Column("median_s", sa.Float(), nullable=False),
        sa.Column("mad_s", sa.Float(), nullable=False),
        sa.Column("ci_low_s", sa.Float(), nullable=True),
        sa.Column("ci_high_s", sa.Float(), nullable=True),
        sa.Column("p5_s", sa.Float(), nullable=False),
        sa.Column("p95_s", sa.Float(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("noise_fraction", sa.Float(), nullable=True),
        sa.Column("launches_per_sample", sa.Integer(), nullable=False),
        sa.Column("stop_reason", sa.String(), nullable=False),
        sa.Column("flop", sa.BigInteger(), nullable=False),
        sa.Column("least_dram_bytes", sa.BigInteger(), nullable=False),
        sa.Column("health", sa.String(), nullable=False),
        sa.Column("health_reasons", sa.Text(), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("correctness", sa.Text(), nullable=False),
        sa.Column("sm_clock_hz", sa.Float(), nullable=True),
        sa.Column("memory_clock_hz", sa.Float(), nullable=True),
        sa.Column("power_w", sa.Float(), nullable=True),
        sa.Column("temperature_c", sa.Float(), nullable=True),
        sa.Column("roof", sa.Text(), nullable=True),
        sa.Column("roof_fraction_boost", sa.Float(), nullable=True),
        sa.Column("roof_fraction_held", sa.Float(), nullable=True),
        sa.Column("provenance", sa.String(), nullable=False),
        sa.Column("recipe_sha256", sa.String(), sa.ForeignKey("recipe.sha256"), nullable=False),
        sa.Column("compiler_sha256", sa.String(), sa.ForeignKey("compiler_report.sha256"), nullable=True),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_measurement_run", "measurement", ["run_id"])


def _create_cells() -> None:
    op.create_table(
        "cell_outcome",
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("problem", sa.String(), primary_key=True),
        sa.Column("stage", sa.String(), primary_key=True),
        sa.Column("size_key", sa.String(), primary_key=True),
        sa.Column("dtype", sa.String(), primary_key=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("compiler_sha256", sa.String(), sa.ForeignKey("compiler_report.sha256"), nullable=True),
    )
    op.create_table(
        "ceiling",
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("source", sa.String(), primary_key=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("sm_clock_hz", sa.Float(), nullable=True),
        sa.Column("boost_clock_hz", sa.Float(), nullable=True),
        sa.Column("facts", sa.Text(), nullable=False),
    )


_TABLES_CHILDREN_FIRST = (
    "ceiling",
    "cell_outcome",
    "sample_set",
    "measurement",
    "series",
    "run_source",
    "source",
    "compiler_report",
    "recipe",
    "worker",
    "job_event",
    "job",
    "run_tag",
    "run_problem",
    "run",
    "environment",
    "device_snapshot",
)
