"""Keep reports of Nsight Compute: files, launches, counters.

Revision 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _create_reports()
    _create_metrics()
    _create_launches()


def downgrade() -> None:
    for name in ("launch_content", "launch", "metric_name", "metric_set", "report"):
        op.drop_table(name)


def _create_reports() -> None:
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("sha256", sa.String(), unique=True),
        sa.Column("content_sha256", sa.String(), nullable=False),
        sa.Column("kept_sha256", sa.String()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.Column("format", sa.String(), nullable=False),
        sa.Column("tool_version", sa.String()),
        sa.Column("origin", sa.String(), nullable=False),
        sa.Column("dialect", sa.Text(), nullable=False),
        sa.Column("warnings", sa.Text(), nullable=False),
        sa.Column("skipped", sa.Text(), nullable=False),
        sa.Column("error", sa.Text()),
        sa.Column("device_names", sa.Text(), nullable=False),
        sa.Column("device_attributes", sa.Text(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("launch_count", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Integer()),
        sa.Column("run_id", sa.Integer()),
        sqlite_autoincrement=True,
    )
    for column in ("kept_sha256", "job_id", "run_id"):
        op.create_index(f"ix_report_{column}", "report", [column])


def _create_metrics() -> None:
    op.create_table(
        "metric_set",
        sa.Column("sha256", sa.String(), primary_key=True),
        sa.Column("body", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "metric_name",
        sa.Column(
            "set_sha256",
            sa.String(),
            sa.ForeignKey("metric_set.sha256", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("position", sa.Integer(), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("section", sa.Text()),
        sa.Column("label", sa.Text()),
    )


def _create_launches() -> None:
    op.create_table(
        "launch",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("report_id", sa.Integer(), sa.ForeignKey("report.id", ondelete="CASCADE"), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger()),
        sa.Column("process_id", sa.BigInteger()),
        sa.Column("kernel", sa.Text(), nullable=False),
        sa.Column("function", sa.Text()),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("grid", sa.String()),
        sa.Column("block", sa.String()),
        sa.Column("device_name", sa.String()),
        sa.Column("compute_capability", sa.String()),
        sa.Column("duration_s", sa.Float()),
        sa.Column("invocations", sa.BigInteger()),
        sa.Column("metric_count", sa.Integer(), nullable=False),
        sa.Column("problem", sa.String()),
        sa.Column("stage", sa.String()),
        sa.Column("size_key", sa.String()),
        sa.Column("dtype", sa.String()),
        sa.Column("match_confidence", sa.Float(), nullable=False),
        sa.Column("match_how", sa.String(), nullable=False),
        sa.Column("match_reasons", sa.Text(), nullable=False),
        sa.UniqueConstraint("report_id", "ordinal", name="uq_launch"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_launch_stage", "launch", ["problem", "stage"])
    op.create_table(
        "launch_content",
        sa.Column(
            "launch_id", sa.Integer(), sa.ForeignKey("launch.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("names_sha256", sa.String(), sa.ForeignKey("metric_set.sha256"), nullable=False),
        sa.Column("units_sha256", sa.String(), sa.ForeignKey("metric_set.sha256"), nullable=False),
        sa.Column("base_values", sa.LargeBinary(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("rest", sa.LargeBinary(), nullable=False),
    )
    for column in ("names_sha256", "units_sha256"):
        op.create_index(f"ix_launch_content_{column}", "launch_content", [column])
