"""Opens the store: the one object that entries make from a URL and pass down."""

from __future__ import annotations

from app.storage.duel_repository import DuelRepository
from app.storage.event_repository import EventRepository
from app.storage.evidence_repository import EvidenceRepository
from app.storage.import_repository import ImportRepository
from app.storage.job_repository import JobRepository
from app.storage.measurement_repository import MeasurementRepository
from app.storage.report_repository import ReportRepository
from app.storage.run_repository import RunRepository
from app.storage.sqlite_engine import BUSY_TIMEOUT_S
from app.storage.store import Store
from app.storage.transactions import open_database
from app.storage.worker_repository import WorkerRepository


class SqlStore(
    JobRepository,
    EventRepository,
    MeasurementRepository,
    DuelRepository,
    RunRepository,
    EvidenceRepository,
    ImportRepository,
    ReportRepository,
    WorkerRepository,
):
    """Every repository over one database; keeps the promises of `Store`."""

    def close(self) -> None:
        """Close every connection."""
        self._database.close()


def open_store(url: str, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Store:
    """Open the database of a `sqlite:///` URL and bring its schema up to date.

    Writers wait `busy_timeout_s` for each other. Raises UnavailableError in one line when the database is
    locked, read-only, full, damaged, or written by a newer version.
    """
    return SqlStore(open_database(url, busy_timeout_s=busy_timeout_s))
