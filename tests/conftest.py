"""What holds for the whole suite: on CI a browser test may not be skipped."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

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
