"""The results database: engine, migrations, and transactions for the repositories."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from app.domain.errors import UnavailableError
from app.storage.faults import translated
from app.storage.sqlite_engine import BUSY_TIMEOUT_S, sqlite_engine

_MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """Hands out transactions. Threads may share one; each transaction has its own connection."""

    def __init__(self, engine: sa.Engine) -> None:
        self._reading = engine
        self._writing = engine.execution_options(roofladder_writing=True)
        self._name = Path(engine.url.database or "").name or engine.url.render_as_string()

    @property
    def folder(self) -> Path:
        """Where the database lies, and files that belong to it."""
        return Path(self._reading.url.database or "").resolve().parent

    @contextmanager
    def read(self) -> Iterator[Session]:
        """One consistent view. Raises UnavailableError where the database cannot be read."""
        with translated(self._name), Session(self._reading) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """One transaction, committed at the end, rolled back on any error.

        Raises UnavailableError when the database is locked, read-only or full.
        """
        with translated(self._name), Session(self._writing) as session, session.begin():
            yield session

    def migrate(self) -> None:
        """Bring the schema to this version's. Raises UnavailableError for a newer database."""
        with translated(self._name):
            with self._reading.begin() as connection:
                if self._is_current(connection):
                    return
            # The write lock is taken before looking again: two processes may start at once.
            with self._writing.begin() as connection:
                if not self._is_current(connection):
                    command.upgrade(_alembic_config(connection), "head")

    def close(self) -> None:
        """Close every connection."""
        self._reading.dispose()

    def _is_current(self, connection: sa.Connection) -> bool:
        script = ScriptDirectory.from_config(_alembic_config(connection))
        found = MigrationContext.configure(connection).get_current_revision()
        known = {revision.revision for revision in script.walk_revisions()}
        if found is not None and found not in known:
            raise UnavailableError(
                f"The database {self._name} was written by a newer version of Roofladder (schema {found})."
                " Start that version, or set ROOFLADDER_DATA_DIR to another folder."
            )
        return found == script.get_current_head()


def open_database(url: str, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Database:
    """Open and migrate. Raises UnavailableError, in one line, where that is impossible."""
    if make_url(url).get_backend_name() != "sqlite":
        raise UnavailableError(f"{make_url(url).get_backend_name()} is not supported. Use a sqlite:/// URL.")
    database = Database(_engine(url, busy_timeout_s))
    database.migrate()
    return database


def _engine(url: str, busy_timeout_s: float) -> sa.Engine:
    engine = sqlite_engine(url, _leave_transactions_to_us, busy_timeout_s=busy_timeout_s)

    @event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        writing = connection.get_execution_options().get("roofladder_writing", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _leave_transactions_to_us(connection: Any) -> None:  # noqa: ANN401 - either driver's connection
    connection.isolation_level = None


def _alembic_config(connection: sa.Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
