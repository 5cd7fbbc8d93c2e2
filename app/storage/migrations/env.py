"""Runs migrations on the connection that `app.storage.transactions` passes, inside its transaction."""

from __future__ import annotations

from alembic import context

from app.storage import tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables.RunRow.metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
