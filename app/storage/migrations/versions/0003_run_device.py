"""Find the runs of a device without reading all runs.

Revision 0003.
"""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_run_device", "run", ["device_sha256", "id"])


def downgrade() -> None:
    op.drop_index("ix_run_device", "run")
