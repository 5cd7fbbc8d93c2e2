"""A new user's first minutes with the real service: a first ladder by itself, then a job of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit, drawn
from tests.integration.service import Service, running

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
FIRST_LADDER_MS = 420_000  # 45 s on a machine of its own; test machines are shared
PROGRESSED = """() => document.querySelector("#chart-ladder") || /[1-9]\\d* of \\d+ measurements/.test(
  document.querySelector("#first-ladder .progress-figure")?.textContent)"""
PREVIEWED = "() => document.querySelector('#job-cost').textContent.includes('24 measurements')"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path / "data", ROOFLADDER_LOCK_DIR=str(tmp_path)) as started:
        yield started


def test_first_ladder_then_a_job_that_is_cancelled(service: Service, visit: Visit) -> None:
    page = visit.page
    page.goto(service.url)
    _watch_the_first_ladder(page)
    _submit_and_cancel(page, service.url)
    page.goto(service.url)
    drawn(page, "ladder")


def _watch_the_first_ladder(page: Page) -> None:
    card = page.locator("#first-ladder")
    card.wait_for(timeout=60_000)
    assert card.get_by_text("Closing this page does not stop anything.").is_visible()
    page.wait_for_function(PROGRESSED, timeout=FIRST_LADDER_MS)
    page.wait_for_selector("#chart-ladder", timeout=FIRST_LADDER_MS)
    drawn(page, "ladder")
    drawn(page, "roofline")
    assert page.locator("#chart-ladder figure .twin tbody tr").count() >= 2
    assert page.locator("#chart-ladder .trouble").count() == 0


def _submit_and_cancel(page: Page, url: str) -> None:
    page.goto(f"{url}/jobs")
    page.get_by_label("Sizes").fill("1023, 1024")
    page.get_by_label("Label").fill("to be cancelled")
    page.wait_for_function(PREVIEWED)
    page.get_by_role("button", name="Queue job").click()
    page.locator("#current-job", has_text="to be cancelled").wait_for(timeout=30_000)
    page.locator("#current-job").get_by_role("button", name="Cancel").click()
    row = page.locator("#ended tbody tr", has_text="to be cancelled")
    row.get_by_text("cancelled", exact=True).wait_for(timeout=60_000)
    assert "kept" in row.inner_text()
