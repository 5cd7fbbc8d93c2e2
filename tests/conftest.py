"""What holds for the whole suite: a real store, and on CI a browser test may not be skipped."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.jobs.engine import JobQueue, open_client
from app.main import create_app
from app.storage.database import open_store
from app.storage.store import Store

BROWSER_REQUIRED = os.environ.get("ROOFLADDER_REQUIRE_BROWSER") == "1"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if BROWSER_REQUIRED and report.skipped and item.get_closest_marker("browser"):
        report.outcome = "failed"
        report.longrepr = (
            f"ROOFLADDER_REQUIRE_BROWSER=1, but this browser test was skipped: {report.longrepr}"
        )
    return report


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database at the newest revision, made once: migrating takes longer than most tests."""
    path = tmp_path_factory.mktemp("migrated") / "roofladder.db"
    open_store(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def store(tmp_path: Path, migrated_database: Path) -> Iterator[Store]:
    """An empty store on a real SQLite file."""
    path = shutil.copy(migrated_database, tmp_path / "roofladder.db")
    opened = open_store(f"sqlite:///{path}")
    yield opened
    opened.close()


@pytest.fixture
def queue(tmp_path: Path) -> JobQueue:
    """The real job engine on a SQLite file of its own; no worker listens to it."""
    return open_client(f"sqlite:///{tmp_path / 'jobs.db'}")


@pytest.fixture
def client(store: Store, queue: JobQueue) -> TestClient:
    """A client of the whole web application on that store and queue."""
    return TestClient(create_app(store, queue), base_url="http://127.0.0.1:8020", follow_redirects=False)
