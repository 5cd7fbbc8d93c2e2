"""What holds for the whole suite: a real store, and on CI a browser test may not be skipped."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

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


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store on a real SQLite file."""
    opened = open_store(f"sqlite:///{tmp_path / 'roofladder.db'}")
    yield opened
    opened.close()
