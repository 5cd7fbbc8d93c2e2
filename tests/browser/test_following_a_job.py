"""A page follows a job as the worker writes about it; where the stream is lost it says so and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from app.domain.cell_progress import CellProgress, CellState
from app.domain.measurement import CellKey
from app.domain.run import Job, Progress
from app.domain.size import Size
from app.domain.vocabulary import BackendName, Dtype, JobStatus
from app.storage.store import Store
from tests.browser.conftest import Site, Visit
from tests.examples import selection, submit

pytestmark = pytest.mark.browser
SIZE = Size.of(m=256, n=256, k=256)
NOTICE = "Live updates stopped, retrying. The job is not affected."


@pytest.fixture
def job(site: Site) -> Iterator[Job]:
    """A running job that only the test writes about."""
    made = submit(site.store, selection=selection(sizes=(SIZE,), backend=BackendName.CPU), label="followed")
    yield site.store.start_job(made.id, datetime.now(UTC))
    site.store.finish_job(made.id, JobStatus.CANCELLED, None, datetime.now(UTC))


def report(store: Store, job: Job, n: int) -> None:
    cell = CellProgress(
        CellKey("matmul", "naive", SIZE, Dtype.FLOAT32),
        CellState.SAMPLING,
        n=n,
        median_s=0.03,
        ci_fraction=0.01,
    )
    progress = Progress(n // 100, 7, "matmul naive m=256,n=256,k=256 float32", 9.0)
    store.set_progress(job.id, progress)
    store.add_events(job.id, [("cell", cell.as_data()), ("log", {"text": f"round with n={n}"})])


def test_cells_log_and_end_arrive_without_a_reload(site: Site, visit: Visit, job: Job) -> None:
    page = visit.page
    page.goto(f"{site.url}/jobs")
    page.evaluate("window.sameDocument = true")
    page.get_by_label("Label").fill("typed while it runs")
    card = page.locator("#current-job")
    for n in (111, 222):
        report(site.store, job, n)
        card.get_by_role("cell", name=str(n), exact=True).wait_for()
    assert card.get_by_text("round with n=222").is_visible()
    assert card.get_by_text("measuring", exact=True).is_visible()
    assert page.get_by_label("Label").input_value() == "typed while it runs"
    site.store.finish_job(job.id, JobStatus.FINISHED, None, datetime.now(UTC))
    site.store.add_events(job.id, [("status", {"status": "finished"})])
    page.locator("#ended").get_by_role("link", name=str(job.id), exact=True).wait_for()
    assert card.get_by_text("Nothing is running").is_visible()
    assert page.evaluate("window.sameDocument") is True


def test_a_lost_stream_is_said_and_polling_goes_on(site: Site, visit: Visit, job: Job) -> None:
    page = visit.page
    visit.expected.append("ERR_FAILED")
    page.route("**/api/v1/jobs/*/events", lambda route: route.abort())
    page.goto(f"{site.url}/jobs")
    page.locator("#current-job").get_by_text(NOTICE).wait_for()
    report(site.store, job, 333)
    page.locator("#current-job").get_by_role("cell", name="333", exact=True).wait_for()
    assert page.locator("#current-job").get_by_text(NOTICE).is_visible()


def test_the_running_job_is_seen_from_every_page(site: Site, visit: Visit, job: Job) -> None:
    report(site.store, job, 350)
    visit.page.goto(f"{site.url}/machine")
    chip = visit.page.locator(".job-chip")
    assert "42" in chip.inner_text()
    chip.click()
    visit.page.wait_for_url(f"{site.url}/jobs")
