"""Keep the duels of a run.

Revision 0004.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "duel",
        sa.Column("run_id", sa.Integer(), sa.ForeignKey("run.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("problem", sa.String(), primary_key=True),
        sa.Column("size_key", sa.String(), primary_key=True),
        sa.Column("dtype", sa.String(), primary_key=True),
        sa.Column("arithmetic", sa.String(), primary_key=True),
        sa.Column("regime", sa.String(), primary_key=True),
        sa.Column("own", sa.String(), nullable=False),
        sa.Column("library", sa.String(), nullable=False),
        sa.Column("library_call", sa.Text(), nullable=False),
        sa.Column("flop", sa.BigInteger(), nullable=False),
        sa.Column("pairs", sa.Text(), nullable=False),
    )
    op.create_index("ix_duel_problem", "duel", ["problem", "run_id"])


def downgrade() -> None:
    op.drop_table("duel")
